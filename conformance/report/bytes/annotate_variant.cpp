#include "conformance/report/bytes/annotate_variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/text.hpp"
#include "codec/variant/item.hpp"
#include "codec/variant/metadata.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/variant_json.hpp"

namespace parqproof {
namespace {

using variant::Item;
using variant::Unreadable;

constexpr unsigned kBaseDepth = 1;   // of the parts of a value, below its length
constexpr unsigned kMaxDepth = 100;  // of nested values that are split
constexpr std::size_t kShownText = 60;
constexpr std::size_t kShownNumbers = 16;

class VariantRuns {
 public:
  VariantRuns(const View& bytes, const RunSink& sink) : bytes_(bytes), sink_(sink) {}

  void metadata() {
    variant::NoFaults ignored;
    variant::Metadata metadata;
    if (!metadata.read(bytes_, ignored)) return rest(bytes_.size(), kBaseDepth, "no metadata of a Variant");
    const std::uint8_t header = bytes_.bytes[0];
    take(1, kBaseDepth, "metadata",
         fmt::format("version {}{}, numbers of {}", header & variant::Metadata::kVersionMask,
                     (header & variant::Metadata::kSorted) != 0 ? ", sorted" : "",
                     counted(metadata.width(), "byte")));
    take(metadata.width(), kBaseDepth, "dictionary size", std::to_string(metadata.size()));
    const std::uint32_t offsets = metadata.size() + 1;
    take(std::size_t{offsets} * metadata.width(), kBaseDepth, "offsets",
         list(offsets, [&](std::uint32_t i) { return metadata.offset(i); }));
    for (std::uint32_t id = 0; id < metadata.size() && going_; ++id)
      take(metadata.name_bytes(id).size(), kBaseDepth, fmt::format("name {}", id),
           text_of_name(metadata.name(id)));
  }

  /// The value that has the next bytes up to `end`.
  void value(std::size_t end, unsigned depth, const std::string& name) {
    Item item;
    if (at_ == end || depth > kMaxDepth ||
        variant::read_item(bytes_.bytes.subspan(at_, end - at_), item).reason != Unreadable::Reason::none)
      return rest(end, depth, name + (depth > kMaxDepth ? ": nested values" : ": cannot be read"));
    const std::string type = name + ": " + std::string(name_of(item.kind));
    if (is_container(item.kind)) {
      container(item, depth, type);
    } else {
      const bool has_length = item.payload > 1;
      const bool is_short = item.kind == variant::Kind::string && !has_length;
      take(1, depth, type, is_short ? "short, " + counted(item.data().size(), "byte") : std::string());
      if (has_length) take(item.payload - 1, depth + 1, "length", std::to_string(item.data().size()));
      take(item.data().size(), depth + 1, "data", text_of(item));
    }
    rest(end, depth, "not a part of the value");
  }

  [[nodiscard]] bool going() const noexcept { return going_; }

 private:
  void container(const Item& item, unsigned depth, const std::string& type) {
    const std::size_t begin = at_;
    const bool is_object = item.kind == variant::Kind::object;
    std::string widths = "offsets of " + counted(item.offset_width, "byte");
    if (is_object) widths = fmt::format("ids of {}, ", item.id_width) + widths;
    take(1, depth, type, std::move(widths));
    take(item.ids - item.payload, depth + 1, "count", std::to_string(item.count));
    if (is_object)
      take(item.offsets - item.ids, depth + 1, "field ids",
           list(item.count, [&](std::uint32_t i) { return item.id(i); }));
    take(item.values - item.offsets, depth + 1, "offsets",
         list(item.count + 1, [&](std::uint32_t i) { return item.offset(i); }));
    std::vector<std::pair<std::uint32_t, std::uint32_t>> children;  // offset, index
    children.reserve(item.count);
    for (std::uint32_t i = 0; i < item.count; ++i) children.emplace_back(item.offset(i), i);
    std::ranges::sort(children);
    const std::size_t end = begin + static_cast<std::size_t>(item.size);
    for (std::size_t k = 0; k < children.size() && going_; ++k) {
      const std::size_t start = begin + item.values + children[k].first;
      if (start < at_ || start >= end) continue;  // it shares bytes that are named already
      rest(start, depth + 1, "between the values");
      std::size_t next = end;
      for (std::size_t other = k + 1; other < children.size(); ++other) {
        const std::size_t at = begin + item.values + children[other].first;
        if (at > start) {
          next = std::min(at, end);
          break;
        }
      }
      const std::uint32_t i = children[k].second;
      value(next, depth + 1, is_object ? fmt::format("field {}", item.id(i)) : fmt::format("element {}", i));
    }
    rest(end, depth + 1, "after the values");
  }

  template <typename Number>
  static std::string list(std::uint32_t count, Number&& number) {
    std::string text;
    for (std::uint32_t i = 0; i < std::min<std::uint64_t>(count, kShownNumbers); ++i)
      text += (i == 0 ? "" : " ") + std::to_string(number(i));
    return count > kShownNumbers ? text + " ..." : text;
  }

  static std::string text_of_name(std::string_view name) { return "\"" + printable(name, kShownText) + "\""; }

  /// The value of a primitive as rows show it.
  static std::string text_of(const Item& item) {
    if (item.data().empty()) return {};
    variant::Metadata none;
    std::string text;
    VariantJson json(VariantForm::plain, 1);
    if (!json.append(text, none, {item.bytes, static_cast<std::size_t>(item.size)}, SIZE_MAX)) return {};
    return shortened(std::move(text), kShownText);
  }

  void take(std::size_t length, unsigned depth, std::string name, std::string text) {
    if (length == 0 || !going_) return;
    going_ = sink_({bytes_.base + at_, length, depth, std::move(name), std::move(text)});
    at_ += length;
  }

  /// The bytes up to `end` as one run.
  void rest(std::size_t end, unsigned depth, std::string name) {
    if (end > at_) take(end - at_, depth, std::move(name), {});
  }

  View bytes_;
  const RunSink& sink_;
  std::size_t at_ = 0;
  bool going_ = true;
};

}  // namespace

bool annotate_variant(const View& bytes, variant::Role role, const RunSink& sink) {
  VariantRuns runs(bytes, sink);
  if (role == variant::Role::metadata) {
    runs.metadata();
  } else {
    runs.value(bytes.size(), kBaseDepth, "value");
  }
  return runs.going();
}

}  // namespace parqproof
