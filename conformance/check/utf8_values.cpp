#include "conformance/check/utf8_values.hpp"

#include <string>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

/// What the annotation is called, if it stands for text.
std::string_view text_annotation(const Node& leaf) {
  switch (leaf.logical.kind) {
    case LogicalKind::STRING:
      return "STRING";
    case LogicalKind::ENUM:
      return "ENUM";
    case LogicalKind::JSON:
      return "JSON";
    default:
      return {};
  }
}

bool is_continuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

/// Whether the bytes from the first value to the last are UTF-8, and with them each value: the length words
/// between them are ASCII, so no character reaches over one of them. False says nothing.
bool are_utf8_with_words(const ValueBatch& batch) {
  constexpr std::uint32_t kAscii = 0x80;
  if (batch.size_bits >= kAscii) return false;
  const ByteArray& last = batch.byte_arrays[batch.count - 1];
  const std::uint8_t* const begin = batch.byte_arrays[0].data;
  return kernels().is_utf8(begin, static_cast<std::size_t>(last.data + last.size - begin));
}

/// The same of values that lie back to back: none begins with a continuation.
bool are_utf8_back_to_back(const ValueBatch& batch) {
  if (!batch.back_to_back) return false;
  const ByteArray* value = batch.byte_arrays;
  const ByteArray& last = value[batch.count - 1];
  const std::uint8_t* const begin = value->data;
  const std::uint8_t* const end = last.data + last.size;
  if (!kernels().is_utf8(begin, static_cast<std::size_t>(end - begin))) return false;
  bool inside = false;  // of a character
  for (; value->data != end; ++value) {
    inside |= is_continuation(*value->data);
    if (value == &last) break;
  }
  return !inside;
}

/// The same, piece by piece where some values lie elsewhere.
bool are_utf8_in_pieces(const ValueBatch& batch) {
  const std::uint8_t* begin = batch.byte_arrays[0].data;
  const std::uint8_t* behind = begin;
  const auto piece = [&] { return kernels().is_utf8(begin, static_cast<std::size_t>(behind - begin)); };
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    const ByteArray& value = batch.byte_arrays[i];
    if (value.size == 0) continue;
    if (is_continuation(*value.data)) return false;
    if (value.data != behind) {
      if (!piece()) return false;
      begin = value.data;
    }
    behind = value.data + value.size;
  }
  return piece();
}

}  // namespace

ChunkObserver::Wants Utf8Values::open(ChunkScope& scope, DictionaryUse& use) {
  scope_ = &scope;
  use_ = &use;
  entries_.clear();
  dictionary_page_ = {};
  values_ = times_ = 0;
  const bool asked = scope.leaf.type == Type::BYTE_ARRAY && !text_annotation(scope.leaf).empty() &&
                     scope.judge.wants(Rule::logical_type_utf8);
  return {.dictionary = asked, .levels = false, .values = asked, .pages = asked, .end = asked};
}

template <typename Take>
void Utf8Values::for_each_broken(const ValueBatch& batch, Take&& take) const {
  if (batch.form != ValueBatch::Form::byte_arrays || are_utf8_with_words(batch) ||
      are_utf8_back_to_back(batch) || are_utf8_in_pieces(batch))
    return;
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    const ByteArray& value = batch.byte_arrays[i];
    if (utf8_error({value.data, value.size}) != value.size) take(i);
  }
}

Utf8Values::Broken Utf8Values::broken(const ValueSection& section, const ValueBatch& batch,
                                      std::uint64_t i) const {
  const std::span<const std::uint8_t> value(batch.byte_arrays[i].data, batch.byte_arrays[i].size);
  const std::size_t at = utf8_error(value);
  return {values_ + i, section.place_of(batch, i),
          "0x" + hex(value.subspan(at, 1)) + " at byte " + std::to_string(at) + " of the value"};
}

void Utf8Values::report(const Broken& value, const Place& page, std::uint64_t page_offset,
                        std::uint64_t times) const {
  scope_->judge.in_page(Rule::logical_type_utf8, page, value.at, page_offset,
                        contrast(value.found, "UTF-8", std::to_string(value.ordinal)), times);
}

void Utf8Values::dictionary(const ValueSection& section, const ValueBatch& batch) {
  for_each_broken(batch, [&](std::uint64_t i) { entries_.push_back(broken(section, batch, i)); });
  values_ += batch.count;
}

void Utf8Values::end_dictionary(const ValueSection& section) {
  if (entries_.empty()) return;
  dictionary_page_ = section.page.place;
  dictionary_offset_ = section.page.offset;
  use_->ask();
}

void Utf8Values::begin_page(const Page&) { values_ = times_ = 0; }

void Utf8Values::values(const ValueSection& section, const ValueBatch& batch) {
  for_each_broken(batch, [&](std::uint64_t i) {
    if (times_++ == 0) first_ = broken(section, batch, i);
  });
  values_ += batch.count;
}

void Utf8Values::end_page(const PageEnd& end) {
  if (times_ != 0) report(first_, end.page.place, end.page.offset, times_);
}

void Utf8Values::end_chunk(const ChunkEnd&) {
  if (dictionary_page_.page < 0) return;  // the dictionary has no such entry, or could not be read to its end
  std::uint64_t used = 0;
  const Broken* first = nullptr;
  for (const Broken& entry : entries_) {
    if (!use_->is_used(static_cast<std::size_t>(entry.ordinal))) continue;
    if (used++ == 0) first = &entry;
  }
  if (first != nullptr) report(*first, dictionary_page_, dictionary_offset_, used);
}

}  // namespace parqproof
