#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/format/page_header.hpp"
#include "codec/page/page_reader.hpp"
#include "tests/hostile/hostile_file.hpp"

namespace support {

/// A page to be written, and the fields of its header; fields are left out by their ids.
struct PageShape {
  parqproof::PageType type = parqproof::PageType::DATA_PAGE;
  Bytes body = Bytes(4);
  std::int64_t uncompressed = -1;  ///< -1: the size of the body
  std::int64_t compressed = -1;    ///< likewise
  std::optional<std::uint32_t> crc = {};
  std::int64_t num_values = 1;
  parqproof::Encoding encoding = parqproof::Encoding::PLAIN;
  parqproof::Encoding definition_encoding = parqproof::Encoding::RLE;
  parqproof::Encoding repetition_encoding = parqproof::Encoding::RLE;
  std::int64_t definition_bytes = 0;     ///< of v2
  std::int64_t repetition_bytes = 0;     ///< of v2
  bool is_compressed = true;             ///< of v2
  std::vector<int> without = {};         ///< fields of the PageHeader
  std::vector<int> member_without = {};  ///< fields of the member for the type
  std::size_t maximum = 0;               ///< bytes of the maximum in the statistics of a v1 page; 0: none
};

/// Header and body.
inline Bytes page_of(const PageShape& shape) {
  using parqproof::PageType;
  const auto has = [](const std::vector<int>& without, int id) {
    return std::ranges::find(without, id) == without.end();
  };
  const auto size = [&](std::int64_t stated) {
    return stated == -1 ? static_cast<std::int64_t>(shape.body.size()) : stated;
  };
  Struct header;
  const auto i32 = [&](const std::vector<int>& without, int id, std::int64_t value) {
    if (has(without, id)) header.i32(id, value);
  };
  i32(shape.without, 1, static_cast<std::int64_t>(shape.type));
  i32(shape.without, 2, size(shape.uncompressed));
  i32(shape.without, 3, size(shape.compressed));
  if (shape.crc) header.i32(4, static_cast<std::int32_t>(*shape.crc));
  const std::vector<int>& without = shape.member_without;
  const auto encoding = static_cast<std::int64_t>(shape.encoding);
  if (shape.type == PageType::DATA_PAGE && has(shape.without, 5)) {
    header.begin(5);
    i32(without, 1, shape.num_values);
    i32(without, 2, encoding);
    i32(without, 3, static_cast<std::int64_t>(shape.definition_encoding));
    i32(without, 4, static_cast<std::int64_t>(shape.repetition_encoding));
    if (shape.maximum != 0) header.begin(5).text(5, std::string(shape.maximum, 'x')).end();
    header.end();
  } else if (shape.type == PageType::INDEX_PAGE && has(shape.without, 6)) {
    header.begin(6).end();
  } else if (shape.type == PageType::DICTIONARY_PAGE && has(shape.without, 7)) {
    header.begin(7);
    i32(without, 1, shape.num_values);
    i32(without, 2, encoding);
    header.end();
  } else if (shape.type == PageType::DATA_PAGE_V2 && has(shape.without, 8)) {
    header.begin(8);
    i32(without, 1, shape.num_values);
    i32(without, 2, 0);
    i32(without, 3, shape.num_values);
    i32(without, 4, encoding);
    i32(without, 5, shape.definition_bytes);
    i32(without, 6, shape.repetition_bytes);
    header.flag(7, shape.is_compressed).end();
  }
  return header.bytes() + shape.body;
}

/// A page that is read from its own bytes.
struct PageInBytes {
  explicit PageInBytes(const PageShape& shape) : bytes(page_of(shape)) {
    state = reader.read_header(0, bytes.size(), {}, page);
  }
  PageInBytes(const PageInBytes&) = delete;

  Bytes bytes;
  parqproof::Limits limits;
  parqproof::MemorySource source{bytes};
  parqproof::PageReader reader{source, limits, 0};
  parqproof::Page page;
  parqproof::PageReader::State state{};
};

}  // namespace support
