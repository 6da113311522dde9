#include <string>

#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "codec/kernel/kernels.hpp"
#include "conformance/values/embedded_documents.hpp"
#include "conformance/values/value_judges.hpp"

namespace parqproof {
namespace {

bool is_continuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

bool is_utf8(const std::uint8_t* begin, const std::uint8_t* end) {
  return kernels().text.charset(begin, static_cast<std::size_t>(end - begin)) != Charset::none;
}

/// Returns true if all bytes from the first to the last value are UTF-8. Then each value is UTF-8, because
/// the length prefixes between them are ASCII and no character spans them. False proves nothing.
bool are_utf8_with_prefixes(const ValueBatch& batch) {
  constexpr std::uint32_t kAscii = 0x80;
  if (batch.size_bits >= kAscii) return false;
  const ByteArray& last = batch.byte_arrays[batch.count - 1];
  const std::uint8_t* const begin = batch.byte_arrays[0].data;
  return is_utf8(begin, last.data + last.size);
}

/// The same for values without gaps, none of which may begin with a continuation byte.
bool are_utf8_back_to_back(const ValueBatch& batch) {
  if (!batch.back_to_back) return false;
  const ByteArray* const values = batch.byte_arrays;
  std::size_t count = batch.count;
  const std::uint8_t* const begin = values[0].data;
  const std::uint8_t* const end = values[count - 1].data + values[count - 1].size;
  const Charset charset = kernels().text.charset(begin, static_cast<std::size_t>(end - begin));
  if (charset != Charset::utf8) return charset == Charset::ascii;
  while (count != 0 && values[count - 1].data == end) --count;  // trailing empty values have no first byte
  unsigned high = 0;  // bit 7 of a byte stays set if its bit 6 is 0, as in a continuation byte
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) high |= *values[i].data & ~(unsigned{*values[i].data} << 1);
  return (high & 0x80) == 0;
}

/// The same for values in several contiguous pieces.
bool are_utf8_in_pieces(const ValueBatch& batch) {
  const std::uint8_t* begin = batch.byte_arrays[0].data;
  const std::uint8_t* piece_end = begin;
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    const ByteArray& value = batch.byte_arrays[i];
    if (value.size == 0) continue;
    if (is_continuation(*value.data)) return false;
    if (value.data != piece_end) {
      if (!is_utf8(begin, piece_end)) return false;
      begin = value.data;
    }
    piece_end = value.data + value.size;
  }
  return is_utf8(begin, piece_end);
}

bool are_utf8(const ValueBatch& batch) {
  return are_utf8_with_prefixes(batch) || are_utf8_back_to_back(batch) || are_utf8_in_pieces(batch);
}

std::span<const std::uint8_t> bytes_of(const ByteArray& value) { return {value.data, value.size}; }

/// Describes a syntax error of a value.
Contrast contrast_of(std::span<const std::uint8_t> value, const std::optional<DocumentFault>& fault) {
  const auto [at, expected] = fault.value_or(DocumentFault{});
  const std::string place = " at byte " + std::to_string(at) + " of the value";
  return contrast((at < value.size() ? "0x" + hex(value.subspan(at, 1)) : "the end") + place, expected);
}

/// logical-type/utf8, and for JSON logical-type/json: the values of a BYTE_ARRAY column are valid UTF-8.
/// Values of JSON that are valid UTF-8 are one JSON document each.
class TextJudge final : public ValueJudge {
 public:
  explicit TextJudge(bool json) noexcept : json_(json) {}

  void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) override {
    if (batch.form != ValueBatch::Form::byte_arrays) return;
    const bool all_utf8 = are_utf8(batch);
    if (all_utf8 && !json_) return;
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      const std::span<const std::uint8_t> value = bytes_of(batch.byte_arrays[i]);
      if (!all_utf8 && utf8_error(value) != value.size()) {
        faulty.push_back({i, Rule::logical_type_utf8});
      } else if (json_ && grammar_.fault(value)) {
        faulty.push_back({i, Rule::logical_type_json});
      }
    }
  }

  [[nodiscard]] Contrast describe(Rule rule, std::span<const std::uint8_t> value) override {
    if (rule == Rule::logical_type_json) return contrast_of(value, grammar_.fault(value));
    return contrast_of(value, DocumentFault{utf8_error(value), "UTF-8"});
  }

 private:
  bool json_;
  JsonGrammar grammar_;
};

/// logical-type/bson: each value of a BYTE_ARRAY column is one BSON document.
class BsonJudge final : public ValueJudge {
 public:
  void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) override {
    if (batch.form != ValueBatch::Form::byte_arrays) return;
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      if (grammar_.fault(bytes_of(batch.byte_arrays[i]))) faulty.push_back({i, Rule::logical_type_bson});
    }
  }

  [[nodiscard]] Contrast describe(Rule, std::span<const std::uint8_t> value) override {
    return contrast_of(value, grammar_.fault(value));
  }

 private:
  BsonGrammar grammar_;
};

}  // namespace

std::unique_ptr<ValueJudge> text_judge(const Node& leaf, const Findings& findings) {
  if (leaf.type != Type::BYTE_ARRAY) return nullptr;
  const LogicalKind kind = leaf.logical.kind;
  const bool sound = !leaf.logical.is_conflict;
  if (kind == LogicalKind::BSON)
    return sound && findings.wants(Rule::logical_type_bson) ? std::make_unique<BsonJudge>() : nullptr;
  const bool json = kind == LogicalKind::JSON && sound && findings.wants(Rule::logical_type_json);
  if (!json && !findings.wants(Rule::logical_type_utf8)) return nullptr;
  return std::make_unique<TextJudge>(json);
}

}  // namespace parqproof
