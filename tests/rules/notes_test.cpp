// Notes of decoders: every rule that can be noted has its place, all of them at once.
#include "codec/rules/notes.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>

namespace parqproof {
namespace {

/// Notes each rule `times` times; the offset of the first is the rule's number, that of later ones another.
void note_all(Notes& notes, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) {
    for (const NotedRule rule : NotedRule::all())
      notes.add(rule, {.offset = static_cast<std::uint64_t>(Rule(rule)) + 1000 * i});
  }
}

bool holds_all(const Notes& notes, std::uint64_t times) {
  return std::ranges::equal(notes.all(), kNotedRules, [&](const Notes::Note& note, Rule rule) {
    return note.error.rule == rule && note.error.offset == static_cast<std::uint64_t>(rule) &&
           note.times == times;
  });
}

}  // namespace

TEST_CASE("all rules that can be noted are kept at once, each with its first place and a count", "[unit]") {
  Notes notes;
  CHECK(notes.all().empty());
  note_all(notes, 1);
  CHECK(holds_all(notes, 1));
  Notes again;
  note_all(again, 3);
  CHECK(holds_all(again, 3));
  CHECK(holds_all(notes, 1));
}

TEST_CASE("notes keep the order in which they were made", "[unit]") {
  Notes notes;
  notes.add(Rule::rle_run_length, {.offset = 5});
  notes.add(Rule::alp_vector_size, {.offset = 3});
  notes.add(Rule::rle_run_length, {.offset = 1});
  REQUIRE(notes.all().size() == 2);
  CHECK(notes.all()[0].error.rule == Rule::rle_run_length);
  CHECK(notes.all()[0].error.offset == 1);  // the first in the page, whichever was noted first
  CHECK(notes.all()[0].times == 2);
  CHECK(notes.all()[1].error.rule == Rule::alp_vector_size);
  CHECK(notes.all()[1].times == 1);
}

TEST_CASE("a copy of notes is independent of the original", "[unit]") {
  Notes notes;
  note_all(notes, 2);
  Notes copy = notes;
  CHECK(holds_all(copy, 2));
  notes.clear();
  CHECK(notes.all().empty());
  CHECK(holds_all(copy, 2));
  notes.add(Rule::alp_vector_size, {});
  copy = notes;
  REQUIRE(copy.all().size() == 1);
  CHECK(copy.all()[0].error.rule == Rule::alp_vector_size);
  note_all(notes, 1);
  CHECK(notes.all().size() == kNotedRules.size());
  CHECK(copy.all().size() == 1);
}

TEST_CASE("a note at bytes has their place, length and numbers", "[unit]") {
  const std::uint8_t bytes[3] = {};
  Notes notes;
  notes.add(Rule::alp_packed_padding, {bytes, 70, Space::page}, UINT64_MAX, 2);
  REQUIRE(notes.all().size() == 1);
  const Error& error = notes.all()[0].error;
  CHECK(error.rule == Rule::alp_packed_padding);
  CHECK(error.offset == 70);
  CHECK(error.length == 3);
  CHECK(error.space == Space::page);
  CHECK(error.found == INT64_MAX);
  CHECK(error.expected == 2);
}

}  // namespace parqproof
