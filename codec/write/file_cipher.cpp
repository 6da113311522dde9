#include "codec/write/file_cipher.hpp"

#include <algorithm>
#include <string>

#include "codec/base/append.hpp"
#include "codec/file/frame.hpp"

namespace parqproof {
namespace {

using encryption::Mode;
using encryption::ModulePlace;
using encryption::ModuleType;
using thrift::set;

constexpr std::size_t kIdentifierBytes = 8;
/// NIST SP 800-38D 8.3: of one key, with random nonces.
constexpr std::uint64_t kMaxModules = std::uint64_t{1} << 32;

WriteStatus check_key(const WriteKey& key, const std::string& name) {
  if (encryption::is_key_length(key.bytes.size())) return {};
  return std::unexpected("encryption: " + name + " has " + std::to_string(key.bytes.size()) +
                         " bytes; a key has 16, 24 or 32");
}

template <typename Algorithm>
void fill(Algorithm& out, const EncryptionOptions& options, const encryption::Bytes& identifier) {
  set(out, Algorithm::id_aad_file_unique);
  out.aad_file_unique = {identifier, 0, Space::file};
  if (options.aad_prefix.empty()) return;
  if (options.store_aad_prefix) {
    set(out, Algorithm::id_aad_prefix);
    out.aad_prefix = view_of(options.aad_prefix);
  } else {
    set(out, Algorithm::id_supply_aad_prefix);
    out.supply_aad_prefix = true;
  }
}

/// Removes from visible metadata what describes the values (Encryption.md#55-plaintext-footer-mode).
void strip(ColumnMetaData& meta) {
  for (const auto id : {ColumnMetaData::id_statistics, ColumnMetaData::id_size_statistics,
                        ColumnMetaData::id_geospatial_statistics, ColumnMetaData::id_key_value_metadata})
    meta.fields.present &= ~(std::uint32_t{1} << id);
}

}  // namespace

WriteStatus check_encryption(const EncryptionOptions& options, const Schema& schema) {
  if (WriteStatus status = check_key(options.footer_key, "footer_key"); !status) return status;
  for (const auto& [leaf, key] : options.column_keys) {
    if (leaf >= schema.leaf_count())
      return std::unexpected("encryption: column_keys: the schema has no leaf " + std::to_string(leaf));
    const std::string name = "the key of column " + schema.dotted_path(schema.leaf_index(leaf));
    if (WriteStatus status = check_key(key, name); !status) return status;
  }
  if (schema.leaf_count() > static_cast<std::size_t>(encryption::kMaxOrdinal) + 1)
    return std::unexpected("encryption: an encrypted file has at most 32768 columns");
  if (options.aad_prefix.empty() && !options.store_aad_prefix)
    return std::unexpected("encryption: store_aad_prefix: there is no aad_prefix");
  return {};
}

FileCipher::FileCipher(const EncryptionOptions& options, const Schema& schema)
    : options_(options), schema_(schema), footer_key_(options.footer_key.bytes) {
  for (const auto& [leaf, key] : options.column_keys) column_keys_.emplace(leaf, encryption::Aes(key.bytes));
}

/// Numbers that follow one another do not repeat; random ones do not as far as kMaxModules allows.
bool FileCipher::draw(std::span<std::uint8_t> out) {
  if (!options_.seed) return encryption::random_bytes(out);
  encryption::Bytes bytes;
  append_le(bytes, modules_, 8);
  append_le(bytes, *options_.seed, 8);
  std::copy_n(bytes.begin(), out.size(), out.begin());
  return true;
}

WriteStatus FileCipher::begin() {
  identifier_.resize(kIdentifierBytes);
  if (options_.seed) {
    identifier_.clear();
    append_le(identifier_, *options_.seed, kIdentifierBytes);
  } else if (!draw(identifier_)) {
    return std::unexpected("encryption: the system has no random bytes");
  }
  common_.assign(options_.aad_prefix.begin(), options_.aad_prefix.end());
  common_.insert(common_.end(), identifier_.begin(), identifier_.end());
  return {};
}

encryption::Aes& FileCipher::key_of(const ModulePlace& place) {
  if (place.type == ModuleType::footer) return footer_key_;
  const auto own = column_keys_.find(static_cast<std::size_t>(place.column));
  return own == column_keys_.end() ? footer_key_ : own->second;
}

WriteStatus FileCipher::append(const ModulePlace& place, std::span<const std::uint8_t> plaintext,
                               encryption::Bytes& out) {
  if (std::max({place.row_group, place.column, place.page}) > encryption::kMaxOrdinal)
    return std::unexpected(
        "encryption: an encrypted file has at most 32768 row groups, columns and data pages "
        "of a column chunk");
  if (plaintext.size() > INT32_MAX)
    return std::unexpected("encryption: a module of more than 2147483647 bytes");
  encryption::Nonce nonce{};
  if (modules_ == kMaxModules) return std::unexpected("encryption: more than 4294967296 modules");
  if (!draw(nonce)) return std::unexpected("encryption: the system has no random bytes");
  ++modules_;
  encryption::make_aad(common_, place, aad_);
  const Mode mode = encryption::is_page_body(place.type) ? options_.page_mode : Mode::gcm;
  if (!encryption::append_module(key_of(place), mode, nonce, aad_, plaintext, out))
    return std::unexpected("encryption: " + encryption::describe(place) + " cannot be encrypted");
  return {};
}

WriteStatus FileCipher::protect(std::int32_t row_group, std::size_t leaf, const thrift::List& path,
                                encryption::Bytes& sealed, ColumnChunk& chunk) {
  set(chunk, ColumnChunk::id_crypto_metadata);
  ColumnCryptoMetaData& crypto = chunk.crypto_metadata;
  const auto own = options_.column_keys.find(leaf);
  if (own == options_.column_keys.end()) {
    set(crypto, ColumnCryptoMetaData::id_ENCRYPTION_WITH_FOOTER_KEY);
    if (options_.encrypted_footer) return {};
  } else {
    set(crypto, ColumnCryptoMetaData::id_ENCRYPTION_WITH_COLUMN_KEY);
    EncryptionWithColumnKey& with = crypto.ENCRYPTION_WITH_COLUMN_KEY;
    set(with, EncryptionWithColumnKey::id_path_in_schema);
    with.path_in_schema = path;
    if (!own->second.metadata.empty()) {
      set(with, EncryptionWithColumnKey::id_key_metadata);
      with.key_metadata = view_of(own->second.metadata);
    }
  }
  // Encryption.md#53-protection-of-sensitive-metadata
  encryption::Bytes plain;
  thrift::emit(chunk.meta_data, plain);
  const ModulePlace place{ModuleType::column_metadata, row_group, static_cast<std::int32_t>(leaf), 0};
  if (WriteStatus done = append(place, plain, sealed); !done) return done;
  set(chunk, ColumnChunk::id_encrypted_column_metadata);
  chunk.encrypted_column_metadata = {sealed, 0, Space::file};
  if (options_.encrypted_footer) {
    chunk.fields.present &= ~(std::uint32_t{1} << ColumnChunk::id_meta_data);
  } else {
    strip(chunk.meta_data);
  }
  return {};
}

EncryptionAlgorithm FileCipher::algorithm() const {
  EncryptionAlgorithm out;
  if (options_.page_mode == Mode::gcm) {
    set(out, EncryptionAlgorithm::id_AES_GCM_V1);
    fill(out.AES_GCM_V1, options_, identifier_);
  } else {
    set(out, EncryptionAlgorithm::id_AES_GCM_CTR_V1);
    fill(out.AES_GCM_CTR_V1, options_, identifier_);
  }
  return out;
}

WriteStatus FileCipher::put_footer(FileMetaData& meta, Sink& sink) {
  const std::string& key_metadata = options_.footer_key.metadata;
  encryption::Bytes plain;
  encryption::Bytes out;
  if (options_.encrypted_footer) {
    FileCryptoMetaData crypto;
    set(crypto, FileCryptoMetaData::id_encryption_algorithm);
    crypto.encryption_algorithm = algorithm();
    if (!key_metadata.empty()) {
      set(crypto, FileCryptoMetaData::id_key_metadata);
      crypto.key_metadata = view_of(key_metadata);
    }
    thrift::emit(crypto, out);
    thrift::emit(meta, plain);
    if (WriteStatus done = append({ModuleType::footer}, plain, out); !done) return done;
  } else {
    set(meta, FileMetaData::id_encryption_algorithm);
    meta.encryption_algorithm = algorithm();
    if (!key_metadata.empty()) {
      set(meta, FileMetaData::id_footer_signing_key_metadata);
      meta.footer_signing_key_metadata = view_of(key_metadata);
    }
    thrift::emit(meta, out);
    // The signature is nonce and tag of the footer's module.
    encryption::Bytes module;
    if (WriteStatus done = append({ModuleType::footer}, out, module); !done) return done;
    const auto nonce = module.begin() + encryption::kModuleLengthBytes;
    out.insert(out.end(), nonce, nonce + encryption::kNonceBytes);
    out.insert(out.end(), module.end() - encryption::kTagBytes, module.end());
  }
  append_le(out, out.size(), 4);
  append_le(out, options_.encrypted_footer ? kEncryptedMagic : kPlainMagic, 4);
  return sink.write(out);
}

}  // namespace parqproof
