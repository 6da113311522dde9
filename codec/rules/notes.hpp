#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "codec/base/bytes.hpp"
#include "codec/base/result.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

/// One of kNotedRules; naming any other rule does not compile.
class NotedRule {
 public:
  consteval NotedRule(Rule rule) : rule_(rule) {  // NOLINT(google-explicit-constructor): a rule, checked
    if (std::ranges::find(kNotedRules, rule) == kNotedRules.end()) throw "the rule is not in kNotedRules";
  }
  constexpr operator Rule() const noexcept { return rule_; }  // NOLINT(google-explicit-constructor)

  /// All of them, in the order of kNotedRules.
  [[nodiscard]] static consteval auto all() {
    return []<std::size_t... i>(std::index_sequence<i...>) {
      return std::array{NotedRule(kNotedRules[i])...};
    }(std::make_index_sequence<kNotedRules.size()>());
  }

 private:
  Rule rule_;
};

/// What a decoder found wrong and went on from: of each rule the Error that stands first in the page, and how
/// often the rule was broken, in the order in which the rules were met. Streams that are read by turns may
/// note their Errors in another order. There is room for every rule that can be noted, so none is lost. It
/// never allocates.
class Notes {
 public:
  struct Note {
    Error error;
    std::uint64_t times = 0;
  };

  Notes() noexcept {}  // the room for notes stays as it is until there are some
  Notes(const Notes& other) noexcept { *this = other; }
  Notes& operator=(const Notes& other) noexcept {
    if (this != &other) {
      clear();
      for (const Note& note : other.all()) append(note);
    }
    return *this;
  }

  /// `error` says where and with what numbers; its rule is set to `rule`.
  void add(NotedRule rule, Error error, std::uint64_t times = 1) noexcept {
    error.rule = rule;
    for (std::size_t i = 0; i < size_; ++i) {
      if (notes_[i].error.rule == rule) {
        if (error.offset < notes_[i].error.offset) notes_[i].error = error;
        notes_[i].times += times;
        return;
      }
    }
    append({error, times});
  }
  void add(NotedRule rule, View where, std::uint64_t found, std::uint64_t expected) noexcept {
    add(rule, Error::at(rule, where, found, expected));
  }

  [[nodiscard]] std::span<const Note> all() const noexcept { return {notes_.data(), size_}; }
  void clear() noexcept { size_ = 0; }

 private:
  void append(const Note& note) noexcept { std::construct_at(&notes_[size_++], note); }

  union {
    std::array<Note, kNotedRules.size()> notes_;  // the first size_ of them
  };
  std::size_t size_ = 0;
};

}  // namespace parqproof
