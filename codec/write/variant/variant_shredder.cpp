#include "codec/write/variant/variant_shredder.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "codec/base/append.hpp"
#include "codec/variant/judge.hpp"
#include "codec/variant/primitive.hpp"

namespace parqproof {
namespace {

using variant::Item;
using variant::Kind;
using variant::Part;
using Bytes = std::span<const std::uint8_t>;

// Bytes of an entry in memory: its levels; and of a value its end, and what the writer reads it by.
constexpr std::uint64_t kLevelBytes = 2 * sizeof(std::uint32_t);
constexpr std::uint64_t kPerValue = sizeof(std::size_t) + sizeof(ByteArray);

/// Keeps the first error.
class FirstError final : public variant::Faults {
 public:
  [[nodiscard]] bool count(Rule rule) override { return info(rule).severity == Severity::error; }
  void describe(variant::Fault fault) override {
    if (!why_.empty()) return;
    why_ = "the Variant breaks " + std::string(info(fault.rule).id);
    if (!fault.path.empty()) why_ += " at " + fault.path;
  }
  [[nodiscard]] bool wants(Rule rule) const override { return info(rule).severity == Severity::error; }

  [[nodiscard]] const std::string& why() const noexcept { return why_; }

 private:
  std::string why_;
};

Item item_of(Bytes value) {
  Item item;
  (void)variant::read_item(value, item);
  return item;
}

/// The value of a container at index i.
Bytes value_at(const Item& item, Bytes value, std::uint32_t i) {
  const Bytes rest = value.subspan(item.values + item.offset(i));
  return rest.first(static_cast<std::size_t>(item_of(rest).size));
}

/// The index of a field of an object, whose fields are in the order of their names.
std::optional<std::uint32_t> find_field(const variant::Metadata& metadata, const Item& object,
                                        std::string_view name) {
  std::uint32_t first = 0;
  for (std::uint32_t last = object.count; first < last;) {
    const std::uint32_t middle = first + (last - first) / 2;
    const std::string_view other = metadata.name(object.id(middle));
    if (other == name) return middle;
    (other < name ? first : last) = other < name ? middle + 1 : middle;
  }
  return std::nullopt;
}

/// Encodes some fields of an object, with the ids that they have. Returns false if they have more than
/// `most_bytes`.
bool encode_fields(const Item& object, Bytes value, std::span<const std::uint32_t> fields,
                   std::uint64_t most_bytes, std::vector<std::uint8_t>& out) {
  std::uint64_t content = 0;
  std::uint32_t largest_id = 0;
  for (const std::uint32_t i : fields) {
    content += value_at(object, value, i).size();
    largest_id = std::max(largest_id, object.id(i));
  }
  if (content > most_bytes) return false;
  const unsigned offset_width = variant::bytes_for(content);
  const unsigned id_width = variant::bytes_for(largest_id);
  const bool is_large = fields.size() > variant::kMaxSmallCount;
  out.push_back(
      first_byte(variant::Basic::object, (offset_width - 1) | (id_width - 1) << 2 | (is_large ? 16U : 0U)));
  append_le(out, fields.size(), is_large ? 4 : 1);
  for (const std::uint32_t i : fields) append_le(out, object.id(i), id_width);
  std::uint64_t offset = 0;
  for (const std::uint32_t i : fields) {
    append_le(out, offset, offset_width);
    offset += value_at(object, value, i).size();
  }
  append_le(out, offset, offset_width);
  for (const std::uint32_t i : fields) {
    const Bytes field = value_at(object, value, i);
    out.insert(out.end(), field.begin(), field.end());
  }
  return true;
}

}  // namespace

VariantShredder::VariantShredder(const Schema& schema, const variant::Group& group, std::uint32_t most_depth,
                                 std::uint64_t most_bytes)
    : schema_(schema), group_(group), judge_(most_depth), most_bytes_(most_bytes) {
  clear();
}

void VariantShredder::clear() {
  columns_.clear();
  for (std::size_t leaf = group_.first; leaf < group_.last; ++leaf) columns_.emplace_back(schema_.leaf(leaf));
}

/// Returns false if the entries of the Variant have too many bytes, which is a failure of add().
bool VariantShredder::spend(std::uint64_t bytes) {
  if (!status_) return false;
  is_too_large_ = bytes > bytes_left_;
  if (is_too_large_) {
    status_ = std::unexpected("the entries of a Variant take too much memory");
  } else {
    bytes_left_ -= bytes;
  }
  return !is_too_large_;
}

void VariantShredder::add_null(std::size_t leaf, std::uint32_t repetition, std::uint32_t definition) {
  if (spend(kLevelBytes)) column(leaf).add_null(repetition, definition);
}

void VariantShredder::add_value(std::size_t leaf, std::uint32_t repetition, Bytes value) {
  if (spend(kLevelBytes + kPerValue + value.size())) column(leaf).add_value(repetition, value);
}

void VariantShredder::add_nulls(std::size_t first, std::size_t last, std::uint32_t repetition,
                                std::uint32_t definition) {
  for (std::size_t leaf = first; leaf < last; ++leaf) add_null(leaf, repetition, definition);
}

void VariantShredder::begin() {
  status_ = {};
  is_too_large_ = false;
  bytes_left_ = most_bytes_;
}

void VariantShredder::add_missing(std::uint32_t repetition, std::uint32_t definition) {
  begin();
  add_nulls(group_.first, group_.last, repetition, definition);
}

WriteStatus VariantShredder::add(Bytes metadata, Bytes value, std::uint32_t repetition) {
  begin();
  FirstError faults;
  if (metadata_.read({metadata}, faults)) judge_.judge(metadata_, {value}, "$", faults);
  if (!faults.why().empty()) return std::unexpected(faults.why());
  const auto is_of_group = [&](std::size_t leaf) {
    const Part& top = group_.top;
    return leaf == group_.metadata || leaf == top.value || (leaf >= top.typed_first && leaf < top.typed_last);
  };
  for (std::size_t leaf = group_.first; leaf < group_.last; ++leaf) {
    if (!is_of_group(leaf)) return std::unexpected("a field of the group is none of a Variant");
  }
  add_value(group_.metadata, repetition, metadata);
  part(group_.top, value, repetition);
  return status_;
}

void VariantShredder::put_value(const Part& part, Bytes value, std::uint32_t repetition) {
  if (part.value) return add_value(*part.value, repetition, value);
  if (status_) status_ = std::unexpected("the group '" + std::string(part.name) + "' has no field value");
}

/// Adds the entries of one value; an empty one is that of a field that an object does not have.
void VariantShredder::part(const Part& part, Bytes value, std::uint32_t repetition) {
  if (!status_) return;
  const Item item = value.empty() ? Item() : item_of(value);
  const bool is_typed = !value.empty() && (part.typed == Part::Typed::object  ? item.kind == Kind::object
                                           : part.typed == Part::Typed::array ? item.kind == Kind::array
                                                                              : is_representable(part, item));
  if (part.value && (is_typed || value.empty()) && !(is_typed && item.kind == Kind::object))
    add_null(*part.value, repetition, part.value_definition - 1);
  if (!is_typed) {
    if (!value.empty()) put_value(part, value, repetition);
    if (part.typed != Part::Typed::none)
      add_nulls(part.typed_first, part.typed_last, repetition, part.typed_definition - 1);
  } else if (item.kind == Kind::object) {
    object(part, item, value, repetition);
  } else if (item.kind == Kind::array) {
    array(part, item, value, repetition);
  } else {
    const Node& leaf = schema_.leaf(part.typed_first);
    bytes_.clear();
    append_plain(part, item, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)), bytes_);
    add_value(part.typed_first, repetition, bytes_);
  }
}

void VariantShredder::object(const Part& part, const Item& item, Bytes value, std::uint32_t repetition) {
  rest_.clear();
  for (std::uint32_t i = 0; i < item.count; ++i) {
    if (!std::ranges::binary_search(part.names, metadata_.name(item.id(i)))) rest_.push_back(i);
  }
  if (!rest_.empty()) {
    bytes_.clear();
    constexpr std::uint64_t kMostContent = UINT32_MAX;
    if (!encode_fields(item, value, rest_, std::min(bytes_left_, kMostContent), bytes_)) {
      if (bytes_left_ <= kMostContent)
        (void)spend(UINT64_MAX);
      else
        status_ = std::unexpected("the fields of an object take more than 4 GiB");
      return;
    }
    put_value(part, bytes_, repetition);
  } else if (part.value) {
    add_null(*part.value, repetition, part.value_definition - 1);
  }
  for (const Part& field : part.parts) {
    const std::optional<std::uint32_t> i = find_field(metadata_, item, field.name);
    this->part(field, i ? value_at(item, value, *i) : Bytes(), repetition);
  }
}

void VariantShredder::array(const Part& part, const Item& item, Bytes value, std::uint32_t repetition) {
  if (item.count == 0)
    return add_nulls(part.typed_first, part.typed_last, repetition, part.element_definition - 1);
  for (std::uint32_t i = 0; i < item.count; ++i)
    this->part(part.parts.front(), value_at(item, value, i), i == 0 ? repetition : part.element_repetition);
}

}  // namespace parqproof
