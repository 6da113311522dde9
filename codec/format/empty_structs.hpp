#pragma once

#include "codec/thrift/table.hpp"

namespace parqproof {

/// A struct without fields; only its presence is information. The types below share this one C\+\+ struct.
struct EmptyStruct {
  thrift::Presences fields;
};

extern const thrift::StructType kStringType;
extern const thrift::StructType kUUIDType;
extern const thrift::StructType kMapType;
extern const thrift::StructType kListType;
extern const thrift::StructType kEnumType;
extern const thrift::StructType kDateType;
extern const thrift::StructType kFloat16Type;
extern const thrift::StructType kNullType;
extern const thrift::StructType kMilliSeconds;
extern const thrift::StructType kMicroSeconds;
extern const thrift::StructType kNanoSeconds;
extern const thrift::StructType kJsonType;
extern const thrift::StructType kBsonType;
extern const thrift::StructType kFileType;
extern const thrift::StructType kIndexPageHeader;
extern const thrift::StructType kSplitBlockAlgorithm;
extern const thrift::StructType kXxHash;
extern const thrift::StructType kUncompressed;
extern const thrift::StructType kEncryptionWithFooterKey;
extern const thrift::StructType kTypeDefinedOrder;
extern const thrift::StructType kIEEE754TotalOrder;
extern const thrift::StructType kInt96TimestampOrder;

}  // namespace parqproof
