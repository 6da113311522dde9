#pragma once

#include <parquet_types.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codec/thrift/walk.hpp"

/// Apache Thrift as an independent reader and writer.
namespace parqproof::test {

using Protocol = apache::thrift::protocol::TCompactProtocolT<apache::thrift::transport::TMemoryBuffer>;

/// Reads a struct at the first byte with the generated reader. Throws the exceptions of Apache Thrift; `rest`
/// are the unread bytes.
template <typename Generated>
Generated read_by_apache(std::span<const std::uint8_t> bytes, std::size_t& rest) {
  using apache::thrift::transport::TMemoryBuffer;
  auto in = std::make_shared<TMemoryBuffer>(const_cast<std::uint8_t*>(bytes.data()),
                                            static_cast<std::uint32_t>(bytes.size()));
  Protocol reader(in);
  Generated value;
  value.read(&reader);
  rest = in->available_read();
  return value;
}

/// Reads a struct with the generated reader and writes it with the generated writer. Throws the exceptions of
/// Apache Thrift; `rest` are the unread bytes.
template <typename Generated>
std::vector<std::uint8_t> rewritten_by_apache(std::span<const std::uint8_t> bytes, std::size_t& rest) {
  using apache::thrift::transport::TMemoryBuffer;
  Generated value = read_by_apache<Generated>(bytes, rest);
  auto out = std::make_shared<TMemoryBuffer>();
  Protocol writer(out);
  value.write(&writer);
  std::uint8_t* data = nullptr;
  std::uint32_t size = 0;
  out->getBuffer(&data, &size);
  return {data, data + size};
}

/// An event of a walk without names, which both Apache Thrift and thrift::walk() can report.
struct NamelessEvent {
  thrift::Event::What what = thrift::Event::What::field;
  thrift::Wire wire = thrift::Wire::stop;  ///< bool_true for any boolean
  std::int32_t id = 0;
  std::uint64_t index = 0;
  std::uint64_t header = 0;
  std::uint64_t at = 0;
  std::uint64_t end = 0;
  std::int64_t integer = 0;
  std::uint64_t real = 0;  ///< the bits of a double
  std::string bytes;

  friend bool operator==(const NamelessEvent&, const NamelessEvent&) = default;
};

struct NamelessWalk {
  std::vector<NamelessEvent> events;
  bool intact = false;
  std::uint64_t end = 0;
};

/// Walks over the struct at the first byte with TCompactProtocol, `max_depth` structs and containers deep.
[[nodiscard]] NamelessWalk walk_with_apache(std::span<const std::uint8_t> bytes, unsigned max_depth = 64);

/// The same with thrift::walk(), with or without a field table.
[[nodiscard]] NamelessWalk walk_with_ours(std::span<const std::uint8_t> bytes,
                                          const thrift::StructType* type);

}  // namespace parqproof::test
