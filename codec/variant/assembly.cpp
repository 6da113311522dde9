#include "codec/variant/assembly.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parqproof::variant {
namespace {

constexpr std::size_t kShownBytes = 40;  // of a name
constexpr std::size_t kDecimal16Bytes = 16;

std::string quoted(std::string_view name) {
  return '"' + std::string(name.substr(0, kShownBytes)) + (name.size() > kShownBytes ? "...\"" : "\"");
}

/// `an object`, `a string`.
std::string with_article(Kind kind) {
  const std::string_view name = name_of(kind);
  const bool vowel = std::string_view("aeiou").contains(name.front()) && kind != Kind::uuid;
  return (vowel ? "an " : "a ") + std::string(name);
}

bool is_boolean(Kind kind) noexcept { return kind == Kind::boolean_true || kind == Kind::boolean_false; }

}  // namespace

void append_primitive(Builder& builder, const Part& part, std::span<const std::uint8_t> value) {
  switch (part.kind) {
    case Kind::boolean_true:
      return builder.boolean((value[0] & 1) != 0);
    case Kind::int8:
      return builder.primitive(part.kind, value.first(1));
    case Kind::int16:
      return builder.primitive(part.kind, value.first(2));
    case Kind::decimal4:
    case Kind::decimal8: {
      std::array<std::uint8_t, 9> data{part.scale};
      std::ranges::copy(value, data.begin() + 1);
      return builder.primitive(part.kind, std::span(data).first(1 + value.size()));
    }
    case Kind::decimal16: {  // big-endian, of any length
      const bool negative = !value.empty() && (value[0] & 0x80) != 0;
      std::array<std::uint8_t, 1 + kDecimal16Bytes> data;
      data.fill(negative ? 0xFF : 0);
      data[0] = part.scale;
      const std::size_t count = std::min(value.size(), kDecimal16Bytes);
      for (std::size_t i = 0; i < count; ++i) data[1 + i] = value[value.size() - 1 - i];
      return builder.primitive(part.kind, data);
    }
    default:
      return builder.primitive(part.kind, value);
  }
}

Assembly::Assembly(const Group& group, std::uint32_t most_depth)
    : group_(&group), most_depth_(most_depth), judge_(most_depth) {}

void Assembly::report(Rule rule, View at, FindingValue found, FindingValue expected) {
  if (faults_->count(rule)) faults_->describe({rule, at, {}, std::move(found), std::move(expected), path_});
}

bool Assembly::is_present(const Columns& columns) const {
  return columns.definition(group_->metadata) == group_->metadata_definition;
}

void Assembly::advance(std::size_t first, std::size_t last) {
  for (std::size_t leaf = first; leaf < last && !is_stopped(); ++leaf) {
    if (!columns_->advance(leaf)) end_ = AssemblyEnd::no_column;
  }
}

AssemblyEnd Assembly::skip(Columns& columns) {
  columns_ = &columns;
  end_ = AssemblyEnd::complete;
  advance(group_->first, group_->last);
  return end_;
}

void Assembly::finish(RowFaults& faults) {
  if (!has_metadata_ || !counts_names_) return;
  counts_names_ = false;
  const std::uint32_t unused = metadata_.size() - judge_.names_used();
  if (unused == 0) return;
  faults.at_metadata();
  if (!faults.count(Rule::variant_unused_name)) return;
  faults.describe({Rule::variant_unused_name,
                   metadata_.bytes(),
                   {},
                   std::to_string(unused) + " of " + std::to_string(metadata_.size()) + " strings",
                   "none",
                   {}});
}

/// Reads the metadata of the current entry unless it is that of the previous value.
void Assembly::read_metadata(const View& bytes) {
  if (has_metadata_ && std::ranges::equal(bytes.bytes, metadata_bytes_)) return;
  finish(*faults_);
  metadata_bytes_.assign(bytes.bytes.begin(), bytes.bytes.end());
  faults_->at_column(group_->metadata);
  faults_->keep_metadata();
  has_metadata_ = true;
  metadata_.read({metadata_bytes_, bytes.base, bytes.space}, *faults_);
  named_.assign(group_->fields, Named::unknown);
  counts_names_ = metadata_.known() && faults_->wants(Rule::variant_unused_name);
  judge_.count_names(counts_names_ ? metadata_.size() : 0);
}

AssemblyEnd Assembly::read(Columns& columns, RowFaults& faults, Builder* builder) {
  columns_ = &columns;
  faults_ = &faults;
  builder_ = builder;
  end_ = AssemblyEnd::complete;
  path_ = "$";
  read_metadata(columns.value(group_->metadata));
  if (!metadata_.known()) end_ = AssemblyEnd::unreadable;
  part(group_->top, true);
  for (std::size_t leaf = group_->first; leaf < group_->last; ++leaf) {
    // Columns of no part: the metadata, and fields that are none of a Variant.
    const Part& top = group_->top;
    const bool is_part = leaf == top.value || (leaf >= top.typed_first && leaf < top.typed_last);
    if (!is_part) advance(leaf, leaf + 1);
  }
  return end_;
}

void Assembly::copy(const View& value) {
  if (builder_ != nullptr && !builder_->copy(metadata_, value.bytes, most_depth_))
    end_ = AssemblyEnd::unreadable;
}

void Assembly::part(const Part& part, bool is_required) {
  if (is_stopped()) return;
  const bool has_value = part.value && columns_->definition(*part.value) == part.value_definition;
  const bool has_typed =
      part.typed != Part::Typed::none && columns_->definition(part.typed_first) >= part.typed_definition;
  if (!has_value && !has_typed) {
    if (is_required) {
      const std::size_t leaf = part.value.value_or(part.typed_first);
      faults_->at_column(leaf);
      report(Rule::shredding_missing, columns_->value(leaf).part(0, 0), "null", "one of them");
      if (builder_ != nullptr) builder_->null();
    }
  } else if (!is_required) {
    judge_name(part);
  }
  View value;
  if (has_value) {
    value = columns_->value(*part.value);
    faults_->at_column(*part.value);
    judge_value(part, value, has_typed);
  }
  if (has_typed) {
    typed(part, value);
  } else if (has_value) {
    copy(value);
  }
  if (part.value) advance(*part.value, *part.value + 1);
  if (!has_typed && part.typed != Part::Typed::none) advance(part.typed_first, part.typed_last);
}

/// Judges the encoded value, then whether it may be there.
void Assembly::judge_value(const Part& part, const View& value, bool has_typed) {
  if (!judge_.judge(metadata_, value, path_, *faults_)) {
    end_ = AssemblyEnd::unreadable;
    return;
  }
  if (part.typed == Part::Typed::none) return;
  Item item;
  (void)read_item(value.bytes, item);
  if (has_typed) {
    if (part.typed == Part::Typed::object && item.kind == Kind::object) return judge_residue(part, value);
    return report(Rule::shredding_conflict, value, with_article(item.kind),
                  part.typed == Part::Typed::object ? "null or an object" : "null");
  }
  switch (part.typed) {
    case Part::Typed::object:
      if (item.kind == Kind::object)
        report(Rule::shredding_object_not_typed, value, "an object", "typed_value to be set");
      break;
    case Part::Typed::array:
      if (item.kind == Kind::array) report(Rule::shredding_array_not_typed, value, "an array", "null");
      break;
    default:
      judge_type(part, value);
  }
}

/// Judges the object beside a shredded object.
void Assembly::judge_residue(const Part& part, const View& value) {
  Item item;
  (void)read_item(value.bytes, item);
  for (std::uint32_t i = 0; i < item.count; ++i) {
    const std::uint32_t id = item.id(i);
    if (id >= metadata_.size()) continue;
    const std::string_view name = metadata_.name(id);
    if (std::ranges::binary_search(part.names, name))
      report(Rule::shredding_disjoint_fields,
             value.part(item.ids + std::size_t{i} * item.id_width, item.id_width), quoted(name),
             "fields without columns");
  }
}

void Assembly::judge_type(const Part& part, const View& value) {
  if (!faults_->wants(Rule::shredding_could_be_typed)) return;
  Item item;
  (void)read_item(value.bytes, item);
  const bool same = item.kind == part.kind || (is_boolean(item.kind) && is_boolean(part.kind));
  if (!same || (is_decimal(item.kind) && item.data()[0] != part.scale)) return;
  report(Rule::shredding_could_be_typed, value, with_article(item.kind), "null");
}

/// Judges whether the name of a field that is there is in the dictionary.
void Assembly::judge_name(const Part& part) {
  if (!metadata_.known()) return;
  Named& named = named_[part.ordinal];
  if (named == Named::unknown) {
    const std::optional<std::uint32_t> id = metadata_.find(part.name);
    named = id ? Named::yes : Named::no;
    if (id) judge_.use_name(*id);
  }
  if (named == Named::yes) return;
  faults_->at_metadata();
  report(Rule::shredding_name, metadata_.bytes(), quoted(part.name), "all names in the metadata");
}

/// Reads typed_value, which is set. `value` is that of the value column, or empty.
void Assembly::typed(const Part& part, const View& value) {
  switch (part.typed) {
    case Part::Typed::none:
      break;
    case Part::Typed::primitive:
      if (builder_ != nullptr) append_primitive(*builder_, part, columns_->value(part.typed_first).bytes);
      advance(part.typed_first, part.typed_last);
      break;
    case Part::Typed::array:
      elements(part);
      break;
    case Part::Typed::object: {
      if (builder_ != nullptr) {
        builder_->begin_object();
        // Another value than an object is ignored: the fields are those of typed_value.
        Item item;
        const bool is_object = !value.empty() &&
                               read_item(value.bytes, item).reason == Unreadable::Reason::none &&
                               item.kind == Kind::object;
        if (is_object && !builder_->copy_fields(metadata_, value.bytes, most_depth_, part.names))
          end_ = AssemblyEnd::unreadable;
      }
      const std::size_t length = path_.size();
      for (const Part& field : part.parts) {
        append_field(path_, field.name.substr(0, kShownBytes));
        if (builder_ != nullptr) builder_->key(field.name);
        this->part(field, false);
        path_.resize(length);
      }
      if (builder_ != nullptr && !is_stopped()) builder_->end();
      break;
    }
  }
}

void Assembly::elements(const Part& part) {
  if (builder_ != nullptr) builder_->begin_array();
  const std::size_t length = path_.size();
  const bool is_empty = columns_->definition(part.typed_first) < part.element_definition;
  if (is_empty) advance(part.typed_first, part.typed_last);
  std::uint64_t ordinal = 0;
  for (bool more = !is_empty; more && !is_stopped();) {
    path_ += '[' + std::to_string(ordinal++) + ']';
    this->part(part.parts.front(), true);
    path_.resize(length);
    if (is_stopped()) return;
    more = columns_->repetition(part.typed_first) == part.element_repetition;
    for (std::size_t leaf = part.typed_first; leaf < part.typed_last; ++leaf) {
      if ((columns_->repetition(leaf) == part.element_repetition) != more) end_ = AssemblyEnd::disagree;
    }
  }
  if (builder_ != nullptr && !is_stopped()) builder_->end();
}

}  // namespace parqproof::variant
