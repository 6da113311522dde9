#include "conformance/rows/row_footer.hpp"

#include <string>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {

bool RowFooter::read() { return read_meta() && read_schema(); }

bool RowFooter::lacks(std::uint64_t from, std::uint64_t to, std::string_view what) {
  report_at(failure_.findings(), Rule::thrift_required_field, {}, from, to - from, contrast(kAbsent, what));
  return false;
}

bool RowFooter::read_meta() {
  Findings passed_over({});
  frame_ = read_frame(source_, source_.size(), limits_, passed_over);
  if (frame_.state == Frame::State::unreadable) {
    failure_.set_message("the file could not be read");
    return false;
  }
  if (frame_.state != Frame::State::footer) return lacks(source_.size(), source_.size(), "a footer");
  const View footer = frame_.footer;
  thrift::Reader reader(footer, {}, limits_);
  if (!reader.read(meta_)) return lacks(footer.base, footer.end(), "a footer that can be read");
  if (!meta_.has(FileMetaData::id_schema)) return lacks(footer.base, footer.end(), "schema");
  return meta_.has(FileMetaData::id_row_groups) || lacks(footer.base, footer.end(), "row_groups");
}

bool RowFooter::read_schema() {
  thrift::for_each<SchemaElement>(meta_.schema, limits_, [&](const SchemaElement& element, std::uint32_t i) {
    if (element.type == Type::FIXED_LEN_BYTE_ARRAY && element.has(SchemaElement::id_type) &&
        (!element.has(SchemaElement::id_type_length) || element.type_length < 0)) {
      without_length_.emplace(i, element.fields.mentions(SchemaElement::id_type_length)
                                     ? std::to_string(element.type_length)
                                     : "absent");
    }
    if (i != 0 && !element.fields.mentions(SchemaElement::id_repetition_type)) without_repetition_.insert(i);
    schema_.add(element);
  });
  schema_.finish();
  if (schema_.fault() != Schema::Fault::none) return no_tree();
  if (schema_.depth() <= limits_.schema_depth) return true;
  report_at(failure_.findings(), Rule::limit_schema_depth, {}, frame_.footer.base, 0,
            contrast(schema_.depth(), limits_.schema_depth));
  return false;
}

FindingSite RowFooter::element_site(std::uint32_t index) const {
  return {failure_.findings(),
          {},
          bytes_from(schema_.nodes()[index].offset),
          SchemaElement::kType,
          "schema[" + std::to_string(index) + "]"};
}

bool RowFooter::no_tree() {
  const std::uint32_t index = schema_.fault_index();
  SchemaElement element;
  thrift::for_each<SchemaElement>(meta_.schema, limits_, [&](const SchemaElement& one, std::uint32_t i) {
    if (i == index) element = one;
  });
  const bool typed = element.fields.mentions(SchemaElement::id_type);
  switch (schema_.fault()) {
    case Schema::Fault::none:
    case Schema::Fault::empty:
      site().report(Rule::footer_schema_nonempty, "schema", contrast(0, or_more(1)));
      break;
    case Schema::Fault::root_not_group:
      element_site(index).report(Rule::schema_root_is_group, typed ? "type" : "num_children",
                                 contrast(typed ? "a type" : "no num_children", "a group"));
      break;
    case Schema::Fault::group_or_leaf:
      element_site(index).report(
          Rule::schema_group_or_leaf, typed ? "num_children" : "",
          contrast(typed ? "both type and num_children" : "neither type nor num_children", "one of them"));
      break;
    case Schema::Fault::negative_children:
      element_site(index).report(Rule::schema_num_children_negative, "num_children",
                                 contrast(element.num_children, or_more(0)));
      break;
    case Schema::Fault::left_over:
      element_site(index).report(
          Rule::schema_tree, "",
          contrast(counted(schema_.nodes().size() - index, "element") + " left over", "none"));
      break;
    case Schema::Fault::too_few:
      element_site(index).report(Rule::schema_tree, "num_children",
                                 contrast("fewer elements than num_children asks for", "as many"));
      break;
  }
  return false;
}

bool RowFooter::leaf_is_readable(std::size_t leaf) {
  const std::uint32_t index = schema_.leaf_index(leaf);
  for (std::uint32_t node = index; node != 0; node = schema_.nodes()[node].parent) {
    if (!without_repetition_.contains(node)) continue;
    element_site(node).report(Rule::schema_repetition, "repetition_type",
                              contrast(kAbsent, "REQUIRED, OPTIONAL or REPEATED"));
    return false;
  }
  if (!schema_.leaf(leaf).readable)
    return lacks(frame_.footer.base, frame_.footer.end(), "the type or repetition of a column");
  const auto length = without_length_.find(index);
  if (length == without_length_.end()) return true;
  element_site(index).report(Rule::schema_type_length, "type_length", contrast(length->second, or_more(0)));
  return false;
}

}  // namespace parqproof
