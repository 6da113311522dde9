// The shapes of LIST and MAP groups (LogicalTypes.md, Nested Types).
#include "codec/schema/nested.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "tests/support/leaves.hpp"

namespace {

using namespace parqproof;
using enum FieldRepetitionType;
using Id = SchemaElement::Id;

/// Builds a schema, element by element; the root has one child.
class Tree {
 public:
  Tree() { group("schema", REQUIRED, 1); }

  Tree& group(std::string_view name, FieldRepetitionType repetition, std::int32_t children,
              int converted = -1) {
    SchemaElement element = named(name, repetition);
    element.fields.present |= 1U << Id::id_num_children;
    element.num_children = children;
    if (converted >= 0) element = support::converted(element, static_cast<ConvertedType>(converted));
    schema_.add(element);
    return *this;
  }
  Tree& leaf(std::string_view name, FieldRepetitionType repetition) {
    SchemaElement element = named(name, repetition);
    element.fields.present |= 1U << Id::id_type;
    element.type = Type::INT32;
    schema_.add(element);
    return *this;
  }
  const Nodes& nodes() {
    schema_.finish();
    REQUIRE(schema_.fault() == Schema::Fault::none);
    return schema_.nodes();
  }

 private:
  static SchemaElement named(std::string_view name, FieldRepetitionType repetition) {
    SchemaElement element;
    element.name = {{reinterpret_cast<const std::uint8_t*>(name.data()), name.size()}, 1};
    element.repetition_type = repetition;
    element.fields.present = 1U << Id::id_name | 1U << Id::id_repetition_type;
    return element;
  }

  Schema schema_;
};

constexpr int kList = static_cast<int>(ConvertedType::LIST);
constexpr int kMap = static_cast<int>(ConvertedType::MAP);
constexpr int kMarked = static_cast<int>(ConvertedType::MAP_KEY_VALUE);

ListRule rule_of(Tree& tree) { return list_rule(tree.nodes(), 1); }

TEST_CASE("the element of a LIST is found by the first rule for older shapes that applies") {
  CHECK(rule_of(Tree().group("l", OPTIONAL, 1, kList).leaf("element", REPEATED)) == ListRule::repeated_leaf);
  CHECK(rule_of(Tree()
                    .group("l", OPTIONAL, 1, kList)
                    .group("array", REPEATED, 2)
                    .leaf("a", REQUIRED)
                    .leaf("b", OPTIONAL)) == ListRule::several_fields);
  CHECK(rule_of(Tree().group("l", OPTIONAL, 1, kList).group("array", REPEATED, 1).leaf("a", REPEATED)) ==
        ListRule::repeated_field);
  for (const std::string_view name : {"array", "l_tuple"}) {
    CHECK(rule_of(Tree().group("l", OPTIONAL, 1, kList).group(name, REPEATED, 1).leaf("a", REQUIRED)) ==
          ListRule::named_group);
  }
  for (const std::string_view name : {"list", "bag", "Array", "_tuple", "m_tuple"}) {
    CHECK(rule_of(Tree().group("l", OPTIONAL, 1, kList).group(name, REPEATED, 1).leaf("a", REQUIRED)) ==
          ListRule::single_field);
  }
}

TEST_CASE("a LIST without a single non-empty repeated child has no element") {
  CHECK(rule_of(Tree().group("l", OPTIONAL, 1, kList).leaf("a", REQUIRED)) == ListRule::none);
  CHECK(rule_of(Tree().group("l", OPTIONAL, 0, kList)) == ListRule::none);
  CHECK(rule_of(Tree().group("l", OPTIONAL, 1, kList).group("list", REPEATED, 0)) == ListRule::none);
  CHECK(rule_of(Tree().group("l", OPTIONAL, 2, kList).leaf("a", REPEATED).leaf("b", REPEATED)) ==
        ListRule::none);
}

TEST_CASE("MAP_KEY_VALUE is a map of its own unless it marks the entries of one") {
  Tree marked;
  const Nodes& inside = marked.group("m", OPTIONAL, 1, kMap)
                            .group("entries", REPEATED, 1, kMarked)
                            .leaf("key", REQUIRED)
                            .nodes();
  CHECK(is_map(inside, 1));
  CHECK_FALSE(is_map(inside, 2));
  CHECK(map_entries(inside, 1) == 2);
  Tree alone;
  const Nodes& outside = alone.group("m", OPTIONAL, 1, kMarked)
                             .group("entries", REPEATED, 2, kMarked)
                             .leaf("key", REQUIRED)
                             .leaf("value", OPTIONAL)
                             .nodes();
  CHECK(is_map(outside, 1));
  CHECK_FALSE(is_map(outside, 2));
  CHECK(map_entries(outside, 1) == 2);
}

TEST_CASE("the entries of a MAP are neither a MAP nor a LIST, whatever they are annotated as") {
  for (const int annotation : {kMap, kList, kMarked}) {
    Tree tree;
    const Nodes& nodes = tree.group("m", OPTIONAL, 1, kMap)
                             .group("entries", REPEATED, 1, annotation)
                             .leaf("key", REQUIRED)
                             .nodes();
    CHECK(is_map(nodes, 1));
    CHECK_FALSE(is_map(nodes, 2));
    CHECK_FALSE(is_list(nodes, 2));
  }
}

TEST_CASE("the entries of a MAP are a repeated group of one field or two") {
  Tree three;
  CHECK(map_entries(three.group("m", OPTIONAL, 1, kMap)
                        .group("entries", REPEATED, 3)
                        .leaf("a", REQUIRED)
                        .leaf("b", REQUIRED)
                        .leaf("c", REQUIRED)
                        .nodes(),
                    1) == 0);
  Tree optional;
  CHECK(map_entries(
            optional.group("m", OPTIONAL, 1, kMap).group("entries", OPTIONAL, 1).leaf("a", REQUIRED).nodes(),
            1) == 0);
  Tree leaf;
  CHECK(map_entries(leaf.group("m", OPTIONAL, 1, kMap).leaf("a", REPEATED).nodes(), 1) == 0);
}

TEST_CASE("neither the root nor a leaf is a LIST or a MAP") {
  Tree tree;
  const Nodes& nodes = tree.leaf("a", REPEATED).nodes();
  for (const std::uint32_t i : {0U, 1U}) {
    CHECK_FALSE(is_list(nodes, i));
    CHECK_FALSE(is_map(nodes, i));
  }
  CHECK(repeated_child(nodes, 0) == 1);
  CHECK(child_count(nodes, 0) == 1);
}

}  // namespace
