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

  /// A string, boolean or number, by the type.
  template <typename Value>
  void value(const Value& one) {
    if constexpr (std::same_as<Value, bool>) {
      boolean(one);
    } else if constexpr (std::integral<Value>) {
      integer(one);
    } else {
      string(one);
    }
  }
  template <typename Value>
  void member(std::string_view name, const Value& one) {
    key(name), value(one);
  }

  /// An object; `write` writes its members.
  template <typename Write>
  void object(Write&& write) {
    begin_object(), write(), end();
  }
  template <typename Write>
  void object(std::string_view name, Write&& write) {
    key(name), object(write);
  }

  /// A member that is an array; `write` writes one element of the list.
  template <typename List, typename Write>
  void array(std::string_view name, const List& list, Write&& write) {
    key(name), begin_array();
    for (const auto& one : list) write(one);
    end();
  }
  /// The same for elements that are objects; `write` writes the members of one.
  template <typename List, typename Write>
  void objects(std::string_view name, const List& list, Write&& write) {
    array(name, list, [&](const auto& one) { object([&] { write(one); }); });
  }
  template <typename List>
  void values(std::string_view name, const List& list) {
    array(name, list, [&](const auto& one) { value(one); });
  }
  /// An array of values, in the order of the arguments.
  template <typename... Values>
  void row(const Values&... values) {
    begin_array(), (value(values), ...), end();
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
/// The same for an object; `write` writes its members.
template <typename Write>
[[nodiscard]] std::string object_text(Write&& write) {
  return json_text([&](JsonWriter& json) { json.object([&] { write(json); }); });
}

}  // namespace parqproof
