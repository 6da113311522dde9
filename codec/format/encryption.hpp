#pragma once

#include <cstdint>

#include "codec/base/bytes.hpp"
#include "codec/format/empty_structs.hpp"
#include "codec/thrift/table.hpp"

/// Algorithms and keys of encrypted files and columns: parquet.thrift#EncryptionAlgorithm.
namespace parqproof {

/// Parameters of AES_GCM_V1, which encrypts all modules with AES GCM (parquet.thrift#AesGcmV1).
struct AesGcmV1 {
  enum Id : int {
    id_aad_prefix = 1,
    id_aad_file_unique = 2,
    id_supply_aad_prefix = 3,
  };

  thrift::Presences fields;
  View aad_prefix;
  View aad_file_unique;
  bool supply_aad_prefix = false;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Parameters of AES_GCM_CTR_V1, which encrypts page bodies with AES CTR, other modules with AES GCM
/// (parquet.thrift#AesGcmCtrV1).
struct AesGcmCtrV1 {
  enum Id : int {
    id_aad_prefix = 1,
    id_aad_file_unique = 2,
    id_supply_aad_prefix = 3,
  };

  thrift::Presences fields;
  View aad_prefix;
  View aad_file_unique;
  bool supply_aad_prefix = false;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// A union: exactly one member is set.
struct EncryptionAlgorithm {
  enum Id : int {
    id_AES_GCM_V1 = 1,
    id_AES_GCM_CTR_V1 = 2,
  };

  thrift::Presences fields;
  AesGcmV1 AES_GCM_V1;
  AesGcmCtrV1 AES_GCM_CTR_V1;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// A column that is encrypted with its own key (parquet.thrift#EncryptionWithColumnKey).
struct EncryptionWithColumnKey {
  enum Id : int {
    id_path_in_schema = 1,
    id_key_metadata = 2,
  };

  thrift::Presences fields;
  thrift::List path_in_schema;  ///< of string
  View key_metadata;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// A union: exactly one member is set.
struct ColumnCryptoMetaData {
  enum Id : int {
    id_ENCRYPTION_WITH_FOOTER_KEY = 1,
    id_ENCRYPTION_WITH_COLUMN_KEY = 2,
  };

  thrift::Presences fields;
  EmptyStruct ENCRYPTION_WITH_FOOTER_KEY;
  EncryptionWithColumnKey ENCRYPTION_WITH_COLUMN_KEY;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Crypto metadata before an encrypted footer (parquet.thrift#FileCryptoMetaData).
struct FileCryptoMetaData {
  enum Id : int {
    id_encryption_algorithm = 1,
    id_key_metadata = 2,
  };

  thrift::Presences fields;
  EncryptionAlgorithm encryption_algorithm;
  View key_metadata;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

}  // namespace parqproof
