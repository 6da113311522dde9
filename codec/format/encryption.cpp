#include "codec/format/encryption.hpp"

#include <cstddef>

namespace parqproof {
namespace {

using thrift::Field;
using enum thrift::Kind;
using enum thrift::Presence;

constexpr Field kAesGcmV1Fields[] = {
    Field{1, "aad_prefix", binary, optional, offsetof(AesGcmV1, aad_prefix)},
    Field{2, "aad_file_unique", binary, optional, offsetof(AesGcmV1, aad_file_unique)},
    Field{3, "supply_aad_prefix", boolean, optional, offsetof(AesGcmV1, supply_aad_prefix)},
};

constexpr Field kAesGcmCtrV1Fields[] = {
    Field{1, "aad_prefix", binary, optional, offsetof(AesGcmCtrV1, aad_prefix)},
    Field{2, "aad_file_unique", binary, optional, offsetof(AesGcmCtrV1, aad_file_unique)},
    Field{3, "supply_aad_prefix", boolean, optional, offsetof(AesGcmCtrV1, supply_aad_prefix)},
};

constexpr Field kEncryptionAlgorithmFields[] = {
    Field{1, "AES_GCM_V1", structure, optional, offsetof(EncryptionAlgorithm, AES_GCM_V1)}.of(
        AesGcmV1::kType),
    Field{2, "AES_GCM_CTR_V1", structure, optional, offsetof(EncryptionAlgorithm, AES_GCM_CTR_V1)}.of(
        AesGcmCtrV1::kType),
};

constexpr Field kEncryptionWithColumnKeyFields[] = {
    Field{1, "path_in_schema", list, required, offsetof(EncryptionWithColumnKey, path_in_schema)}.of(string),
    Field{2, "key_metadata", binary, optional, offsetof(EncryptionWithColumnKey, key_metadata)},
};

constexpr Field kColumnCryptoMetaDataFields[] = {
    Field{1, "ENCRYPTION_WITH_FOOTER_KEY", structure, optional,
          offsetof(ColumnCryptoMetaData, ENCRYPTION_WITH_FOOTER_KEY)}
        .of(kEncryptionWithFooterKey),
    Field{2, "ENCRYPTION_WITH_COLUMN_KEY", structure, optional,
          offsetof(ColumnCryptoMetaData, ENCRYPTION_WITH_COLUMN_KEY)}
        .of(EncryptionWithColumnKey::kType),
};

constexpr Field kFileCryptoMetaDataFields[] = {
    Field{1, "encryption_algorithm", structure, required, offsetof(FileCryptoMetaData, encryption_algorithm)}
        .of(EncryptionAlgorithm::kType),
    Field{2, "key_metadata", binary, optional, offsetof(FileCryptoMetaData, key_metadata)},
};

}  // namespace

constexpr thrift::StructType AesGcmV1::kType{"AesGcmV1", kAesGcmV1Fields};
constexpr thrift::StructType AesGcmCtrV1::kType{"AesGcmCtrV1", kAesGcmCtrV1Fields};
constexpr thrift::StructType EncryptionAlgorithm::kType{"EncryptionAlgorithm", kEncryptionAlgorithmFields,
                                                        true};
constexpr thrift::StructType EncryptionWithColumnKey::kType{"EncryptionWithColumnKey",
                                                            kEncryptionWithColumnKeyFields};
constexpr thrift::StructType ColumnCryptoMetaData::kType{"ColumnCryptoMetaData", kColumnCryptoMetaDataFields,
                                                         true};
constexpr thrift::StructType FileCryptoMetaData::kType{"FileCryptoMetaData", kFileCryptoMetaDataFields};

}  // namespace parqproof
