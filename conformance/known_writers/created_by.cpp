#include "conformance/known_writers/created_by.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "codec/base/text.hpp"

namespace parqproof {
namespace {

constexpr std::string_view kSpaces = " \t\n\r\f\v";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

/// The version at the start of a text; empty if there is none.
std::string_view version_of(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front())) return {};
  return text.substr(0, std::min(text.find_first_of(kSpaces), text.find('(')));
}

/// Reads the numbers of a version one by one.
class VersionNumbers {
 public:
  explicit VersionNumbers(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool has_more() const { return !rest_.empty() && is_digit(rest_.front()); }

  /// Returns the next number, or 0 if there is none; numbers above 64 bits compare as equal.
  std::uint64_t next() {
    constexpr std::uint64_t kMaxBeforeDigit = UINT64_MAX / 10 - 1;
    std::uint64_t number = 0;
    std::size_t size = 0;
    while (size < rest_.size() && is_digit(rest_[size])) {
      number = std::min(number, kMaxBeforeDigit) * 10 + static_cast<std::uint64_t>(rest_[size] - '0');
      ++size;
    }
    rest_.remove_prefix(size);
    if (rest_.size() > 1 && rest_[0] == '.' && is_digit(rest_[1])) rest_.remove_prefix(1);
    return number;
  }

  /// Returns true if the text after the numbers marks a pre-release.
  [[nodiscard]] bool is_prerelease() const {
    constexpr std::array<std::string_view, 5> kWords = {"snapshot", "rc", "alpha", "beta", "dev"};
    return std::ranges::any_of(kWords, [this](std::string_view word) {
      const auto same = [](char a, char b) { return to_lower(a) == b; };
      return std::ranges::search(rest_, word, same).begin() != rest_.end();
    });
  }

 private:
  std::string_view rest_;
};

}  // namespace

CreatedBy read_created_by(std::string_view text) noexcept {
  constexpr std::string_view kWord = " version ";
  CreatedBy out;
  std::size_t end = text.find(kWord);
  if (end != text.npos) {
    out.version = version_of(trimmed(text.substr(end + kWord.size())));
    if (out.version.empty()) end = text.npos;
  } else {
    // The version is a word after the first one and before a parenthesis.
    const std::string_view words = text.substr(0, text.find('('));
    for (end = words.find(' '); end != words.npos; end = words.find(' ', end + 1)) {
      out.version = version_of(words.substr(end + 1));
      if (!out.version.empty()) break;
    }
  }
  out.software = trimmed(text.substr(0, std::min(end, text.find(" ("))));
  return out;
}

std::strong_ordering compare_versions(std::string_view a, std::string_view b) noexcept {
  VersionNumbers one(a);
  VersionNumbers other(b);
  while (one.has_more() || other.has_more()) {
    const std::strong_ordering order = one.next() <=> other.next();
    if (order != 0) return order;
  }
  return other.is_prerelease() <=> one.is_prerelease();
}

}  // namespace parqproof
