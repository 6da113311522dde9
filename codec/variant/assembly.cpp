#include "codec/variant/assembly.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "codec/variant/primitive.hpp"

namespace parqproof::variant {
namespace {

/// Counts the faults of a metadata or a value, to be counted again for further rows.
class Counted final : public Faults {
 public:
  Counted(RowFaults& faults, std::vector<Rule>& rules) : faults_(faults), rules_(rules) {}
  [[nodiscard]] bool count(Rule rule) override {
    rules_.push_back(rule);
    return faults_.count(rule);
  }
  void describe(Fault fault) override { faults_.describe(std::move(fault)); }
  void add(Rule rule, std::uint64_t found, std::uint64_t expected) override {
    faults_.add(rule, found, expected);
  }
  [[nodiscard]] bool wants(Rule rule) const override { return faults_.wants(rule); }

 private:
  RowFaults& faults_;
  std::vector<Rule>& rules_;
};

}  // namespace

Assembly::Assembly(const Group& group, std::uint32_t most_depth)
    : group_(&group), most_depth_(most_depth), judge_(most_depth) {}

void Assembly::report(Rule rule, const View& at, FindingValue found, FindingValue expected) {
  if (record_ != nullptr) record_->push_back(rule);
  if (faults_->count(rule)) faults_->describe({rule, at, {}, std::move(found), std::move(expected), path_});
}

/// Counts the bytes of an entry of a dictionary page, which may be judged again for each row.
void Assembly::afford(const std::uint8_t* entry, std::uint64_t bytes) {
  if (remembered_.is_first(entry) || faults_->afford(bytes) || is_stopped()) return;
  end_ = AssemblyEnd::too_much_work;
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

/// Reads the metadata of the current entry unless it is that of the previous value, or was read before.
void Assembly::read_metadata(const View& bytes) {
  faults_->at_column(group_->metadata);
  if (const std::uint8_t* const entry = columns_->entry(group_->metadata); entry != nullptr) {
    if (remembered_.names.size() >= Remembered::kMost) remembered_.names.clear();
    names_ = &remembered_.names[entry];
    if (names_->id == 0) afford(entry, bytes.size());
  } else {
    names_ = &own_;
    if (!std::ranges::equal(bytes.bytes, own_.bytes)) own_.id = 0;
  }
  is_metadata_known_ = names_->id != 0;
  if (is_metadata_known_) {
    for (const Rule rule : names_->faults) (void)faults_->count(rule);
  } else {
    if (names_ == &own_) own_.bytes.assign(bytes.bytes.begin(), bytes.bytes.end());
    read_names(names_ == &own_ ? View{own_.bytes, bytes.base, bytes.space} : bytes, *names_);
  }
  counts_names_ = names_->metadata.known() && faults_->wants(Rule::variant_unused_name);
  if (counts_names_) judge_.count_names(names_->metadata);
}

const Metadata& Assembly::read_metadata(Columns& columns, RowFaults& faults) {
  columns_ = &columns;
  faults_ = &faults;
  read_metadata(columns.value(group_->metadata));
  return names_->metadata;
}

void Assembly::read_names(const View& bytes, NamesOfRow& names) {
  names.faults.clear();
  names.id = ++remembered_.last_id;
  Counted counted(*faults_, names.faults);
  names.metadata.read(bytes, counted);
  names.named.assign(group_->fields, NamesOfRow::Named::unknown);
}

/// Advice about the dictionary of a row.
void Assembly::judge_dictionary(const View& metadata) {
  const bool is_stored_once = is_metadata_known_ && names_ != &own_;  // in a dictionary page
  if (faults_->wants(Rule::variant_wide) && !is_stored_once)
    faults_->add(Rule::variant_wide, metadata.size(), metadata.size() - names_->metadata.surplus());
  const std::uint32_t names = names_->metadata.size();
  if (names < 2 || names_->metadata.claims_order() || !faults_->wants(Rule::variant_metadata_unsorted))
    return;
  faults_->add(Rule::variant_metadata_unsorted, names, static_cast<std::uint64_t>(std::bit_width(names)));
  report(Rule::variant_metadata_unsorted, metadata.part(0, 1),
         names_->metadata.is_ascending() ? "0 for strings that ascend" : "0 for strings that do not ascend",
         1);
}

/// Judges how the row uses the dictionary.
void Assembly::judge_names(const View& metadata) {
  if (!names_->metadata.known()) return;
  path_.clear();
  faults_->at_column(group_->metadata);
  judge_dictionary(metadata);
  if (without_name_ != nullptr)
    report(Rule::shredding_name, metadata, kAbsent, shown_name(without_name_->name));
  if (!counts_names_ || judge_.uses_all_names() || !faults_->count(Rule::variant_unused_name)) return;
  const std::optional<std::uint32_t> id = judge_.unused_name();
  if (!id) return;
  const View name = names_->metadata.name_bytes(*id);
  const std::size_t begin = name.base - names_->metadata.bytes().base;
  faults_->describe({Rule::variant_unused_name,
                     metadata.part(begin, name.size()),
                     {},
                     shown_name(names_->metadata.name(*id)),
                     "used",
                     {}});
}

/// Counts the names of all fields with columns as used.
void Assembly::use_names(const Part& part) {
  for (const Part& nested : part.parts) {
    if (part.typed == Part::Typed::object) {
      if (const std::optional<std::uint32_t> id = names_->metadata.find(nested.name)) judge_.use_name(*id);
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
  if (!names_->metadata.known()) end_ = AssemblyEnd::unreadable;
  if (counts_names_) use_names(group_->top);
  if (names_->metadata.known()) {
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
  if (builder_ != nullptr && !builder_->copy(names_->metadata, value.bytes, most_depth_))
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

/// What decides how a value of a dictionary page is judged. Of names in order their number is enough, because
/// fields are then compared by their ids; but next to columns of fields the names themselves matter.
JudgedValue Assembly::key_of(const std::uint8_t* entry, const Part& part, bool has_typed) const {
  const bool is_any = names_->metadata.is_ascending() && !(has_typed && part.typed == Part::Typed::object);
  return {is_any ? names_->metadata.size() : names_->id, is_any, entry, &part, has_typed};
}

/// Judges the encoded value, then whether it may be there; a value of a dictionary page once for each
/// metadata and part.
void Assembly::judge_value(const Part& part, const View& value, bool has_typed) {
  const std::uint8_t* const entry = columns_->entry(*part.value);
  if (entry == nullptr) return judge_bytes(part, value, has_typed, *faults_);
  if (remembered_.judged.size() >= Remembered::kMost || remembered_.ids >= Remembered::kMostIds)
    remembered_.forget_judged();
  const auto [known, is_new] = remembered_.judged.try_emplace(key_of(entry, part, has_typed));
  if (!is_new) {
    for (const Rule rule : known->second.faults) (void)faults_->count(rule);
    for (const std::uint32_t id : known->second.names) judge_.use_name(id);
    return;
  }
  afford(entry, value.size());
  Outcome& outcome = known->second;
  Counted counted(*faults_, outcome.faults);
  record_ = &outcome.faults;
  if (counts_names_) judge_.record_names(&outcome.names);
  judge_bytes(part, value, has_typed, counted);
  record_ = nullptr;
  judge_.record_names(nullptr);
  std::ranges::sort(outcome.names);
  outcome.names.erase(std::ranges::unique(outcome.names).begin(), outcome.names.end());
  outcome.names.shrink_to_fit();
  remembered_.ids += outcome.names.size();
}

void Assembly::judge_bytes(const Part& part, const View& value, bool has_typed, Faults& of_value) {
  if (!judge_.judge(names_->metadata, value, path_, of_value) || part.typed == Part::Typed::none) return;
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
    if (id >= names_->metadata.size()) continue;
    const std::string_view name = names_->metadata.name(id);
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
  NamesOfRow::Named& named = names_->named[part.ordinal];
  if (named == NamesOfRow::Named::unknown)
    named = names_->metadata.find(part.name) ? NamesOfRow::Named::yes : NamesOfRow::Named::no;
  if (named == NamesOfRow::Named::no) without_name_ = &part;
}

/// Reads typed_value, which is set. `value` is that of the value column, or empty.
void Assembly::typed(const Part& part, const View& value) {
  switch (part.typed) {
    case Part::Typed::none:
      break;
    case Part::Typed::primitive:
      if (builder_ != nullptr) primitive(part);
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
        if (is_object && !builder_->copy_fields(names_->metadata, value.bytes, most_depth_, part.names))
          end_ = AssemblyEnd::unreadable;
      }
      const std::size_t length = path_.size();
      for (const Part& field : part.parts) {
        append_field(path_, field.name.substr(0, kShownNameBytes));
        if (builder_ != nullptr) builder_->key(field.name);
        this->part(field, false);
        path_.resize(length);
      }
      if (builder_ != nullptr && !is_stopped()) builder_->end();
      break;
    }
  }
}

/// Appends a value of a column. What is wrong with the values of columns is reported by who reads the
/// columns; here it matters only to a value that is put together.
void Assembly::primitive(const Part& part) {
  const View value = columns_->value(part.typed_first);
  append_primitive(*builder_, part, value.bytes);
  if (!faults_->wants(Rule::logical_type_decimal_digits)) return;  // nor those of the other rules of columns
  std::optional<PrimitiveFault> fault = fault_of_primitive(part, value.bytes);
  if (!fault) return;
  faults_->at_column(part.typed_first);
  report(fault->rule, value, std::move(fault->found), std::move(fault->expected));
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
