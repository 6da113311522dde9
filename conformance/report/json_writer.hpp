#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/out.hpp"

namespace parqproof {

/// Writes JSON incrementally, so that its length needs no memory. Containers of the outer `broken` levels
/// have a line for each member; inner ones are on one line.
class JsonWriter {
 public:
  explicit JsonWriter(Out& out, std::size_t broken = 0) noexcept : out_(&out), broken_(broken) {}

  void begin_object() { begin('{', '}'); }
  void begin_array() { begin('[', ']'); }
  /// Ends the innermost object or array; at the outermost level, also the line.
  void end();

  void key(std::string_view name);

  void string(std::string_view bytes);
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void null() { raw("null"); }
  /// A number in its shortest form, a negative zero as -0.0; NaN and infinities are strings.
  void real(double value);
  template <std::integral Integer>
  void integer(Integer value) {
    raw(std::to_string(value));
  }

  /// A value that is JSON already.
  void raw(std::string_view text);

  /// Returns true if the output is closed, so that nothing arrives any more.
  [[nodiscard]] bool closed() const noexcept { return out_->closed(); }

  /// A member that is an array; `write` writes one element of the list.
  template <typename List, typename Write>
  void array(std::string_view name, const List& list, Write&& write) {
    key(name);
    begin_array();
    for (const auto& one : list) write(one);
    end();
  }

  void member(std::string_view name, std::string_view value) { key(name), string(value); }
  void member(std::string_view name, const char* value) { key(name), string(value); }
  template <std::same_as<bool> Bool>
  void member(std::string_view name, Bool value) {
    key(name), boolean(value);
  }
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  void member(std::string_view name, Integer value) {
    key(name), integer(value);
  }

 private:
  void begin(char open, char close);
  void next();

  Out* out_;
  std::vector<char> open_;  // pending closing brackets
  std::size_t broken_;
  bool first_ = true;  // in the innermost container
  bool after_key_ = false;
};

/// One value as JSON on one line, without the newline; `write` writes it.
template <typename Write>
[[nodiscard]] std::string json_text(Write&& write) {
  std::string text;
  {
    Out out(text);
    JsonWriter json(out);
    write(json);
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace parqproof
