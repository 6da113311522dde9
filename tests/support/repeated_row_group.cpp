#include "tests/support/repeated_row_group.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "codec/base/append.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/thrift/reader.hpp"

namespace support {

using namespace parqproof;

RepeatedRowGroup::RepeatedRowGroup(const Bytes& one, std::uint64_t times) : one_(one), times_(times) {
  std::uint32_t footer_length = 0;
  std::memcpy(&footer_length, one.data() + one.size() - 8, 4);
  const std::uint64_t footer_at = one.size() - 8 - footer_length;
  period_ = footer_at - kMagic;
  const View footer{std::span(one).subspan(footer_at, footer_length), footer_at};
  const Limits limits;
  FileMetaData meta;
  thrift::Reader reader(footer, {}, limits);
  REQUIRE(reader.read(meta));
  thrift::ListBuilder<RowGroup> groups;
  thrift::for_each<RowGroup>(meta.row_groups, limits, [&](const RowGroup& group, std::uint32_t) {
    for (std::uint64_t i = 0; i < times; ++i) {
      thrift::ListBuilder<ColumnChunk> chunks;
      thrift::for_each<ColumnChunk>(group.columns, limits, [&](ColumnChunk chunk, std::uint32_t) {
        const auto shift = static_cast<std::int64_t>(i * period_);
        chunk.meta_data.data_page_offset += shift;
        if (chunk.meta_data.has(ColumnMetaData::id_dictionary_page_offset))
          chunk.meta_data.dictionary_page_offset += shift;
        chunks.add(chunk);
      });
      RowGroup moved = group;
      moved.columns = chunks.list();
      groups.add(moved);
    }
  });
  meta.num_rows *= static_cast<std::int64_t>(times);
  meta.row_groups = groups.list();
  thrift::emit(meta, tail_);
  footer_bytes_ = tail_.size();
  append_le(tail_, footer_bytes_, 4);
  append(tail_, text("PAR1"));
}
bool RepeatedRowGroup::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  const std::uint64_t tail = kMagic + times_ * period_;
  while (!into.empty()) {
    std::span<const std::uint8_t> from;
    if (offset < kMagic) {
      from = std::span(one_).subspan(offset, kMagic - offset);
    } else if (offset < tail) {
      const std::uint64_t at = (offset - kMagic) % period_;
      from = std::span(one_).subspan(kMagic + at, period_ - at);
    } else {
      from = std::span(tail_).subspan(offset - tail);
    }
    const std::size_t count = std::min(from.size(), into.size());
    std::memcpy(into.data(), from.data(), count);
    into = into.subspan(count);
    offset += count;
  }
  return true;
}

}  // namespace support
