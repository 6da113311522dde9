#pragma once

#include <cstdint>

#include "codec/base/bytes.hpp"
#include "codec/format/empty_structs.hpp"
#include "codec/thrift/table.hpp"

/// The header before each Bloom filter: parquet.thrift#BloomFilterHeader.
namespace parqproof {

/// A union: exactly one member is set.
struct BloomFilterAlgorithm {
  enum Id : int {
    id_BLOCK = 1,
  };

  thrift::Presences fields;
  EmptyStruct BLOCK;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// A union: exactly one member is set.
struct BloomFilterHash {
  enum Id : int {
    id_XXHASH = 1,
  };

  thrift::Presences fields;
  EmptyStruct XXHASH;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// A union: exactly one member is set.
struct BloomFilterCompression {
  enum Id : int {
    id_UNCOMPRESSED = 1,
  };

  thrift::Presences fields;
  EmptyStruct UNCOMPRESSED;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Header of a Bloom filter (parquet.thrift#BloomFilterHeader).
struct BloomFilterHeader {
  enum Id : int {
    id_numBytes = 1,
    id_algorithm = 2,
    id_hash = 3,
    id_compression = 4,
  };

  thrift::Presences fields;
  std::int32_t numBytes = 0;
  BloomFilterAlgorithm algorithm;
  BloomFilterHash hash;
  BloomFilterCompression compression;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

}  // namespace parqproof
