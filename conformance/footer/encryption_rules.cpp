#include "conformance/footer/encryption_rules.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/text.hpp"
#include "codec/encryption/file_keys.hpp"
#include "codec/format/encryption.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/state/chunk_claim.hpp"
#include "conformance/state/sealed_chunk.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kSignatureBytes = encryption::kNonceBytes + encryption::kTagBytes;

/// Without the file identifier no AAD is known: that no module authenticates is a consequence.
void attribute_keys(FileCheck& check) {
  const encryption::FileKeys* const keys = check.input.source.keys();
  if (keys == nullptr || keys->has_authenticated()) return;
  check.outcome.findings.attribute(Rule::encryption_aad_file_unique, 0,
                                   [](const Finding& one) { return one.rule == Rule::encryption_key; });
}

/// Rules of the algorithm and its parameters, which are at `path` of the struct of `site`.
void judge_algorithm(FileCheck& check, const FindingSite& site, const EncryptionAlgorithm& algorithm,
                     const std::string& path) {
  const bool ctr = algorithm.has(EncryptionAlgorithm::id_AES_GCM_CTR_V1);
  if (!ctr && !algorithm.has(EncryptionAlgorithm::id_AES_GCM_V1)) {
    if (algorithm.fields.unknown != 0) {
      site.report(
          Rule::encryption_algorithm, path,
          contrast("member " + std::to_string(algorithm.fields.unknown), "AES_GCM_V1 and AES_GCM_CTR_V1"));
    }
    return;
  }
  const std::string member = path + (ctr ? ".AES_GCM_CTR_V1" : ".AES_GCM_V1");
  const View prefix = ctr ? algorithm.AES_GCM_CTR_V1.aad_prefix : algorithm.AES_GCM_V1.aad_prefix;
  const View id = ctr ? algorithm.AES_GCM_CTR_V1.aad_file_unique : algorithm.AES_GCM_V1.aad_file_unique;
  const thrift::Presences& fields = ctr ? algorithm.AES_GCM_CTR_V1.fields : algorithm.AES_GCM_V1.fields;
  const bool supplied =
      ctr ? algorithm.AES_GCM_CTR_V1.supply_aad_prefix : algorithm.AES_GCM_V1.supply_aad_prefix;
  if (id.empty() &&
      (fields.has(AesGcmV1::id_aad_file_unique) || !fields.mentions(AesGcmV1::id_aad_file_unique))) {
    site.report(
        Rule::encryption_aad_file_unique, member + ".aad_file_unique",
        contrast(fields.has(AesGcmV1::id_aad_file_unique) ? FindingValue("empty") : kAbsent, "random bytes"));
    attribute_keys(check);
  }
  if (fields.has(AesGcmV1::id_supply_aad_prefix) && supplied && !prefix.empty())
    site.report(Rule::encryption_aad_prefix, member + ".aad_prefix", contrast("stored", kAbsent));
}

/// Returns true if the file can be decrypted by the holder of its keys.
bool is_known(const EncryptionAlgorithm& algorithm) {
  return algorithm.has(EncryptionAlgorithm::id_AES_GCM_CTR_V1) !=
         algorithm.has(EncryptionAlgorithm::id_AES_GCM_V1);
}

/// Nothing is decrypted without a known algorithm, whatever the keys are: what is encrypted is a consequence
/// of the first finding about the algorithm, which is in `path`; empty: of the first finding.
void attribute_locks(FileCheck& check, std::string_view path) {
  Findings& findings = check.outcome.findings;
  const auto is_lock = [](const Finding& one) {
    return one.rule == Rule::file_encrypted_footer || one.rule == Rule::file_encrypted_column;
  };
  const auto is_cause = [&](const Finding& one) {
    return !is_lock(one) && (path.empty() || is_part_of(one.field, path));
  };
  const auto cause = std::ranges::find_if(findings.all(), is_cause);
  if (cause == findings.all().end()) return;
  const Rule rule = findings.broke(Rule::encryption_algorithm) ? Rule::encryption_algorithm : cause->rule;
  findings.attribute(rule, 0, is_lock);
}

enum class Lock : std::uint8_t { none, footer_key, column_key };
constexpr std::array kLocks{Lock::column_key, Lock::footer_key, Lock::none};

Lock lock_of(const ColumnChunk& chunk) {
  if (!chunk.has(ColumnChunk::id_crypto_metadata)) return Lock::none;
  return chunk.crypto_metadata.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_COLUMN_KEY) ? Lock::column_key
                                                                                        : Lock::footer_key;
}

std::string_view words(Lock lock) {
  return lock == Lock::none         ? "not encrypted"
         : lock == Lock::footer_key ? "encrypted with the key of the footer"
                                    : "encrypted with a key of its own";
}

constexpr std::size_t kLongestText = 500;  // in messages, about

std::string dotted(const thrift::List& path) {
  std::string text;
  thrift::for_each_string(path, [&](View name, std::uint32_t i) {
    if (text.size() > kLongestText) return;
    if (i != 0) text += '.';
    text += text_of(name).substr(0, 100);
  });
  return text;
}

std::string names_of_encodings(const thrift::List& encodings) {
  std::string text;
  thrift::for_each_integer(encodings, [&](std::int64_t encoding, std::uint32_t i) {
    if (text.size() > kLongestText) return;
    if (i != 0) text += ", ";
    const std::string_view name = kEncodingEnum.name_of(encoding);
    text += name.empty() ? std::to_string(encoding) : std::string(name);
  });
  return text;
}

class ColumnRules {
 public:
  ColumnRules(FileCheck& check, const ChunkClaim& claim, const ColumnChunk& visible, bool is_footer_encrypted)
      : check_(check),
        claim_(claim),
        visible_(visible),
        site_(FindingSite::of_chunk(check, claim)),
        is_footer_encrypted_(is_footer_encrypted) {
    site_.opened = nullptr;  // these rules are about what is visible
  }

  void run() {
    path();
    if (visible_.crypto_metadata.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_FOOTER_KEY) !=
        visible_.crypto_metadata.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_COLUMN_KEY))
      form();
    if (!is_footer_encrypted_) open_parts();
    if (visible_.has(ColumnChunk::id_encrypted_column_metadata)) copy();
  }

 private:
  void path() const {
    const EncryptionWithColumnKey& key = visible_.crypto_metadata.ENCRYPTION_WITH_COLUMN_KEY;
    if (lock_of(visible_) != Lock::column_key || !key.has(EncryptionWithColumnKey::id_path_in_schema) ||
        !check_.footer.schema_usable || claim_.leaf >= check_.footer.schema.leaf_count())
      return;
    std::uint64_t hash = 0;
    thrift::for_each_string(key.path_in_schema,
                            [&](View name, std::uint32_t) { hash = Schema::hash(hash, name); });
    if (hash == check_.footer.schema.leaf(claim_.leaf).path_hash) return;
    site_.report(Rule::encryption_column_path, "crypto_metadata.ENCRYPTION_WITH_COLUMN_KEY.path_in_schema",
                 contrast(dotted(key.path_in_schema),
                          check_.footer.schema.dotted_path(check_.footer.schema.leaf_index(claim_.leaf))));
  }

  void form() const {
    const bool has_visible = visible_.fields.mentions(ColumnChunk::id_meta_data);
    const bool has_sealed = visible_.fields.mentions(ColumnChunk::id_encrypted_column_metadata);
    const bool stays = is_footer_encrypted_ && lock_of(visible_) == Lock::footer_key;
    if (stays && has_sealed) {
      site_.report(Rule::encryption_metadata_form, "encrypted_column_metadata",
                   contrast("encrypted_column_metadata with the key of the encrypted footer", kAbsent));
    } else if (!stays && !has_sealed) {
      site_.report(Rule::encryption_metadata_form, "encrypted_column_metadata",
                   contrast("no encrypted_column_metadata", "encrypted_column_metadata"));
    }
    if (is_footer_encrypted_ && !stays && has_visible && has_sealed) {
      site_.report(Rule::encryption_metadata_form, "meta_data",
                   contrast("meta_data of a column with a key of its own", kAbsent));
    } else if (!has_visible && (stays || !is_footer_encrypted_)) {
      site_.report(Rule::encryption_metadata_form, "meta_data", contrast("no meta_data", "meta_data"));
    }
  }

  void open_parts() const {
    if (!visible_.has(ColumnChunk::id_meta_data)) return;
    const ColumnMetaData& meta = visible_.meta_data;
    if (meta.fields.mentions(ColumnMetaData::id_statistics))
      site_.report(Rule::encryption_open_statistics, "meta_data.statistics", contrast("statistics", kAbsent));
    const std::pair<ColumnMetaData::Id, std::string_view> details[] = {
        {ColumnMetaData::id_key_value_metadata, "key_value_metadata"},
        {ColumnMetaData::id_size_statistics, "size_statistics"},
        {ColumnMetaData::id_geospatial_statistics, "geospatial_statistics"},
    };
    for (const auto& [id, name] : details) {
      if (!meta.fields.mentions(id)) continue;
      site_.report(Rule::encryption_open_details, "meta_data." + std::string(name), contrast(name, kAbsent));
      return;
    }
  }

  /// encryption/metadata-copy: what both copies have.
  void copy() const {
    ColumnChunk opened = visible_;
    open_metadata(opened, check_.footer.frame.opened.get(), check_.options.limits);
    if (!opened.opened || !opened.has(ColumnChunk::id_meta_data) ||
        !visible_.has(ColumnChunk::id_meta_data) || is_footer_encrypted_)
      return;
    using Id = ColumnMetaData::Id;
    const ColumnMetaData& a = visible_.meta_data;
    const ColumnMetaData& b = opened.meta_data;
    struct Number {
      Id id;
      std::string_view name;
      std::int64_t seen;
      std::int64_t sealed;
    };
    const Number numbers[] = {
        {Id::id_type, "type", static_cast<std::int64_t>(a.type), static_cast<std::int64_t>(b.type)},
        {Id::id_codec, "codec", static_cast<std::int64_t>(a.codec), static_cast<std::int64_t>(b.codec)},
        {Id::id_num_values, "num_values", a.num_values, b.num_values},
        {Id::id_total_uncompressed_size, "total_uncompressed_size", a.total_uncompressed_size,
         b.total_uncompressed_size},
        {Id::id_total_compressed_size, "total_compressed_size", a.total_compressed_size,
         b.total_compressed_size},
        {Id::id_data_page_offset, "data_page_offset", a.data_page_offset, b.data_page_offset},
        {Id::id_index_page_offset, "index_page_offset", a.index_page_offset, b.index_page_offset},
        {Id::id_dictionary_page_offset, "dictionary_page_offset", a.dictionary_page_offset,
         b.dictionary_page_offset},
        {Id::id_bloom_filter_offset, "bloom_filter_offset", a.bloom_filter_offset, b.bloom_filter_offset},
        {Id::id_bloom_filter_length, "bloom_filter_length", a.bloom_filter_length, b.bloom_filter_length},
    };
    for (const Number& one : numbers) {
      if (!a.has(one.id) || !b.has(one.id) || one.seen == one.sealed) continue;
      const std::string name(one.name);
      return differs(name, std::to_string(one.seen), std::to_string(one.sealed));
    }
    const auto differ = [&](Id id, const thrift::List& seen, const thrift::List& sealed) {
      return a.has(id) && b.has(id) && !std::ranges::equal(seen.bytes.bytes, sealed.bytes.bytes);
    };
    if (differ(Id::id_path_in_schema, a.path_in_schema, b.path_in_schema))
      return differs("path_in_schema", dotted(a.path_in_schema), dotted(b.path_in_schema));
    if (differ(Id::id_encodings, a.encodings, b.encodings))
      differs("encodings", names_of_encodings(a.encodings), names_of_encodings(b.encodings));
  }

  void differs(const std::string& field, const std::string& seen, const std::string& sealed) const {
    site_.report(Rule::encryption_metadata_copy, "meta_data." + field,
                 contrast(field + " " + (seen.empty() ? "none" : seen),
                          field + " " + (sealed.empty() ? "none" : sealed)));
  }

  FileCheck& check_;
  const ChunkClaim& claim_;
  const ColumnChunk& visible_;
  FindingSite site_;
  bool is_footer_encrypted_;
};

/// Rules of a footer of a file with encrypted columns, or with a signature.
class FooterEncryption {
 public:
  explicit FooterEncryption(FileCheck& check)
      : check_(check), meta_(check.footer.meta), is_encrypted_(!check.footer.frame.crypto.empty()) {}

  void run() {
    columns();
    const bool has_algorithm = meta_.fields.mentions(FileMetaData::id_encryption_algorithm);
    algorithm_place(has_algorithm);
    signing_key(has_algorithm);
    if (has_algorithm && !is_encrypted_) signature_length();
    if (encrypted_chunks_ != 0 || has_algorithm || is_encrypted_) ordinals();
    if (encrypted_chunks_ != 0 && !is_encrypted_ && is_known(meta_.encryption_algorithm)) plaintext_footer();
  }

 private:
  void columns() {
    const ParsedFooter& footer = check_.footer;
    std::vector<std::optional<Lock>> locks(footer.chunks.size());
    ColumnChunk chunk;
    for (std::size_t i = 0; i < footer.chunks.size(); ++i) {
      const ChunkClaim& claim = footer.chunks[i];
      thrift::Reader reader(footer.footer_from(claim.struct_offset), {}, check_.options.limits);
      if (!reader.read(chunk)) continue;
      const Lock lock = lock_of(chunk);
      // encryption/metadata-form reports encrypted metadata without crypto_metadata.
      if (lock != Lock::none || !is_sealed(chunk)) locks[i] = lock;
      if (lock == Lock::none) continue;
      ++encrypted_chunks_;
      ColumnRules(check_, claim, chunk, is_encrypted_).run();
    }
    if (encrypted_chunks_ != 0) column_partly(locks);
  }

  /// encryption/column-partly: chunks that differ from most of their column. `locks`: by chunk, if known.
  void column_partly(const std::vector<std::optional<Lock>>& locks) {
    const ParsedFooter& footer = check_.footer;
    std::vector<std::array<std::size_t, kLocks.size()>> counts(
        footer.schema_usable ? footer.schema.leaf_count() : 0);
    for (std::size_t i = 0; i < locks.size(); ++i) {
      const ChunkClaim& claim = footer.chunks[i];
      if (locks[i] && claim.leaf < counts.size()) ++counts[claim.leaf][static_cast<std::size_t>(*locks[i])];
    }
    for (std::size_t i = 0; i < locks.size(); ++i) {
      const ChunkClaim& claim = footer.chunks[i];
      if (!locks[i] || claim.leaf >= counts.size()) continue;
      const auto& count = counts[claim.leaf];
      // As many of both: what is not encrypted is the exception.
      const Lock usual = *std::ranges::max_element(
          kLocks, {}, [&](Lock lock) { return count[static_cast<std::size_t>(lock)]; });
      if (usual == *locks[i]) continue;
      FindingSite::of_chunk(check_, claim)
          .report(Rule::encryption_column_partly, "crypto_metadata",
                  contrast(words(*locks[i]), words(usual)));
    }
  }

  void algorithm_place(bool has_algorithm) {
    const FindingSite site = FindingSite::of_file_metadata(check_);
    if (is_encrypted_ && has_algorithm) {
      site.report(Rule::encryption_algorithm_place, "encryption_algorithm",
                  contrast("set in an encrypted footer", kAbsent));
    } else if (!is_encrypted_ && !has_algorithm && encrypted_chunks_ != 0) {
      site.report(Rule::encryption_algorithm_place, "encryption_algorithm",
                  contrast(kAbsent, "the algorithm of the encrypted columns"));
      // The signature.
      check_.outcome.findings.attribute(Rule::encryption_algorithm_place, 0, [](const Finding& one) {
        return one.rule == Rule::footer_exact_length && one.length == kSignatureBytes;
      });
    }
    if (is_encrypted_) return;
    if (meta_.has(FileMetaData::id_encryption_algorithm))
      judge_algorithm(check_, site, meta_.encryption_algorithm, "encryption_algorithm");
    if (encrypted_chunks_ != 0 && !is_known(meta_.encryption_algorithm))
      attribute_locks(check_, "encryption_algorithm");
  }

  void signing_key(bool has_algorithm) {
    if (!meta_.fields.mentions(FileMetaData::id_footer_signing_key_metadata)) return;
    if (!is_encrypted_ && has_algorithm) return;
    FindingSite::of_file_metadata(check_).report(
        Rule::encryption_signing_key_place, "footer_signing_key_metadata",
        contrast(is_encrypted_ ? "set in an encrypted footer" : "set without encryption_algorithm", kAbsent));
  }

  void signature_length() {
    const View footer = check_.footer.frame.footer;
    if (file_is_lost(check_)) return;
    const std::uint64_t rest = footer.end() - meta_.fields.end;
    if (rest == kSignatureBytes) return;
    report_at(check_.outcome.findings, Rule::encryption_signature_length, {}, meta_.fields.end, rest,
              contrast(rest, kSignatureBytes));
  }

  void ordinals() {
    const ParsedFooter& footer = check_.footer;
    constexpr std::size_t kMost = std::size_t{encryption::kMaxOrdinal} + 1;
    const FindingSite site = FindingSite::of_file_metadata(check_);
    if (footer.row_groups.size() > kMost) {
      site.report(Rule::encryption_ordinal_limit, "row_groups",
                  contrast("row groups is " + std::to_string(footer.row_groups.size()), at_most(kMost)));
    }
    if (footer.schema_usable && footer.schema.leaf_count() > kMost) {
      site.report(Rule::encryption_ordinal_limit, "schema",
                  contrast("columns is " + std::to_string(footer.schema.leaf_count()), at_most(kMost)));
    }
    for (std::size_t i = 0; i < footer.row_groups.size(); ++i) {
      RowGroup group;
      thrift::Reader reader(footer.footer_from(footer.row_groups[i].struct_offset), {},
                            check_.options.limits);
      if (!reader.read(group) || group.fields.mentions(RowGroup::id_ordinal)) continue;
      FindingSite::of_row_group(check_, i, footer.row_groups[i])
          .report(Rule::encryption_row_group_ordinal, "ordinal", contrast(kAbsent, i));
      break;
    }
  }

  /// Advice, with what the footer shows to anyone.
  void plaintext_footer() {
    const FindingSite site = FindingSite::of_file_metadata(check_);
    if (!site.wants(Rule::encryption_plaintext_footer)) return;
    const std::uint64_t bytes = meta_.fields.end - check_.footer.frame.footer.base;
    std::string detail = "; anyone can read its " + counted(bytes, "byte") + ": the schema";
    if (meta_.num_rows >= 0) detail += ", " + counted(static_cast<std::uint64_t>(meta_.num_rows), "row");
    if (const std::uint32_t pairs = meta_.key_value_metadata.count; pairs != 0)
      detail += ", " + counted(pairs, "key-value pair");
    if (const std::size_t sorted = sorted_row_groups(); sorted != 0)
      detail += ", the order of the rows in " + counted(sorted, "row group");
    detail += ", and the encodings and sizes of " + counted(encrypted_chunks_, "encrypted column chunk");
    site.report(Rule::encryption_plaintext_footer, "encryption_algorithm",
                contrast("not encrypted", "an encrypted footer", std::move(detail)));
  }

  [[nodiscard]] std::size_t sorted_row_groups() const {
    const ParsedFooter& footer = check_.footer;
    std::size_t count = 0;
    RowGroup group;
    for (const RowGroupClaim& claim : footer.row_groups) {
      thrift::Reader reader(footer.footer_from(claim.struct_offset), {}, check_.options.limits);
      if (reader.read(group) && group.fields.mentions(RowGroup::id_sorting_columns)) ++count;
    }
    return count;
  }

  FileCheck& check_;
  const FileMetaData& meta_;
  bool is_encrypted_;
  std::size_t encrypted_chunks_ = 0;
};

/// The signature of a plaintext footer is over the encrypted metadata of its columns, too: where that was
/// changed, it fails with the right key as well.
void attribute_signature(FileCheck& check) {
  Findings& findings = check.outcome.findings;
  for (const Rule cause : {Rule::encryption_tag, Rule::encryption_module_place}) {
    const bool is_of_metadata = std::ranges::any_of(findings.primary(), [&](const Finding& one) {
      return one.rule == cause && one.field == "encrypted_column_metadata";
    });
    if (!is_of_metadata) continue;
    findings.attribute(cause, 0, [](const Finding& one) {
      const bool is_of_footer = one.rule == Rule::encryption_key && one.place.row_group < 0;
      return one.rule == Rule::encryption_signature || is_of_footer;
    });
  }
}

/// One wrong key explains all that does not authenticate with it. If no module authenticates, one wrong AAD
/// prefix does.
void attribute_to_key(FileCheck& check) {
  constexpr std::int32_t kOfFooter = -1;
  Findings& findings = check.outcome.findings;
  const encryption::FileKeys* const keys = check.input.source.keys();
  if (keys == nullptr || !findings.broke(Rule::encryption_key)) return;
  std::set<std::int32_t> with_footer_key;  // leaves; others have keys of their own
  ColumnChunk chunk;
  for (const ChunkClaim& claim : check.footer.chunks) {
    thrift::Reader reader(check.footer.footer_from(claim.struct_offset), {}, check.options.limits);
    const bool is_of_footer = reader.read(chunk) && lock_of(chunk) == Lock::footer_key;
    if (is_of_footer || !keys->has_authenticated())
      with_footer_key.insert(static_cast<std::int32_t>(claim.leaf));
  }
  const auto key_of = [&](const Finding& one) {
    return with_footer_key.contains(one.place.leaf) ? kOfFooter : one.place.leaf;
  };
  std::map<std::int32_t, std::pair<Place, std::uint64_t>> first;  // finding of each key
  for (const Finding& one : findings.primary()) {
    if (one.rule == Rule::encryption_key) first.try_emplace(key_of(one), one.place, one.offset);
  }
  findings.attribute(Rule::encryption_key, 0, [&](const Finding& one) {
    return one.rule == Rule::encryption_key && first.at(key_of(one)) != std::pair(one.place, one.offset);
  });
}

}  // namespace

void check_crypto_metadata(FileCheck& check) {
  const Frame& frame = check.footer.frame;
  if (frame.crypto.empty()) return;
  FileCryptoMetaData crypto;
  thrift::Reader reader(frame.crypto, {&check.outcome.findings, {}, {}}, check.options.limits);
  const bool is_read = reader.read(crypto);
  if (!is_read) return attribute_locks(check, {});
  const FindingSite site{check.outcome.findings, {}, frame.crypto, FileCryptoMetaData::kType};
  if (crypto.has(FileCryptoMetaData::id_encryption_algorithm))
    judge_algorithm(check, site, crypto.encryption_algorithm, "encryption_algorithm");
  if (!is_known(crypto.encryption_algorithm)) attribute_locks(check, "encryption_algorithm");
  const auto head = static_cast<std::size_t>(crypto.fields.end - frame.crypto.base);
  const View after = frame.crypto.from(head);
  const Result<encryption::Module> module = encryption::cut_module(after, encryption::Mode::gcm);
  if (!module && module.error().expected >= 0) {
    // encryption/footer-length: the module is longer than what the footer length leaves for it.
    report_at(check.outcome.findings, Rule::encryption_footer_length, {}, frame.crypto.end(), 4,
              contrast(frame.crypto.size(), head + 4 + static_cast<std::uint64_t>(module.error().found)));
  } else if (!module) {
    const encryption::ModuleFault fault = encryption::length_fault(module.error());
    report_at(check.outcome.findings, Rule::encryption_module_length, {}, fault.error.offset,
              fault.error.length, fault.contrast);
  } else if (const std::uint64_t rest = after.size() - module->length;
             rest != 0 && !check.outcome.findings.broke(Rule::encryption_module_length)) {
    report_at(check.outcome.findings, Rule::encryption_footer_rest, {}, frame.crypto.end() - rest, rest,
              contrast(rest, 0));
  }
}

void check_encryption(FileCheck& check) {
  if (!check.footer.row_groups_complete) return;
  FooterEncryption(check).run();
  attribute_signature(check);
  attribute_to_key(check);
}

}  // namespace parqproof
