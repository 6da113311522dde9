#include "codec/variant/assembly.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "codec/variant/primitive.hpp"

namespace parqproof::variant {
namespace {

constexpr std::size_t kShownBytes = 60;  // of a name in a path

/// Counts the faults of a metadata, to be counted again for further rows.
class Counted final : public Faults {
 public:
  Counted(RowFaults& faults, std::vector<Rule>& rules) : faults_(faults), rules_(rules) {}
  [[nodiscard]] bool count(Rule rule) override {
    rules_.push_back(rule);
    return faults_.count(rule);
  }
  void describe(Fault fault) override { faults_.describe(std::move(fault)); }
  [[nodiscard]] bool wants(Rule rule) const override { return faults_.wants(rule); }

 private:
  RowFaults& faults_;
  std::vector<Rule>& rules_;
};

}  // namespace

Assembly::Assembly(const Group& group, std::uint32_t most_depth)
    : group_(&group), most_depth_(most_depth), judge_(most_depth) {}

void Assembly::report(Rule rule, const View& at, FindingValue found, FindingValue expected) {
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

/// Reads the metadata of the current entry unless it is that of the previous value.
void Assembly::read_metadata(const View& bytes) {
  faults_->at_column(group_->metadata);
  if (has_metadata_ && std::ranges::equal(bytes.bytes, metadata_bytes_)) {
    for (const Rule rule : metadata_faults_) (void)faults_->count(rule);
  } else {
    metadata_bytes_.assign(bytes.bytes.begin(), bytes.bytes.end());
    metadata_faults_.clear();
    has_metadata_ = true;
    Counted counted(*faults_, metadata_faults_);
    metadata_.read({metadata_bytes_, bytes.base, bytes.space}, counted);
    named_.assign(group_->fields, Named::unknown);
  }
  counts_names_ = metadata_.known() && faults_->wants(Rule::variant_unused_name);
  if (counts_names_) judge_.count_names(metadata_);
}

/// Advice about the dictionary of a row.
void Assembly::judge_dictionary(const View& metadata) {
  if (faults_->wants(Rule::variant_wide))
    faults_->add(Rule::variant_wide, metadata.size(), metadata.size() - metadata_.surplus());
  const std::uint32_t names = metadata_.size();
  if (names < 2 || metadata_.claims_order() || !faults_->wants(Rule::variant_metadata_unsorted)) return;
  faults_->add(Rule::variant_metadata_unsorted, names, static_cast<std::uint64_t>(std::bit_width(names)));
  report(Rule::variant_metadata_unsorted, metadata.part(0, 1),
         metadata_.is_ascending() ? "0 for strings that ascend" : "0 for strings that do not ascend", 1);
}

/// Judges how the row uses the dictionary.
void Assembly::judge_names(const View& metadata) {
  if (!metadata_.known()) return;
  path_.clear();
  faults_->at_column(group_->metadata);
  judge_dictionary(metadata);
  if (without_name_ != nullptr)
    report(Rule::shredding_name, metadata, kAbsent, shown_name(without_name_->name));
  if (!counts_names_ || judge_.uses_all_names() || !faults_->count(Rule::variant_unused_name)) return;
  const std::optional<std::uint32_t> id = judge_.unused_name();
  if (!id) return;
  const View name = metadata_.name_bytes(*id);
  const std::size_t begin = name.base - metadata_.bytes().base;
  faults_->describe({Rule::variant_unused_name,
                     metadata.part(begin, name.size()),
                     {},
                     shown_name(metadata_.name(*id)),
                     "used",
                     {}});
}

/// Counts the names of all fields with columns as used.
void Assembly::use_names(const Part& part) {
  for (const Part& nested : part.parts) {
    if (part.typed == Part::Typed::object) {
      if (const std::optional<std::uint32_t> id = metadata_.find(nested.name)) judge_.use_name(*id);
    }
    use_names(nested);
  }
}

AssemblyEnd Assembly::read(Columns& columns, RowFaults& faults, Builder* builder) {
  columns_ = &columns;
  faults_ = &faults;
  builder_ = builder;
  end_ = AssemblyEnd::complete;
  path_ = "$";
  without_name_ = nullptr;
  counts_parts_ = faults.wants(Rule::shredding_never_typed);
  const View metadata = columns.value(group_->metadata);
  read_metadata(metadata);
  if (!metadata_.known()) end_ = AssemblyEnd::unreadable;
  if (counts_names_) use_names(group_->top);
  if (metadata_.known()) {
    part(group_->top, true);
  } else {
    skip_top();
  }
  if (!is_stopped()) judge_names(metadata);
  for (std::size_t leaf = group_->first; leaf < group_->last; ++leaf) {
    // Columns of no part: the metadata, and fields that are none of a Variant.
    const Part& top = group_->top;
    const bool is_part = leaf == top.value || (leaf >= top.typed_first && leaf < top.typed_last);
    if (!is_part) pass(leaf);
  }
  return end_;
}

/// Goes past the entries of a value that is not read.
void Assembly::skip_top() {
  const Part& top = group_->top;
  if (top.value) pass(*top.value);
  for (std::size_t leaf = top.typed_first; leaf < top.typed_last; ++leaf) pass(leaf);
}

/// Goes past the entries of the current value in a column of any depth.
void Assembly::pass(std::size_t leaf) {
  do advance(leaf, leaf + 1);
  while (!is_stopped() && columns_->repetition(leaf) > group_->repetition);
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
  if (counts_parts_) faults_->at_part(part, has_value, has_typed);
  if (!has_value && !has_typed) {
    if (is_required) {
      const std::size_t leaf = part.value.value_or(part.typed_first);
      faults_->at_levels(leaf);
      report(Rule::shredding_missing, {}, "neither value nor typed_value", "value or typed_value");
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
  if (!judge_.judge(metadata_, value, path_, *faults_) || part.typed == Part::Typed::none) return;
  Item item;
  (void)read_item(value.bytes, item);
  const bool is_object = part.typed == Part::Typed::object;
  if (has_typed) {
    if (is_object && item.kind == Kind::object) return judge_residue(part, value);
    if (is_object) return report(Rule::shredding_conflict, value, name_of(item.kind), name_of(Kind::object));
    return report(Rule::shredding_conflict, value, "value and typed_value", "value or typed_value");
  }
  if (is_object && item.kind == Kind::object) {
    report(Rule::shredding_object_not_typed, value, "an object in value", "an object in typed_value");
  } else if (part.typed == Part::Typed::array && item.kind == Kind::array) {
    report(Rule::shredding_array_not_typed, value, "an array in value", "an array in typed_value");
  } else if (part.typed == Part::Typed::primitive) {
    judge_type(part, value);
  }
}

/// Judges the object next to a shredded object.
void Assembly::judge_residue(const Part& part, const View& value) {
  Item item;
  (void)read_item(value.bytes, item);
  for (std::uint32_t i = 0; i < item.count; ++i) {
    const std::uint32_t id = item.id(i);
    if (id >= metadata_.size()) continue;
    const std::string_view name = metadata_.name(id);
    if (std::ranges::binary_search(part.names, name))
      report(Rule::shredding_disjoint_fields,
             value.part(item.ids + std::size_t{i} * item.id_width, item.id_width), shown_name(name),
             "a field that is not shredded");
  }
}

void Assembly::judge_type(const Part& part, const View& value) {
  if (!faults_->wants(Rule::shredding_could_be_typed)) return;
  Item item;
  (void)read_item(value.bytes, item);
  if (is_representable(part, item))
    report(Rule::shredding_could_be_typed, value, name_of(item.kind), "typed_value");
}

/// Remembers the first field of a row that is there and whose name is not in the dictionary.
void Assembly::judge_name(const Part& part) {
  if (without_name_ != nullptr) return;
  Named& named = named_[part.ordinal];
  if (named == Named::unknown) named = metadata_.find(part.name) ? Named::yes : Named::no;
  if (named == Named::no) without_name_ = &part;
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
