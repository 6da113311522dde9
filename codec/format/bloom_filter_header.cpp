#include "codec/format/bloom_filter_header.hpp"

#include <cstddef>

namespace parqproof {
namespace {

using thrift::Field;
using enum thrift::Kind;
using enum thrift::Presence;

constexpr Field kBloomFilterAlgorithmFields[] = {
    Field{1, "BLOCK", structure, optional, offsetof(BloomFilterAlgorithm, BLOCK)}.of(kSplitBlockAlgorithm),
};

constexpr Field kBloomFilterHashFields[] = {
    Field{1, "XXHASH", structure, optional, offsetof(BloomFilterHash, XXHASH)}.of(kXxHash),
};

constexpr Field kBloomFilterCompressionFields[] = {
    Field{1, "UNCOMPRESSED", structure, optional, offsetof(BloomFilterCompression, UNCOMPRESSED)}.of(
        kUncompressed),
};

constexpr Field kBloomFilterHeaderFields[] = {
    Field{1, "numBytes", i32, required, offsetof(BloomFilterHeader, numBytes)},
    Field{2, "algorithm", structure, required, offsetof(BloomFilterHeader, algorithm)}.of(
        BloomFilterAlgorithm::kType),
    Field{3, "hash", structure, required, offsetof(BloomFilterHeader, hash)}.of(BloomFilterHash::kType),
    Field{4, "compression", structure, required, offsetof(BloomFilterHeader, compression)}.of(
        BloomFilterCompression::kType),
};

}  // namespace

constexpr thrift::StructType BloomFilterAlgorithm::kType{"BloomFilterAlgorithm", kBloomFilterAlgorithmFields,
                                                         true};
constexpr thrift::StructType BloomFilterHash::kType{"BloomFilterHash", kBloomFilterHashFields, true};
constexpr thrift::StructType BloomFilterCompression::kType{"BloomFilterCompression",
                                                           kBloomFilterCompressionFields, true};
constexpr thrift::StructType BloomFilterHeader::kType{"BloomFilterHeader", kBloomFilterHeaderFields};

}  // namespace parqproof
