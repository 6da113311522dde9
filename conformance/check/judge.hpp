#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "codec/rules/finding.hpp"
#include "codec/rules/notes.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/locate.hpp"

namespace parqproof {

/// What a rule saw, in words or numbers.
struct Seen {
  std::string found;
  std::string expected;
  std::string detail;
};

template <typename Found, typename Expected>
[[nodiscard]] Seen seen(const Found& found, const Expected& expected, std::string detail = {}) {
  const auto text = [](const auto& value) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
      return std::to_string(value);
    } else {
      return std::string(value);
    }
  };
  return {text(found), text(expected), std::move(detail)};
}

/// Puts findings at their bytes: at an offset that the caller knows, or at a Thrift field that is looked up
/// again.
class Judge {
 public:
  explicit Judge(Findings& findings) noexcept : findings_(&findings) {}

  [[nodiscard]] Findings& findings() const noexcept { return *findings_; }
  [[nodiscard]] bool wants(Rule rule) const noexcept { return findings_->wants(rule); }

  /// At bytes of the file.
  void at(Rule rule, const Place& place, std::uint64_t offset, std::uint64_t length, Seen what = {},
          std::string field = {}) const;
  /// At the value of the field at `path` in the struct that begins `bytes`; where the field is absent, at the
  /// innermost struct that lacks it. `prefix` stands before `path` in the finding.
  void field(Rule rule, const Place& place, View bytes, const thrift::StructType& type, std::string_view path,
             Seen what = {}, std::string_view prefix = {}) const;
  /// An Error or Note of a decoder, in the page whose header is at `page_offset`.
  void error(const Place& place, const Error& error, std::uint64_t page_offset, std::uint64_t times = 1,
             std::string detail = {}) const;

 private:
  void add(Rule rule, const Place& place, View at, std::uint64_t length, Seen what, std::string field) const;

  Findings* findings_;
};

}  // namespace parqproof
