#include "codec/encryption/file_keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/format/encryption.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/rules/rule.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof::encryption {
namespace {

constexpr std::size_t kSignatureBytes = kNonceBytes + kTagBytes;

/// Modules and places that are tried to distinguish a wrong key from changed bytes.
constexpr std::size_t kTriedModules = 256;
constexpr std::int32_t kTriedColumns = 64;
/// Bytes decrypted to find the places of modules, of the file and at least for each of its chunks; and what a
/// trial costs apart from its bytes.
constexpr std::uint64_t kTriedBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kTriedBytesOfChunk = std::uint64_t{1} << 20;
constexpr std::uint64_t kBytesPerTrial = 256;

ModuleFault fault_at(Rule rule, View at, Contrast what) {
  return {Error::at(rule, at, 0, 0), std::move(what)};
}

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
  make_aad(common_, place, aad_);
  return aes_.open(nonce, aad_, module.ciphertext.bytes, module.tag.bytes.first<kTagBytes>(), out);
}

ModuleFault length_fault(const Error& error) {
  FindingValue expected = error.expected < 0 ? or_more(-error.expected) : at_most(error.expected);
  return {error, contrast(error.found, std::move(expected))};
}

std::int32_t FileKeys::add_key(const Bytes& bytes, const std::string& name) {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i].bytes == bytes) return static_cast<std::int32_t>(i);
  }
  keys_.push_back({bytes, name, false});
  return static_cast<std::int32_t>(keys_.size() - 1);
}

bool FileKeys::take_algorithm(const EncryptionAlgorithm& algorithm) {
  keys_.clear();
  chunks_.clear();
  first_chunk_.clear();
  faults_.clear();
  common_.clear();
  footer_key_ = -1;
  signature_ = Signature::none;
  const bool gcm = algorithm.has(EncryptionAlgorithm::id_AES_GCM_V1);
  const bool ctr = algorithm.has(EncryptionAlgorithm::id_AES_GCM_CTR_V1);
  if (gcm == ctr) return false;
  page_mode_ = ctr ? Mode::ctr : Mode::gcm;
  const View prefix = ctr ? algorithm.AES_GCM_CTR_V1.aad_prefix : algorithm.AES_GCM_V1.aad_prefix;
  const View id = ctr ? algorithm.AES_GCM_CTR_V1.aad_file_unique : algorithm.AES_GCM_V1.aad_file_unique;
  // A prefix of the caller is the identity that the file should have.
  if (ring_->aad_prefix) {
    common_.assign(ring_->aad_prefix->begin(), ring_->aad_prefix->end());
  } else {
    common_.assign(prefix.bytes.begin(), prefix.bytes.end());
  }
  common_.insert(common_.end(), id.bytes.begin(), id.bytes.end());
  return true;
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
  const std::optional<Bytes> key = ring_->of_footer(crypto.key_metadata);
  if (!key) return State::no_key;
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
    const bool proven = !changed.detail.empty() || opens_some_page(*key, source, base, std::nullopt);
    findings.add(finding_of(proven ? fault_at(Rule::encryption_tag, all, std::move(changed))
                                   : fault_at(Rule::encryption_key, all,
                                              contrast(describe(place), "a module that authenticates")),
                            {}));
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
  const std::optional<Bytes> key = ring_->of_footer(meta.footer_signing_key_metadata);
  const auto length = static_cast<std::size_t>(meta.fields.end - base);
  if (key) footer_key_ = add_key(*key, "the footer");
  signature_ = key ? Signature::verified : Signature::no_key;
  Tag computed{};
  bool differs = false;
  if (key && region.size() - length >= kSignatureBytes) {
    Aes aes(*key);
    Bytes aad;
    make_aad(common_, {ModuleType::footer}, aad);
    Bytes ciphertext(length);
    const std::span<const std::uint8_t> signature = bytes.bytes.subspan(length, kSignatureBytes);
    differs = !aes.seal(signature.first<kNonceBytes>(), aad, bytes.bytes.first(length), ciphertext.data(),
                        computed) ||
              !std::ranges::equal(computed, signature.last<kTagBytes>());
    keys_[static_cast<std::size_t>(footer_key_)].proven = !differs;
  }
  open_columns(region.first(length), bytes.part(0, length), false, source, limits);
  if (!differs) return;
  signature_ = Signature::wrong;
  const View tag = bytes.part(length + kNonceBytes, kTagBytes);
  const bool proven = keys_[static_cast<std::size_t>(footer_key_)].proven ||
                      opens_some_page(*key, source, base, std::nullopt);
  findings.add(
      finding_of(proven ? fault_at(Rule::encryption_signature, tag, contrast(hex(tag.bytes), hex(computed)))
                        : fault_at(Rule::encryption_key, tag,
                                   contrast("the signature of the footer", "a signature that authenticates")),
                 {}));
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
  void open_all(OpenedMetadata& opened) {
    for (const Sealed& one : sealed_) open(one, opened);
    for (const Sealed& one : failed_) explain(one);
    for (std::size_t i = 0; i < keys_.chunks_.size(); ++i) {
      FileKeys::ChunkKey& chunk = keys_.chunks_[i];
      if (with_footer_key_[i] && opened.has_footer_key) chunk.opened = true;
    }
    std::ranges::sort(opened.offsets);
  }

 private:
  [[nodiscard]] bool schema_element(SchemaElement& element, const Element&) override {
    schema_.add(element);
    return true;
  }
  [[nodiscard]] bool begin_row_group(thrift::Reader&, std::uint32_t) override {
    if (keys_.first_chunk_.empty()) schema_.finish();
    keys_.first_chunk_.push_back(keys_.chunks_.size());
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
    with_footer_key_.push_back(false);
    if (!chunk.has(ColumnChunk::id_crypto_metadata)) return true;
    const ColumnCryptoMetaData& crypto = chunk.crypto_metadata;
    const std::string path = path_of(at.index);
    if (crypto.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_FOOTER_KEY)) {
      key.key = keys_.footer_key_;
    } else if (crypto.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_COLUMN_KEY)) {
      const EncryptionWithColumnKey& with = crypto.ENCRYPTION_WITH_COLUMN_KEY;
      std::optional<Bytes> bytes = keys_.ring_->of_column(path, with.key_metadata);
      if (!bytes) bytes = keys_.ring_->of_column(dotted(with.path_in_schema), with.key_metadata);
      if (bytes) key.key = keys_.add_key(*bytes, "column " + path);
    }
    if (key.key < 0) return true;
    const auto group = static_cast<std::int32_t>(row_group_index());
    if (chunk.has(ColumnChunk::id_encrypted_column_metadata)) {
      sealed_.push_back({keys_.chunks_.size() - 1,
                         chunk.encrypted_column_metadata,
                         {ModuleType::column_metadata, group, static_cast<std::int32_t>(at.index)}});
    } else if (crypto.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_FOOTER_KEY)) {
      with_footer_key_.back() = true;
    }
    return true;
  }

  void open(const Sealed& one, OpenedMetadata& opened) {
    FileKeys::ChunkKey& chunk = keys_.chunks_[one.chunk];
    FileKeys::NamedKey& key = keys_.keys_[static_cast<std::size_t>(chunk.key)];
    const Result<Module> module = cut_module(one.field, Mode::gcm);
    if (!module || module->length != one.field.size()) return;  // reported without keys
    ChunkCipher cipher(key.bytes, keys_.common_, keys_.page_mode_, 0, 0);
    Bytes plain(module->ciphertext.size());
    if (!cipher.open(*module, one.place, plain.data())) {
      failed_.push_back(one);
      return;
    }
    key.proven = chunk.opened = true;
    opened.offsets.push_back(one.field.base);
    const auto at = static_cast<std::size_t>(module->ciphertext.base - view_.base);
    std::ranges::copy(plain, footer_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void explain(const Sealed& one) {
    FileKeys::ChunkKey& chunk = keys_.chunks_[one.chunk];
    FileKeys::NamedKey& key = keys_.keys_[static_cast<std::size_t>(chunk.key)];
    const Result<Module> module = cut_module(one.field, Mode::gcm);
    const bool is_key_known = key.proven || keys_.opens_some_page(key.bytes, source_, view_.base, one.place);
    chunk.fault = static_cast<std::int32_t>(keys_.faults_.size());
    ModuleFault fault = keys_.explain(*module, one.field, one.place);
    if (!is_key_known && fault.error.rule == Rule::encryption_tag && fault.contrast.detail.empty())
      fault = fault_at(Rule::encryption_key, one.field,
                       contrast(describe(one.place), "a module that authenticates"));
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
  std::vector<bool> with_footer_key_;
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
  for (ChunkKey& chunk : chunks_) chunk.budget = std::max(kTriedBytes / chunks_.size(), kTriedBytesOfChunk);
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
                                       row_group, column);
}

const ModuleFault* FileKeys::fault_of(std::uint32_t row_group, std::uint32_t column) const {
  const ChunkKey* const chunk = find(row_group, column);
  return chunk == nullptr || chunk->fault < 0 ? nullptr : &faults_[static_cast<std::size_t>(chunk->fault)];
}

/// The lengths of modules lead from the first module of the file to the next ones, up to a column that is not
/// encrypted.
bool FileKeys::opens_some_page(std::span<const std::uint8_t> key, const Source& source, std::uint64_t end,
                               std::optional<ModulePlace> chunk) const {
  constexpr std::uint64_t kMaxHeader = 4096;
  ChunkCipher cipher(key, common_, page_mode_, 0, 0);
  Bytes plain(kMaxHeader);
  Bytes bytes;
  std::uint64_t at = 4;
  for (std::size_t i = 0; i < kTriedModules && at + kModuleFrameBytes <= end; ++i) {
    std::array<std::uint8_t, kModuleLengthBytes> head{};
    if (!source.read(at, head)) return false;
    const std::uint64_t length = load_le<std::uint32_t>(head.data());
    if (length < kNonceBytes || length > end - at - kModuleLengthBytes) return false;
    if (length >= kNonceBytes + kTagBytes && length <= kMaxHeader) {
      bytes.resize(static_cast<std::size_t>(kModuleLengthBytes + length));
      if (!source.read(at, bytes)) return false;
      const Result<Module> module = cut_module({bytes, at, Space::file}, Mode::gcm);
      if (!module) return false;
      const std::int32_t first = chunk ? chunk->column : 0;
      const std::int32_t last = chunk ? chunk->column : kTriedColumns - 1;
      for (std::int32_t column = first; column <= last; ++column) {
        for (const ModuleType type : {ModuleType::dictionary_page_header, ModuleType::data_page_header}) {
          if (cipher.open(*module, {type, chunk ? chunk->row_group : 0, column, 0}, plain.data()))
            return true;
        }
      }
    }
    at += kModuleLengthBytes + length;
  }
  return false;
}

std::optional<std::string> FileKeys::find_place(const Module& module, const NamedKey& key,
                                                const ModulePlace& place) const {
  ChunkCipher cipher(key.bytes, common_, Mode::gcm, 0, 0);
  Bytes plain(module.ciphertext.size());
  // Each chunk has its share, so that the places found do not depend on the order of the chunks.
  std::uint64_t none = 0;
  const ChunkKey* const chunk = find(place.row_group, place.column);
  std::uint64_t& budget = chunk == nullptr ? none : chunk->budget;
  const std::uint64_t cost = kBytesPerTrial + module.ciphertext.size();
  const auto opens = [&](const ModulePlace& tried) {
    if (budget < cost) return false;
    budget -= cost;
    return cipher.open(module, tried, plain.data());
  };
  const auto try_chunk = [&](std::int32_t row_group, std::int32_t column) -> std::optional<ModulePlace> {
    for (std::uint8_t type = 1; type < kModuleTypes; ++type) {
      const ModulePlace tried{static_cast<ModuleType>(type), row_group, column, place.page};
      if (opens(tried)) return tried;
    }
    return std::nullopt;
  };
  if (opens({ModuleType::footer})) return describe({ModuleType::footer});
  if (const auto same = try_chunk(place.row_group, place.column)) return describe(*same);
  for (std::size_t group = 0; group < first_chunk_.size(); ++group) {
    for (std::int32_t column = 0; find(static_cast<std::int64_t>(group), column) != nullptr; ++column) {
      if (budget < cost) return std::nullopt;
      if (const auto found = try_chunk(static_cast<std::int32_t>(group), column)) return describe(*found);
    }
  }
  // The ordinals of pages, nearest first; of this chunk, then of the others.
  for (const ModuleType type : {ModuleType::data_page_header, ModuleType::data_page}) {
    for (std::int32_t page = 0; page <= kMaxOrdinal; ++page) {
      const ModulePlace tried{type, place.row_group, place.column, page};
      if (opens(tried)) return describe(tried);
      if (budget < cost) return std::nullopt;
    }
  }
  for (std::size_t group = 0; group < first_chunk_.size(); ++group) {
    for (std::int32_t column = 0; find(static_cast<std::int64_t>(group), column) != nullptr; ++column) {
      for (const ModuleType type : {ModuleType::data_page_header, ModuleType::data_page}) {
        for (std::int32_t page = 0; page < 64; ++page) {
          const ModulePlace tried{type, static_cast<std::int32_t>(group), column, page};
          if (opens(tried)) return describe(tried);
          if (budget < cost) return std::nullopt;
        }
      }
    }
  }
  return std::nullopt;
}

ModuleFault FileKeys::explain(const Module& module, View all, const ModulePlace& place) const {
  const ChunkKey* const chunk = find(place.row_group, place.column);
  const Contrast changed = contrast(describe(place), "the tag of its content and AAD");
  if (chunk == nullptr || chunk->key < 0 || module.tag.empty())
    return fault_at(Rule::encryption_tag, all, changed);
  const auto own = static_cast<std::size_t>(chunk->key);
  if (const auto found = find_place(module, keys_[own], place))
    return fault_at(Rule::encryption_module_place, all, contrast(*found, describe(place)));
  // Another key of the file: at this place, then at any place of a chunk.
  for (std::size_t i = 0; i < keys_.size() && i < kTriedModules; ++i) {
    if (i == own) continue;
    ChunkCipher cipher(keys_[i].bytes, common_, Mode::gcm, 0, 0);
    Bytes plain(module.ciphertext.size());
    if (cipher.open(module, place, plain.data())) {
      Contrast other = changed;
      other.detail =
          ", or it is encrypted with another key: it authenticates under the key of " + keys_[i].name;
      return fault_at(Rule::encryption_tag, all, std::move(other));
    }
    if (const auto found = i < 16 ? find_place(module, keys_[i], place) : std::nullopt)
      return fault_at(Rule::encryption_module_place, all, contrast(*found, describe(place)));
  }
  return fault_at(Rule::encryption_tag, all, changed);
}

}  // namespace parqproof::encryption
