#include "codec/write/index/index_tree_builder.hpp"

#include <cstddef>
#include <utility>

#include "codec/base/append.hpp"
#include "codec/file/index_tree.hpp"
#include "codec/thrift/emitter.hpp"

namespace parqproof {

void IndexTreeBuilder::add(std::uint64_t offset, std::uint64_t bytes, std::uint64_t first_row,
                           std::span<const std::uint8_t> key) {
  if (by_value_ && key.data() == nullptr) return;
  entries_.push_back({{key.begin(), key.end()}, first_row, offset, bytes});
}

/// Bytes of a key in the values buffer: PLAIN, a BYTE_ARRAY with its length prefix.
std::size_t IndexTreeBuilder::key_bytes(const Entry& entry) const noexcept {
  if (!by_value_) return 0;
  return entry.key.size() + (leaf_.type == Type::BYTE_ARRAY ? 4 : 0);
}

std::vector<std::uint8_t> IndexTreeBuilder::body_of(std::span<const Entry> entries) const {
  std::vector<std::uint8_t> body;
  std::vector<std::uint8_t> keys;
  for (const Entry& entry : entries) {
    append_le(body, by_value_ ? keys.size() : entry.row, 4);
    append_le(body, entry.offset, 4);
    append_le(body, entry.bytes, 4);
    if (!by_value_) continue;
    if (leaf_.type == Type::BYTE_ARRAY) append_le(keys, entry.key.size(), 4);
    keys.insert(keys.end(), entry.key.begin(), entry.key.end());
  }
  body.insert(body.end(), keys.begin(), keys.end());
  return body;
}

std::expected<std::uint64_t, std::string> IndexTreeBuilder::emit(const PageFormat& format,
                                                                 std::uint64_t offset,
                                                                 std::vector<std::uint8_t>& out,
                                                                 std::uint64_t& root) const {
  ColumnOptions uncompressed = format.column;  // no field of an index page says that it is compressed
  uncompressed.codec = CompressionCodec::UNCOMPRESSED;
  const PageFormat plain{format.options, uncompressed, format.compressor};
  PageHeader header;
  header.type = PageType::INDEX_PAGE;
  thrift::set(header, PageHeader::id_index_page_header);
  const std::size_t start = out.size();
  std::uint64_t total = 0;
  StoredPage page;
  std::vector<Entry> children = entries_;
  while (!children.empty()) {
    std::vector<Entry> parents;
    for (std::size_t first = 0; first < children.size();) {
      std::size_t last = first;
      for (std::size_t bytes = 0; last < children.size(); ++last) {
        bytes += kIndexTreeEntryBytes + key_bytes(children[last]);
        if (last != first && bytes > kIndexTreeRollOver) break;
      }
      const std::uint64_t at = offset + out.size() - start;
      if (at + kIndexTreeRollOver > INT32_MAX)
        return std::unexpected("index pages of a chunk with more than 2147483647 bytes");
      const std::vector<std::uint8_t> body = body_of(std::span(children).subspan(first, last - first));
      if (const WriteStatus made = page.make(plain, header, {}, body); !made)
        return std::unexpected(made.error());
      page.append_to(out);
      total += page.uncompressed_bytes();
      root = at;
      parents.push_back({children[first].key, children[first].row, at, offset + out.size() - start - at});
      first = last;
    }
    if (parents.size() == 1) break;
    children = std::move(parents);
  }
  return total;
}

}  // namespace parqproof
