#include "conformance/cli/input/glob.hpp"

#include <cstddef>

namespace parqproof::cli {
namespace {

/// Matches one pattern with one text.
class Glob {
 public:
  /// `wall` is the byte that `*` and `?` do not match, or 0.
  Glob(std::string_view pattern, std::string_view text, char wall) noexcept
      : pattern_(pattern), text_(text), wall_(wall) {}

  [[nodiscard]] bool fits(std::size_t p = 0, std::size_t t = 0) const {
    while (p < pattern_.size()) {
      if (pattern_[p] == '*') return star(p, t);
      if (t == text_.size() || !one(p, text_[t])) return false;
      ++t;
    }
    return t == text_.size();
  }

 private:
  [[nodiscard]] bool star(std::size_t p, std::size_t t) const {
    std::size_t next = p;
    while (next < pattern_.size() && pattern_[next] == '*') ++next;
    const bool deep = next - p > 1;
    if (deep && pattern_.substr(next).starts_with('/') && (t == 0 || text_[t - 1] == '/') &&
        fits(next + 1, t)) {
      return true;
    }
    for (;; ++t) {
      if (fits(next, t)) return true;
      if (t == text_.size() || (!deep && text_[t] == wall_ && wall_ != 0)) return false;
    }
  }

  /// Matches a byte with the element of the pattern at `p`, and moves `p` to the next element.
  [[nodiscard]] bool one(std::size_t& p, char byte) const {
    const char c = pattern_[p++];
    if (c == '?') return byte != wall_ || wall_ == 0;
    const std::size_t end = c == '[' ? pattern_.find(']', p + 1) : pattern_.npos;
    if (end == pattern_.npos) return byte == c;
    const bool inverted = pattern_[p] == '!';
    bool in = false;
    for (std::size_t i = p + (inverted ? 1 : 0); i < end; ++i) {
      const bool range = i + 2 < end && pattern_[i + 1] == '-';
      const auto low = static_cast<unsigned char>(pattern_[i]);
      const auto high = static_cast<unsigned char>(pattern_[range ? i + 2 : i]);
      in |= low <= static_cast<unsigned char>(byte) && static_cast<unsigned char>(byte) <= high;
      if (range) i += 2;
    }
    p = end + 1;
    return in != inverted && (byte != wall_ || wall_ == 0);
  }

  std::string_view pattern_;
  std::string_view text_;
  char wall_;
};

}  // namespace

bool path_fits(std::string_view pattern, std::string_view path) {
  if (pattern.find('/') == pattern.npos) path.remove_prefix(path.rfind('/') + 1);
  return Glob(pattern, path, '/').fits();
}

bool text_fits(std::string_view pattern, std::string_view text) { return Glob(pattern, text, 0).fits(); }

}  // namespace parqproof::cli
