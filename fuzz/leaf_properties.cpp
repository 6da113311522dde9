// Properties of one leaf of a schema: the order of its values, their min and max, and their text.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "codec/base/utf8.hpp"
#include "codec/encoding/min_max.hpp"
#include "codec/format/schema_element.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/value_text.hpp"
#include "codec/thrift/reader.hpp"
#include "fuzz/collected.hpp"
#include "fuzz/kernels_in_use.hpp"
#include "fuzz/property.hpp"

namespace parqproof::fuzz {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// Input: a SchemaElement, a byte of options, and the values back to back. A BYTE_ARRAY follows a byte with
/// its length.
///
///   bits 0-1  column order: the type-defined one, IEEE 754 total order, that of INT96 timestamps, unknown
///   bits 2-4  kernel set
///   bits 5-7  sizes of the batches
class LeafInput {
 public:
  explicit LeafInput(Bytes input) {
    const Limits limits;
    SchemaElement element;
    thrift::Reader reader({input}, {}, limits);
    if (!reader.read(element)) return;
    SchemaElement root;
    root.fields.present = 1U << SchemaElement::id_num_children;
    root.num_children = 1;
    schema_.add(root);
    schema_.add(element);
    schema_.finish();
    if (schema_.fault() != Schema::Fault::none || schema_.leaf_count() != 1) return;
    const Node& node = schema_.leaf(0);
    if (node.damaged || node.type_length > kMaxTypeLength) return;
    leaf_ = &node;
    Bytes rest = input.subspan(static_cast<std::size_t>(element.fields.end));
    if (rest.empty()) return;
    choice_ = rest[0];
    take_values(rest.subspan(1));
  }

  /// Null if the input is not a leaf whose values can be decoded.
  [[nodiscard]] const Node* leaf() const noexcept { return leaf_; }
  [[nodiscard]] const std::vector<Bytes>& values() const noexcept { return values_; }
  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] Order order() const noexcept {
    ColumnOrder order;
    const int members[] = {ColumnOrder::id_TYPE_ORDER, ColumnOrder::id_IEEE_754_TOTAL_ORDER,
                           ColumnOrder::id_INT96_TIMESTAMP_ORDER};
    if ((choice_ & 3U) < 3) order.fields.present = 1U << members[choice_ & 3U];
    return order_of(*leaf_, order);
  }
  [[nodiscard]] const Kernels& kernels() const noexcept {
    return *all_kernels()[(choice_ >> 2 & 7U) % all_kernels().size()];
  }
  [[nodiscard]] std::uint8_t cuts() const noexcept { return static_cast<std::uint8_t>(choice_ >> 5); }

 private:
  static constexpr std::int32_t kMaxTypeLength = 40;
  static constexpr std::size_t kMaxValues = 320;

  void take_values(Bytes rest) {
    width_ = leaf_->type == Type::BOOLEAN
                 ? 1
                 : fixed_width(leaf_->type, static_cast<std::uint32_t>(std::max(leaf_->type_length, 0)));
    while (values_.size() < kMaxValues && !rest.empty()) {
      std::size_t size = width_;
      if (leaf_->type == Type::BYTE_ARRAY) {
        size = std::min<std::size_t>(rest[0], rest.size() - 1);
        rest = rest.subspan(1);
      } else if (size == 0 || size > rest.size()) {
        return;
      }
      values_.push_back(rest.first(size));
      rest = rest.subspan(size);
    }
  }

  Schema schema_;
  const Node* leaf_ = nullptr;
  std::uint8_t choice_ = 0;
  std::uint32_t width_ = 0;
  std::vector<Bytes> values_;
};

/// An empty DECIMAL is not a number, and has no place in the order.
bool has_place(Order order, Bytes value) {
  return order != Order::none && !is_nan(order, value) && !(order == Order::decimal_bytes && value.empty());
}

Comparison turned(Comparison how) {
  if (how == Comparison::less) return Comparison::greater;
  return how == Comparison::greater ? Comparison::less : how;
}

std::string order_fault(Order order, std::span<const Bytes> values) {
  constexpr std::size_t kMax = 8;  // all triples are compared
  values = values.first(std::min(values.size(), kMax));
  const bool partial = order == Order::floating || order == Order::float16;
  for (const Bytes& a : values) {
    const bool placed = order == Order::total || order == Order::total16 || has_place(order, a);
    if ((compare(order, a, a) == Comparison::equal) != placed)
      return placed ? "a value is not equal to itself" : "a value outside the order is comparable";
    if (partial && is_nan(order, a) && compare(order, a, values[0]) != Comparison::unordered)
      return "NaN compares with another value";
    for (const Bytes& b : values) {
      const Comparison how = compare(order, a, b);
      if (compare(order, b, a) != turned(how)) return "a comparison is not antisymmetric";
      if (how != Comparison::less) continue;
      for (const Bytes& c : values) {
        if (compare(order, b, c) == Comparison::less && compare(order, a, c) != Comparison::less)
          return "a comparison is not transitive";
      }
    }
  }
  return {};
}

MinMax ends_of(Order order, const LeafInput& input, std::span<const Bytes> values, std::uint8_t cuts) {
  Collected all;
  all.count = values.size();
  for (const Bytes& value : values) {
    all.bytes.insert(all.bytes.end(), value.begin(), value.end());
    all.numbers.push_back(static_cast<std::uint32_t>(value.size()));
  }
  auto form = ValueBatch::Form::fixed;
  if (input.leaf()->type == Type::BOOLEAN) form = ValueBatch::Form::booleans;
  if (input.leaf()->type == Type::BYTE_ARRAY) form = ValueBatch::Form::byte_arrays;
  if (form == ValueBatch::Form::booleans) {
    for (std::uint8_t& byte : all.bytes) byte &= 1;
  }
  MinMax ends(order, input.leaf()->type, input.width());
  all.batches(form, input.width(), cuts, [&](ValueBatch batch) {
    if (form == ValueBatch::Form::byte_arrays && cuts % 2 == 0)
      batch.readable = all.bytes.data() + all.bytes.size();
    if (form == ValueBatch::Form::booleans && cuts % 2 == 0 &&
        std::ranges::count(batch.booleans, batch.booleans + batch.count, batch.booleans[0]) ==
            static_cast<std::ptrdiff_t>(batch.count)) {
      batch.form = ValueBatch::Form::boolean_run;
      batch.run = batch.booleans[0];
    }
    ends.add(batch);
  });
  return ends;
}

bool same(const MinMax& a, const MinMax& b) {
  return a.empty() == b.empty() && a.only_nans() == b.only_nans() && a.nan_count() == b.nan_count() &&
         a.min() == b.min() && a.max() == b.max();
}

std::string ends_fault(Order order, const LeafInput& input) {
  const std::vector<Bytes>& values = input.values();
  const bool numbers = std::ranges::all_of(
      values, [&](Bytes value) { return has_place(order, value) || is_nan(order, value); });
  if (!numbers && order != Order::none) return {};
  const auto ends = [&](const Kernels& set, std::span<const Bytes> part, std::uint8_t cuts) {
    const KernelsInUse in_use(set);
    return ends_of(order, input, part, cuts);
  };
  const std::span<const Bytes> all(values);
  const MinMax at_once = ends(reference_kernels(), all, 0);
  const MinMax batched = ends(input.kernels(), all, input.cuts());
  MinMax joined = ends(input.kernels(), all.first(all.size() / 2), input.cuts());
  const MinMax second = ends(input.kernels(), all.subspan(all.size() / 2), 0);
  {
    const KernelsInUse in_use(input.kernels());
    joined.add(second);
  }
  if (!same(at_once, batched)) return "min and max depend on batches or kernels";
  if (!same(at_once, joined)) return "min and max of two halves are not those of all values";
  const auto nans = std::ranges::count_if(values, [&](Bytes value) { return is_nan(order, value); });
  if (at_once.nan_count() != static_cast<std::uint64_t>(nans)) return "NaNs are miscounted";
  const bool none = values.empty() || order == Order::none;
  if (at_once.empty() != none) return "min and max are present without values, or absent with values";
  if (none || at_once.only_nans()) return {};
  const PlainBytes min = at_once.min();
  const PlainBytes max = at_once.max();
  for (const Bytes& value : values) {
    if (is_nan(order, value)) continue;
    const Comparison low = compare(order, value, min);
    const Comparison high = compare(order, value, max);
    if (low == Comparison::less || high == Comparison::greater || low == Comparison::unordered ||
        high == Comparison::unordered)
      return "a value is not between min and max";
  }
  const auto met = [&](Bytes end) {
    return std::ranges::any_of(values,
                               [&](Bytes value) { return compare(order, value, end) == Comparison::equal; });
  };
  return met(min) && met(max) ? "" : "min or max is not one of the values";
}

/// Checks the text of a value.
std::string text_fault(const ValueText& text, Bytes value) {
  using Text = ValueText::Kind;
  const auto plain = [](char letter) {
    return letter >= 0x20 && letter < 0x7F && letter != '"' && letter != '\\';
  };
  switch (text.kind) {
    case Text::literal:
      return nlohmann::json::accept(text.text) ? "" : "a literal is not JSON: " + std::string(text.text);
    case Text::words:
      return std::ranges::all_of(text.text, plain) && !text.text.empty()
                 ? ""
                 : "words need quotes: " + std::string(text.text);
    case Text::text:
      return std::ranges::equal(text.text, value,
                                [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; }) &&
                     utf8_error(value) == value.size()
                 ? ""
                 : "a text is not its bytes, or not UTF-8";
    case Text::bytes:
    case Text::no_text:
      return text.text.empty() ? "" : "a value shown as hex has a text";
  }
  return "a text has no valid kind";
}

std::string short_text_fault(const std::string& text) {
  constexpr std::size_t kMax = 300;  // a hundred characters, each of up to three bytes
  const Bytes bytes = bytes_of(text);
  if (text.empty() || text.size() > kMax || utf8_error(bytes) != bytes.size())
    return "a short text is empty, long, or not UTF-8";
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    if (!c.valid || is_control(c.code)) return "a short text has a control character";
    at += c.length;
  }
  return {};
}

bool is_time(const ValueStyle& style) {
  return style.form == ValueForm::date || style.form == ValueForm::time || style.form == ValueForm::timestamp;
}

/// Checks that the text of a time is a date, a time of day, or both, with the right number of digits.
std::string time_fault(const ValueStyle& style, const ValueText& text) {
  if (!is_time(style) || text.kind != ValueText::Kind::words) return {};
  const std::string_view day = "0000-00-00";
  const std::string_view hour = "00:00:00.000000000";
  std::string form;
  if (style.form != ValueForm::time) form += day;
  if (style.form == ValueForm::timestamp) form += 'T';
  if (style.form != ValueForm::date) form += hour.substr(0, 9 + style.digits);
  if (style.form == ValueForm::timestamp && style.utc) form += 'Z';
  std::string shape(text.text);
  for (char& letter : shape) letter = letter >= '0' && letter <= '9' ? '0' : letter;
  return shape == form ? "" : "a time has the wrong form: " + std::string(text.text);
}

std::string texts_fault(const LeafInput& input) {
  const Node& leaf = *input.leaf();
  const Order order = leaf.type == Type::INT96 ? Order::none : order_of(leaf);
  std::string before;
  std::optional<ValueText::Kind> kind_before;
  constexpr std::size_t kMax = 24;
  for (std::size_t i = 0; i < std::min(input.values().size(), kMax); ++i) {
    const Bytes value = input.values()[i];
    if (std::string fault = short_text_fault(short_text(value, leaf)); !fault.empty()) return fault;
    std::string buffer;
    const ValueText stored = value_text(value, physical_style(leaf.type), buffer);
    if (std::string fault = text_fault(stored, value); !fault.empty()) return fault;
    const ValueText text = value_text(value, logical_style(leaf), buffer);
    if (std::string fault = text_fault(text, value); !fault.empty()) return fault;
    std::string words(text.text);
    if (std::string fault = time_fault(logical_style(leaf), text); !fault.empty()) return fault;
    const bool comparable = i != 0 && !words.empty() && text.kind == *kind_before;
    const Comparison how = i == 0 ? Comparison::equal : compare(order, input.values()[i - 1], value);
    const bool differ = how == Comparison::less || how == Comparison::greater;
    if (comparable && differ && words == before) return "two distinct values have the same text: " + words;
    if (comparable && text.kind == ValueText::Kind::words && differ && is_time(logical_style(leaf)) &&
        (before < words) != (how == Comparison::less))
      return "the earlier of two times has the later text: " + words;
    before = std::move(words);
    kind_before = text.kind;
  }
  return {};
}

std::string leaf_fault(Bytes bytes) {
  const LeafInput input(bytes);
  if (input.leaf() == nullptr) return {};
  const Order order = input.order();
  std::string fault = order_fault(order, input.values());
  if (fault.empty()) fault = ends_fault(order, input);
  if (fault.empty()) fault = texts_fault(input);
  return fault;
}

}  // namespace

void add_leaf_properties(std::vector<Property>& properties) { properties.push_back({"leaf", leaf_fault}); }

}  // namespace parqproof::fuzz
