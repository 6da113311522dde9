#include "codec/encryption/file_keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/format/chunk_start.hpp"
#include "codec/format/encryption.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/rules/rule.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof::encryption {
namespace {

constexpr std::size_t kSignatureBytes = kNonceBytes + kTagBytes;

void append_name(std::string& path, const View& name) {
  if (!path.empty()) path += '.';
  path += text_of(name);
}

std::string dotted(const thrift::List& path) {
  std::string out;
  thrift::for_each_string(path, [&](View name, std::uint32_t) { append_name(out, name); });
  return out;
}

}  // namespace

ModuleFault fault_at(Rule rule, View at, Contrast what) {
  return {Error::at(rule, at, 0, 0), std::move(what)};
}

Finding finding_of(const ModuleFault& fault, const Place& place) {
  Finding finding;
  finding.rule = fault.error.rule;
  finding.place = place;
  finding.offset = fault.error.offset;
  finding.length = fault.error.length;
  finding.space = fault.error.space;
  finding.found = fault.contrast.found;
  finding.expected = fault.contrast.expected;
  finding.detail = fault.contrast.detail;
  return finding;
}

bool ChunkCipher::open(const Module& module, const ModulePlace& place, std::uint8_t* out) {
  const std::span<const std::uint8_t, kNonceBytes> nonce(module.nonce.bytes.first<kNonceBytes>());
  if (mode_of(place.type) == Mode::ctr) return aes_.apply_ctr(nonce, module.ciphertext.bytes, out);
  ModulePlace in_aad = place;
  if (ordinals_ != nullptr && std::cmp_less(place.row_group, ordinals_->size()))
    in_aad.row_group = (*ordinals_)[static_cast<std::size_t>(place.row_group)];
  make_aad(common_, in_aad, aad_);
  return aes_.open(nonce, aad_, module.ciphertext.bytes, module.tag.bytes.first<kTagBytes>(), out);
}

ModuleFault length_fault(const Error& error) {
  FindingValue expected = error.expected < 0 ? or_more(-error.expected) : at_most(error.expected);
  return {error, contrast(error.found, std::move(expected))};
}

std::int32_t FileKeys::add_key(const Bytes& bytes, const std::string& name) {
  const auto [known, is_new] =
      key_numbers_.try_emplace({name, bytes}, static_cast<std::int32_t>(keys_.size()));
  if (is_new) keys_.push_back({bytes, name, false});
  return known->second;
}

bool FileKeys::take_algorithm(const EncryptionAlgorithm& algorithm) {
  keys_.clear();
  key_numbers_.clear();
  chunks_.clear();
  first_chunk_.clear();
  ordinals_ = std::make_shared<Ordinals>();
  faults_.clear();
  common_.clear();
  footer_key_ = -1;
  why_no_footer_key_.clear();
  missing_.assign(1, {});
  signature_ = Signature::none;
  const bool gcm = algorithm.has(EncryptionAlgorithm::id_AES_GCM_V1);
  const bool ctr = algorithm.has(EncryptionAlgorithm::id_AES_GCM_CTR_V1);
  if (gcm == ctr) return false;
  page_mode_ = ctr ? Mode::ctr : Mode::gcm;
  const View prefix = ctr ? algorithm.AES_GCM_CTR_V1.aad_prefix : algorithm.AES_GCM_V1.aad_prefix;
  const View id = ctr ? algorithm.AES_GCM_CTR_V1.aad_file_unique : algorithm.AES_GCM_V1.aad_file_unique;
  expects_prefix_ = ctr ? algorithm.AES_GCM_CTR_V1.supply_aad_prefix : algorithm.AES_GCM_V1.supply_aad_prefix;
  stored_common_.assign(prefix.bytes.begin(), prefix.bytes.end());
  stored_common_.insert(stored_common_.end(), id.bytes.begin(), id.bytes.end());
  common_ = stored_common_;
  if (ring_->aad_prefix) {  // the identity that the file should have
    common_.assign(ring_->aad_prefix->begin(), ring_->aad_prefix->end());
    common_.insert(common_.end(), id.bytes.begin(), id.bytes.end());
  }
  return true;
}

std::string FileKeys::about_prefix(const std::function<bool(const Bytes& common)>& opens) const {
  if (expects_prefix_ && !ring_->aad_prefix)
    return "; the file states that its AAD prefix is to be supplied, and none was given";
  if (common_ != stored_common_ && opens(stored_common_))
    return "; it authenticates without the given AAD prefix, which is not that of the file";
  return {};
}

namespace {

/// Describes the AAD under which the footer authenticates, if that is not its own but one that writers are
/// known to take for it; else empty. `common`: AAD prefix, of so many bytes, and file identifier.
std::string other_footer_aad(const Module& module, std::span<const std::uint8_t> key,
                             std::span<const std::uint8_t> common, std::size_t prefix) {
  const auto type = static_cast<std::uint8_t>(ModuleType::footer);
  const std::pair<const char*, std::span<const std::uint8_t>> tried[] = {
      {"an empty AAD", {}},
      {"the AAD prefix alone", common.first(prefix)},
      {"an AAD without the type of the module", common},
      {"the type of the module alone", {&type, 1}},
  };
  Aes aes(key);
  Bytes plain(module.ciphertext.size());
  const std::span<const std::uint8_t, kNonceBytes> nonce(module.nonce.bytes.first<kNonceBytes>());
  const std::span<const std::uint8_t, kTagBytes> tag(module.tag.bytes.first<kTagBytes>());
  for (const auto& [name, aad] : tried) {
    if (aes.open(nonce, aad, module.ciphertext.bytes, tag, plain.data()))
      return std::string("; it authenticates with ") + name;
  }
  return {};
}

}  // namespace

FileKeys::State FileKeys::open_encrypted_footer(std::span<std::uint8_t> region, std::uint64_t base,
                                                const Source& source, const Limits& limits,
                                                Findings& findings, View& footer) {
  opened_.reset();
  const View bytes{region, base, Space::file};
  FileCryptoMetaData crypto;
  thrift::Reader reader(bytes, {}, limits);
  if (!reader.read(crypto) || !take_algorithm(crypto.encryption_algorithm)) return State::unknown_algorithm;
  const FoundKey key = ring_->of_footer(crypto.key_metadata);
  if (!key) {
    why_no_footer_key_ = key.error();
    return State::no_key;
  }
  const auto head = static_cast<std::size_t>(crypto.fields.end - base);
  const Result<Module> module = cut_module(bytes.from(head), Mode::gcm);
  if (!module) return State::failed;  // reported without keys
  footer_key_ = add_key(*key, "the footer");
  ChunkCipher cipher(*key, common_, page_mode_, 0, 0);
  const ModulePlace place{ModuleType::footer};
  const std::size_t at = head + kModuleHeadBytes;
  Bytes plain(module->ciphertext.size());
  if (!cipher.open(*module, place, plain.data())) {
    if (const std::size_t room = bytes.size() - head; module->length < room) {
      Module longer = *module;
      longer.tag = bytes.from(bytes.size() - kTagBytes);
      longer.ciphertext = bytes.part(at, room - kModuleFrameBytes);
      plain.resize(longer.ciphertext.size());
      if (cipher.open(longer, place, plain.data())) {
        findings.add(
            finding_of(fault_at(Rule::encryption_module_length, bytes.part(head, kModuleLengthBytes),
                                contrast(module->length - kModuleLengthBytes, room - kModuleLengthBytes)),
                       {}));
        return State::failed;
      }
    }
    const View all = bytes.part(head, static_cast<std::size_t>(module->length));
    const EncryptionAlgorithm& algorithm = crypto.encryption_algorithm;
    const View id = page_mode_ == Mode::ctr ? algorithm.AES_GCM_CTR_V1.aad_file_unique
                                            : algorithm.AES_GCM_V1.aad_file_unique;
    Contrast changed = contrast(describe(place), "the tag of its content and AAD");
    changed.detail = other_footer_aad(*module, *key, common_, common_.size() - id.size());
    const bool proven = !changed.detail.empty() || is_right_for_footer(*key, source, base);
    ModuleFault fault = fault_at(Rule::encryption_tag, all, std::move(changed));
    if (!proven) {
      const auto opens = [&](const Bytes& common) {
        return ChunkCipher(*key, common, page_mode_, 0, 0).open(*module, place, plain.data());
      };
      fault = fault_at(Rule::encryption_key, all,
                       contrast(describe(place), "a module that authenticates", about_prefix(opens)));
    }
    findings.add(finding_of(fault, {}));
    return State::failed;
  }
  keys_[static_cast<std::size_t>(footer_key_)].proven = true;
  std::ranges::copy(plain, region.begin() + static_cast<std::ptrdiff_t>(at));
  const std::span<std::uint8_t> inside = region.subspan(at, plain.size());
  footer = {inside, base + at, Space::module};
  open_columns(inside, footer, true, source, limits);
  return State::opened;
}

void FileKeys::open_plaintext_footer(std::span<std::uint8_t> region, std::uint64_t base, const Source& source,
                                     const Limits& limits, Findings& findings) {
  opened_.reset();
  const View bytes{region, base, Space::file};
  FileMetaData meta;
  thrift::Reader reader(bytes, {}, limits);
  if (!reader.read(meta) || !meta.has(FileMetaData::id_encryption_algorithm)) return;
  if (!take_algorithm(meta.encryption_algorithm)) return;
  const FoundKey key = ring_->of_footer(meta.footer_signing_key_metadata);
  const auto length = static_cast<std::size_t>(meta.fields.end - base);
  if (key) {
    footer_key_ = add_key(*key, "the footer");
  } else {
    why_no_footer_key_ = key.error();
  }
  signature_ = key ? Signature::verified : Signature::no_key;
  Tag computed{};
  bool differs = false;
  const auto signs = [&](const Bytes& common, Tag& tag) {
    Aes aes(*key);
    Bytes aad;
    make_aad(common, {ModuleType::footer}, aad);
    Bytes ciphertext(length);
    const std::span<const std::uint8_t> signature = bytes.bytes.subspan(length, kSignatureBytes);
    return aes.seal(signature.first<kNonceBytes>(), aad, bytes.bytes.first(length), ciphertext.data(), tag) &&
           std::ranges::equal(tag, signature.last<kTagBytes>());
  };
  if (key && region.size() - length >= kSignatureBytes) {
    differs = !signs(common_, computed);
    keys_[static_cast<std::size_t>(footer_key_)].proven = !differs;
  }
  open_columns(region.first(length), bytes.part(0, length), false, source, limits);
  if (!differs) return;
  signature_ = Signature::wrong;
  const View tag = bytes.part(length + kNonceBytes, kTagBytes);
  const bool proven =
      keys_[static_cast<std::size_t>(footer_key_)].proven || is_right_for_footer(*key, source, base);
  ModuleFault fault = fault_at(Rule::encryption_signature, tag, contrast(hex(tag.bytes), hex(computed)));
  if (!proven) {
    const auto opens = [&](const Bytes& common) {
      Tag other{};
      return signs(common, other);
    };
    fault = fault_at(
        Rule::encryption_key, tag,
        contrast("the signature of the footer", "a signature that authenticates", about_prefix(opens)));
  }
  findings.add(finding_of(fault, {}));
}

/// Opens the metadata of each chunk of a footer at its place.
class ColumnOpening final : public FooterVisitor {
 public:
  ColumnOpening(FileKeys& keys, std::span<std::uint8_t> footer, View view, const Source& source,
                const Limits& limits)
      : FooterVisitor({}), keys_(keys), footer_(footer), view_(view), source_(source), limits_(limits) {}

  struct Sealed {
    std::size_t chunk = 0;  ///< in FileKeys::chunks_
    View field;
    ModulePlace place;
  };
  struct WithFooterKey {
    std::size_t chunk = 0;
    std::uint64_t page = 0;  ///< offset of the first page in the file
    ModulePlace place;       ///< of the header of that page, if it is a data page
  };
  void open_all(OpenedMetadata& opened) {
    for (const Sealed& one : sealed_) open(one, opened);
    if (opened.has_footer_key) {
      for (const WithFooterKey& one : with_footer_key_) {
        keys_.chunks_[one.chunk].opened = true;
        find_ordinal(one);
      }
    }
    for (const Sealed& one : failed_) explain(one);
    std::ranges::sort(opened.offsets);
  }

 private:
  [[nodiscard]] bool schema_element(SchemaElement& element, const Element&) override {
    schema_.add(element);
    return true;
  }
  [[nodiscard]] bool begin_row_group(thrift::Reader&, std::uint32_t) override {
    if (keys_.first_chunk_.empty()) schema_.finish();
    keys_.ordinals_->push_back(static_cast<std::int32_t>(keys_.first_chunk_.size()));
    keys_.first_chunk_.push_back(keys_.chunks_.size());
    stated_ordinals_.emplace_back();
    return true;
  }
  [[nodiscard]] bool row_group(RowGroup& group, const Element&) override {
    const std::int32_t position = keys_.ordinals_->back();
    if (group.has(RowGroup::id_ordinal) && group.ordinal != position) stated_ordinals_.back() = group.ordinal;
    return true;
  }
  /// The dotted path of a leaf; empty if the schema has none, or is too deep.
  [[nodiscard]] std::string path_of(std::size_t leaf) const {
    std::string path;
    if (leaf >= schema_.leaf_count() || schema_.depth() > limits_.schema_depth) return path;
    for (const View& name : schema_.path(schema_.leaf_index(leaf))) append_name(path, name);
    return path;
  }
  [[nodiscard]] bool column(ColumnChunk& chunk, const Element& at) override {
    FileKeys::ChunkKey& key = keys_.chunks_.emplace_back();
    if (!chunk.has(ColumnChunk::id_crypto_metadata)) return true;
    const ColumnCryptoMetaData& crypto = chunk.crypto_metadata;
    const std::string path = path_of(at.index);
    if (crypto.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_FOOTER_KEY) &&
        crypto.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_COLUMN_KEY))
      return true;  // thrift/union-exactly-one: the key is not known
    if (crypto.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_FOOTER_KEY)) {
      key.key = keys_.footer_key_;
      if (key.key < 0) lack(key, keys_.why_no_footer_key_);
    } else if (crypto.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_COLUMN_KEY)) {
      const EncryptionWithColumnKey& with = crypto.ENCRYPTION_WITH_COLUMN_KEY;
      FoundKey bytes = keys_.ring_->of_column(path, with.key_metadata);
      if (!bytes) bytes = keys_.ring_->of_column(dotted(with.path_in_schema), with.key_metadata);
      if (bytes) {
        key.key = keys_.add_key(*bytes, "column " + path);
      } else {
        lack(key, bytes.error());
      }
    }
    if (key.key < 0) return true;
    const auto group = static_cast<std::int32_t>(row_group_index());
    if (chunk.has(ColumnChunk::id_encrypted_column_metadata)) {
      sealed_.push_back({keys_.chunks_.size() - 1,
                         chunk.encrypted_column_metadata,
                         {ModuleType::column_metadata, group, static_cast<std::int32_t>(at.index)}});
    } else if (crypto.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_FOOTER_KEY)) {
      with_footer_key_.push_back(
          {keys_.chunks_.size() - 1,
           static_cast<std::uint64_t>(chunk_start(chunk.meta_data).offset),
           {ModuleType::data_page_header, group, static_cast<std::int32_t>(at.index)}});
    }
    return true;
  }

  /// Notes why a chunk has no key: mostly for the reason of the one before.
  void lack(FileKeys::ChunkKey& chunk, const std::string& why) {
    if (keys_.missing_.back() != why) keys_.missing_.push_back(why);
    chunk.missing = static_cast<std::uint32_t>(keys_.missing_.size() - 1);
  }

  void open(const Sealed& one, OpenedMetadata& opened) {
    FileKeys::ChunkKey& chunk = keys_.chunks_[one.chunk];
    FileKeys::NamedKey& key = keys_.keys_[static_cast<std::size_t>(chunk.key)];
    const Result<Module> module = cut_module(one.field, Mode::gcm);
    if (!module || module->length != one.field.size()) return;  // reported without keys
    ChunkCipher cipher = keys_.any_cipher(key.bytes, keys_.page_mode_);
    Bytes plain(module->ciphertext.size());
    if (!opens_under_some_ordinal(one.place.row_group,
                                  [&] { return cipher.open(*module, one.place, plain.data()); })) {
      failed_.push_back(one);
      return;
    }
    key.proven = chunk.opened = true;
    opened.offsets.push_back(one.field.base);
    const auto at = static_cast<std::size_t>(module->ciphertext.base - view_.base);
    std::ranges::copy(plain, footer_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  /// Returns true if a module of a row group authenticates. Until one has, the ordinal that the row group
  /// states is tried after its position; row-group/ordinal judges which of the two is right.
  template <typename Opens>
  bool opens_under_some_ordinal(std::int32_t row_group, const Opens& opens) {
    std::optional<std::int32_t>& stated = stated_ordinals_[static_cast<std::size_t>(row_group)];
    std::int32_t& ordinal = (*keys_.ordinals_)[static_cast<std::size_t>(row_group)];
    bool is_open = opens();
    if (!is_open && stated) {
      ordinal = *stated;
      is_open = opens();
      if (!is_open) ordinal = row_group;
    }
    if (is_open) stated.reset();
    return is_open;
  }

  /// Finds the ordinal of a row group in AADs by the first page of a chunk, if no metadata has shown it.
  void find_ordinal(const WithFooterKey& one) {
    const std::uint64_t end = view_.base;
    if (!stated_ordinals_[static_cast<std::size_t>(one.place.row_group)] || one.page >= end) return;
    Bytes bytes(static_cast<std::size_t>(std::min(kMaxSealedHeader, end - one.page)));
    if (!source_.read(one.page, bytes)) return;
    const Result<Module> module = cut_module({bytes, one.page, Space::file}, Mode::gcm);
    if (!module) return;
    ChunkCipher cipher =
        keys_.any_cipher(keys_.keys_[static_cast<std::size_t>(keys_.footer_key_)].bytes, keys_.page_mode_);
    const std::uint64_t cost = 4 * cipher.cost_of(*module);
    if (ordinal_budget_ < cost) return;
    ordinal_budget_ -= cost;
    Bytes plain(module->ciphertext.size());
    static_cast<void>(opens_under_some_ordinal(one.place.row_group, [&] {
      ModulePlace dictionary = one.place;
      dictionary.type = ModuleType::dictionary_page_header;
      return cipher.open(*module, one.place, plain.data()) || cipher.open(*module, dictionary, plain.data());
    }));
  }

  void explain(const Sealed& one) {
    FileKeys::ChunkKey& chunk = keys_.chunks_[one.chunk];
    FileKeys::NamedKey& key = keys_.keys_[static_cast<std::size_t>(chunk.key)];
    const Result<Module> module = cut_module(one.field, Mode::gcm);
    const bool is_key_known = key.proven || keys_.opens_some_page(key.bytes, source_, view_.base, one.place,
                                                                  FileKeys::search_budget(failed_.size()));
    chunk.fault = static_cast<std::int32_t>(keys_.faults_.size());
    ModuleFault fault = keys_.explain(*module, one.field, one.place);
    if (!is_key_known && fault.error.rule == Rule::encryption_tag) {
      fault = fault_at(
          Rule::encryption_key, one.field,
          contrast(describe(one.place), "a module that authenticates", std::move(fault.contrast.detail)));
    }
    keys_.faults_.push_back(std::move(fault));
  }

  FileKeys& keys_;
  std::span<std::uint8_t> footer_;
  View view_;
  const Source& source_;
  const Limits& limits_;
  Schema schema_;
  std::vector<Sealed> sealed_;
  std::vector<Sealed> failed_;
  std::vector<WithFooterKey> with_footer_key_;
  std::vector<std::optional<std::int32_t>> stated_ordinals_;  ///< of row groups whose ordinal is undecided
  std::uint64_t ordinal_budget_ = kTriedBytes;
};

void FileKeys::open_columns(std::span<std::uint8_t> footer, View view, bool is_encrypted,
                            const Source& source, const Limits& limits) {
  auto opened = std::make_shared<OpenedMetadata>();
  ColumnOpening opening(*this, footer, view, source, limits);
  thrift::Reader reader(view, {}, limits);
  FileMetaData meta;
  static_cast<void>(opening.visit(reader, meta));
  opened->has_footer_key =
      footer_key_ >= 0 && (is_encrypted || keys_[static_cast<std::size_t>(footer_key_)].proven);
  for (ChunkKey& chunk : chunks_) chunk.budget = search_budget(chunks_.size());
  opening.open_all(*opened);
  opened_ = std::move(opened);
}

const FileKeys::ChunkKey* FileKeys::find(std::int64_t row_group, std::int64_t column) const noexcept {
  if (row_group < 0 || column < 0 || std::cmp_greater_equal(row_group, first_chunk_.size())) return nullptr;
  const auto group = static_cast<std::size_t>(row_group);
  const std::size_t end = group + 1 < first_chunk_.size() ? first_chunk_[group + 1] : chunks_.size();
  const std::size_t at = first_chunk_[group] + static_cast<std::size_t>(column);
  return at < end ? &chunks_[at] : nullptr;
}

std::unique_ptr<ChunkCipher> FileKeys::cipher_of(std::int32_t row_group, std::int32_t column) const {
  const ChunkKey* const chunk = find(row_group, column);
  if (chunk == nullptr || !chunk->opened || chunk->key < 0) return nullptr;
  return std::make_unique<ChunkCipher>(keys_[static_cast<std::size_t>(chunk->key)].bytes, common_, page_mode_,
                                       row_group, column, ordinals_);
}

std::string FileKeys::why_no_key(std::int32_t row_group, std::int32_t column) const {
  if (chunks_.empty()) return "no encryption_algorithm was read";
  const ChunkKey* const chunk = find(row_group, column);
  return chunk == nullptr ? std::string() : missing_[chunk->missing];
}

const ModuleFault* FileKeys::fault_of(std::int32_t row_group, std::int32_t column) const {
  const ChunkKey* const chunk = find(row_group, column);
  return chunk == nullptr || chunk->fault < 0 ? nullptr : &faults_[static_cast<std::size_t>(chunk->fault)];
}

const ModuleFault* metadata_fault(const FileKeys* keys, const Place& place) {
  return keys == nullptr ? nullptr : keys->fault_of(place.row_group, place.leaf);
}

Contrast encrypted_column(const FileKeys* keys, const Place& place) {
  const std::string why = keys == nullptr ? std::string() : keys->why_no_key(place.row_group, place.leaf);
  return contrast("encrypted", "plain", why.empty() ? why : "; " + why);
}

}  // namespace parqproof::encryption
