#include "codec/format/empty_structs.hpp"

namespace parqproof {

constexpr thrift::StructType kStringType{"StringType", {}};
constexpr thrift::StructType kUUIDType{"UUIDType", {}};
constexpr thrift::StructType kMapType{"MapType", {}};
constexpr thrift::StructType kListType{"ListType", {}};
constexpr thrift::StructType kEnumType{"EnumType", {}};
constexpr thrift::StructType kDateType{"DateType", {}};
constexpr thrift::StructType kFloat16Type{"Float16Type", {}};
constexpr thrift::StructType kNullType{"NullType", {}};
constexpr thrift::StructType kMilliSeconds{"MilliSeconds", {}};
constexpr thrift::StructType kMicroSeconds{"MicroSeconds", {}};
constexpr thrift::StructType kNanoSeconds{"NanoSeconds", {}};
constexpr thrift::StructType kJsonType{"JsonType", {}};
constexpr thrift::StructType kBsonType{"BsonType", {}};
constexpr thrift::StructType kFileType{"FileType", {}};
constexpr thrift::StructType kIndexPageHeader{"IndexPageHeader", {}};
constexpr thrift::StructType kSplitBlockAlgorithm{"SplitBlockAlgorithm", {}};
constexpr thrift::StructType kXxHash{"XxHash", {}};
constexpr thrift::StructType kUncompressed{"Uncompressed", {}};
constexpr thrift::StructType kEncryptionWithFooterKey{"EncryptionWithFooterKey", {}};
constexpr thrift::StructType kTypeDefinedOrder{"TypeDefinedOrder", {}};
constexpr thrift::StructType kIEEE754TotalOrder{"IEEE754TotalOrder", {}};
constexpr thrift::StructType kInt96TimestampOrder{"Int96TimestampOrder", {}};

}  // namespace parqproof
