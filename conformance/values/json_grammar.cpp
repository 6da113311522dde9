#include "conformance/values/embedded_documents.hpp"

namespace parqproof {
namespace {

constexpr int kEnd = -1;

bool is_digit(int c) { return c >= '0' && c <= '9'; }
bool is_hex(int c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// A scanner over a text. Functions that read a part return what is expected at the first syntax error.
class Scan {
 public:
  using Due = std::string_view;  // empty if there is no error

  explicit Scan(std::span<const std::uint8_t> text) : text_(text) {}

  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] int peek() const { return at_ < text_.size() ? text_[at_] : kEnd; }
  void skip() { ++at_; }
  [[nodiscard]] bool take(int c) {
    const bool is = peek() == c;
    at_ += is ? 1 : 0;
    return is;
  }
  void pass_spaces() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }

  /// Reads a string after its opening quotation mark.
  [[nodiscard]] Due string() {
    for (;;) {
      while (at_ < text_.size() && text_[at_] >= 0x20 && text_[at_] != '"' && text_[at_] != '\\') ++at_;
      if (take('"')) return {};
      if (!take('\\')) return peek() == kEnd ? "a quotation mark" : "an escaped control character";
      if (take('u')) {
        for (int i = 0; i < 4; ++i) {
          if (!is_hex(peek())) return "a hex digit";
          ++at_;
        }
      } else if (peek() == kEnd ||
                 std::string_view("\"\\/bfnrt").find(static_cast<char>(peek())) == std::string_view::npos) {
        return "an escape";
      } else {
        ++at_;
      }
    }
  }

  [[nodiscard]] Due number() {
    static_cast<void>(take('-'));
    if (!take('0')) {
      if (const Due due = digits(); !due.empty()) return due;
    }
    if (take('.')) {
      if (const Due due = digits(); !due.empty()) return due;
    }
    if (take('e') || take('E')) {
      if (!take('+')) static_cast<void>(take('-'));
      return digits();
    }
    return {};
  }

  [[nodiscard]] Due word(std::string_view word) {
    for (const char c : word) {
      if (!take(c)) return word;
    }
    return {};
  }

 private:
  [[nodiscard]] Due digits() {
    if (!is_digit(peek())) return "a digit";
    while (is_digit(peek())) ++at_;
    return {};
  }

  std::span<const std::uint8_t> text_;
  std::size_t at_ = 0;
};

/// Reads a value that is no object and no array.
Scan::Due scalar(Scan& scan) {
  const int c = scan.peek();
  if (scan.take('"')) return scan.string();
  if (c == '-' || is_digit(c)) return scan.number();
  if (c == 't') return scan.word("true");
  if (c == 'f') return scan.word("false");
  if (c == 'n') return scan.word("null");
  return "a value";
}

}  // namespace

std::optional<DocumentFault> JsonGrammar::fault(std::span<const std::uint8_t> text) {
  enum class Next : std::uint8_t { value, value_or_end, name, name_or_end, after_value };
  Scan scan(text);
  const auto due = [&](std::string_view what) { return DocumentFault{scan.at(), what}; };
  in_object_.clear();
  Next next = Next::value;
  const auto open = [&](bool object) {
    in_object_.push_back(object);
    next = object ? Next::name_or_end : Next::value_or_end;
  };
  const auto close = [&] {
    in_object_.pop_back();
    next = Next::after_value;
  };
  for (;;) {
    scan.pass_spaces();
    switch (next) {
      case Next::after_value:
        if (in_object_.empty()) return scan.peek() == kEnd ? std::nullopt : std::optional(due("the end"));
        if (scan.take(',')) {
          next = in_object_.back() ? Next::name : Next::value;
        } else if (scan.take(in_object_.back() ? '}' : ']')) {
          close();
        } else {
          return due(in_object_.back() ? "a comma or a closing brace" : "a comma or a closing bracket");
        }
        break;
      case Next::name_or_end:
        if (scan.take('}')) {
          close();
          break;
        }
        [[fallthrough]];
      case Next::name:
        if (!scan.take('"')) return due("a name in quotation marks");
        if (const Scan::Due missing = scan.string(); !missing.empty()) return due(missing);
        scan.pass_spaces();
        if (!scan.take(':')) return due("a colon");
        next = Next::value;
        break;
      case Next::value_or_end:
        if (scan.take(']')) {
          close();
          break;
        }
        [[fallthrough]];
      case Next::value:
        if (scan.take('{')) {
          open(true);
        } else if (scan.take('[')) {
          open(false);
        } else if (const Scan::Due missing = scalar(scan); !missing.empty()) {
          return due(missing);
        } else {
          next = Next::after_value;
        }
        break;
    }
  }
}

}  // namespace parqproof
