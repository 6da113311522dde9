#include "codec/file/index_tree.hpp"

#include <algorithm>

#include "codec/compression/decompress.hpp"
#include "codec/encoding/values.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kLengthBytes = 4;
/// Max memory of open(): this fraction of Limits::memory_bytes.
constexpr std::uint64_t kMemoryDivisor = 16;

std::unexpected<Error> fail(Rule rule, View where, std::uint64_t found, std::uint64_t expected) {
  return std::unexpected(Error{where.base, static_cast<std::int64_t>(found),
                               static_cast<std::int64_t>(expected), static_cast<std::uint32_t>(where.size()),
                               rule, where.space});
}

/// For each position of a body, the number of byte arrays that fill the bytes from there to the end exactly:
/// one more than that of the position after its first byte array.
class ByteArrayCounts {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  [[nodiscard]] bool open(View body) {
    if (!memory_.resize((body.size() + 1) * sizeof(std::uint32_t))) return false;
    set(body.size(), 0);
    for (std::size_t at = body.size(); at-- > 0;) {
      const std::size_t left = body.size() - at;
      const std::uint64_t end =
          left < kLengthBytes ? UINT64_MAX
                              : at + kLengthBytes + std::uint64_t{load_le<std::uint32_t>(body.data() + at)};
      const std::uint32_t after = end <= body.size() ? (*this)[static_cast<std::size_t>(end)] : kNone;
      set(at, after == kNone ? kNone : after + 1);
    }
    return true;
  }
  [[nodiscard]] std::uint32_t operator[](std::size_t at) {
    return load_le<std::uint32_t>(memory_.data() + at * sizeof(std::uint32_t));
  }

 private:
  void set(std::size_t at, std::uint32_t count) {
    for (std::size_t i = 0; i < sizeof(count); ++i)
      memory_.data()[at * sizeof(count) + i] = static_cast<std::uint8_t>(count >> (8 * i));
  }
  Buffer memory_;
};

/// Returns the number of entries before BYTE_ARRAY keys.
Result<std::size_t> count_byte_array_entries(View body) {
  if (body.empty()) return std::size_t{0};
  ByteArrayCounts keys;
  if (!keys.open(body)) return fail(Rule::limit_memory, body, body.size() * sizeof(std::uint32_t), 0);
  std::size_t fits = 0;
  for (std::size_t n = 1; n <= body.size() / (kIndexTreeEntryBytes + kLengthBytes); ++n) {
    if (keys[n * kIndexTreeEntryBytes] != n) continue;
    if (load_le<std::uint32_t>(body.data()) == 0) return n;
    if (fits == 0) fits = n;
  }
  if (fits != 0) return fits;
  // index-page/entries
  return fail(Rule::index_page_entries, body, body.size(), kIndexTreeEntryBytes);
}

}  // namespace

Result<IndexTreeNode> IndexTreeNode::open(View body, IndexTreeForm form, Type type, std::uint32_t type_length,
                                          const Limits& limits) {
  IndexTreeNode node;
  node.body_ = body;
  node.form_ = form;
  if (body.size() > limits.memory_bytes / kMemoryDivisor)
    return fail(Rule::limit_memory, body, body.size(), limits.memory_bytes / kMemoryDivisor);
  if (form == IndexTreeForm::values && type == Type::BYTE_ARRAY) {
    node.byte_arrays_ = true;
    const Result<std::size_t> count = count_byte_array_entries(body);
    if (!count) return std::unexpected(count.error());
    node.count_ = *count;
    return node;
  }
  if (form == IndexTreeForm::values) node.width_ = type == Type::BOOLEAN ? 1 : fixed_width(type, type_length);
  const std::size_t each = kIndexTreeEntryBytes + node.width_;
  // index-page/entries
  if (body.size() % each != 0) return fail(Rule::index_page_entries, body, body.size(), each);
  node.count_ = body.size() / each;
  return node;
}

IndexTreeForm IndexTreeNode::likely_form(View body, Type type, std::uint32_t type_length,
                                         const Limits& limits) {
  const Result<IndexTreeNode> node = open(body, IndexTreeForm::values, type, type_length, limits);
  if (!node || node->size() == 0) return IndexTreeForm::ordinals;
  const std::size_t head = node->byte_arrays_ ? kLengthBytes : 0;
  std::uint64_t end = node->values_buffer().base;
  for (std::size_t i = 0; i < node->size(); ++i) {
    const Result<View> key = node->key(i);
    if (!key || key->base != end + head) return IndexTreeForm::ordinals;
    end = key->end();
  }
  return end == body.end() ? IndexTreeForm::values : IndexTreeForm::ordinals;
}

IndexTreeEntry IndexTreeNode::entry(std::size_t index) const noexcept {
  const std::uint8_t* at = body_.data() + index * kIndexTreeEntryBytes;
  return {load_le<std::int32_t>(at), load_le<std::int32_t>(at + 4), load_le<std::int32_t>(at + 8)};
}

Result<View> IndexTreeNode::key(std::size_t index) const noexcept {
  const View buffer = values_buffer();
  const std::int64_t offset = entry(index).key;
  const std::size_t head = byte_arrays_ ? kLengthBytes : width_;
  const auto size = static_cast<std::int64_t>(buffer.size());
  bool inside = offset >= 0 && offset <= size - static_cast<std::int64_t>(head);
  if (inside) {
    const View from = buffer.from(static_cast<std::size_t>(offset));
    if (!byte_arrays_) return from.part(0, width_);
    const std::size_t length = load_le<std::uint32_t>(from.data());
    inside = length <= from.size() - kLengthBytes;
    if (inside) return from.part(kLengthBytes, length);
  }
  // index-page/keys
  const View where = entry_bytes(index).part(0, 4);
  return std::unexpected(Error{where.base, offset, size, 4, Rule::index_page_keys, where.space});
}

bool IndexTreeNode::keys_are_affordable() const noexcept {
  constexpr std::uint64_t kKeyBytesPerBodyByte = 16;
  constexpr std::uint64_t kBase = std::uint64_t{1} << 20;
  const std::uint64_t most = kBase + kKeyBytesPerBodyByte * body_.size();
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < count_ && bytes <= most; ++i) {
    if (const Result<View> at = key(i)) bytes += at->size();
  }
  return bytes <= most;
}

Result<IndexTreeRange> entries_for_key(const IndexTreeNode& node, Order order,
                                       std::span<const std::uint8_t> key) noexcept {
  // Returns the first entry whose key is not below `key`, or, with `after`, is above it.
  const auto bound = [&](bool after) -> Result<std::size_t> {
    std::size_t first = 0;
    for (std::size_t last = node.size(); first < last;) {
      const std::size_t middle = first + (last - first) / 2;
      const Result<View> at = node.key(middle);
      if (!at) return std::unexpected(at.error());
      const Comparison how = compare(order, at->bytes, key);
      const bool before = how == Comparison::less || (after && how == Comparison::equal);
      (before ? first : last) = before ? middle + 1 : middle;
    }
    return first;
  };
  const Result<std::size_t> first = bound(false);
  if (!first) return std::unexpected(first.error());
  const Result<std::size_t> after = bound(true);
  if (!after) return std::unexpected(after.error());
  // If a key is the max of its page, that page may begin with the previous key; if it is the min, that page
  // may end with the next key.
  return IndexTreeRange{*first == 0 ? 0 : *first - 1, std::max(std::min(*after + 1, node.size()), *first)};
}

std::size_t entry_for_row(const IndexTreeNode& node, std::int64_t row) noexcept {
  std::size_t first = 0;
  for (std::size_t last = node.size(); first < last;) {
    const std::size_t middle = first + (last - first) / 2;
    const bool before = node.entry(middle).key <= row;
    (before ? first : last) = before ? middle + 1 : middle;
  }
  return first == 0 ? node.size() : first - 1;
}

}  // namespace parqproof
