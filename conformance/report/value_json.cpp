#include "conformance/report/value_json.hpp"

#include "codec/base/text.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

using Form = ValueBatch::Form;

using Kind = ValueText::Kind;

}  // namespace

void append_value(std::string& out, std::span<const std::uint8_t> value, const ValueStyle& style,
                  std::string& buffer) {
  const ValueText written = value_text(value, style, buffer);
  switch (written.kind) {
    case Kind::literal:
      out += written.text;
      if (written.text == "-0") out += ".0";  // many readers parse -0 as an integer
      break;
    case Kind::words:
      out += '"';
      out += written.text;
      out += '"';
      break;
    case Kind::text:
      out += json_string(written.text);
      break;
    case Kind::bytes:
    case Kind::no_text:
      out += written.kind == Kind::bytes ? "\"" : R"({"hex":")";
      append_hex(out, value);
      out += written.kind == Kind::bytes ? "\"" : "\"}";
      break;
  }
}

bool has_room_for(std::string& text, std::size_t more, std::size_t most) {
  if (text.size() > most || more > most - text.size()) return false;
  if (text.size() > most / 4 && text.capacity() < most) text.reserve(most + most / 64);
  return true;
}

void write_values(const ValueBatch& batch, Type type, std::uint32_t type_length, JsonWriter& out) {
  const std::uint32_t width = fixed_width(type, type_length);
  const ValueStyle style = physical_style(type);
  std::string text;
  std::string buffer;
  const auto write = [&](std::span<const std::uint8_t> value) {
    text.clear();
    append_value(text, value, style, buffer);
    out.raw(text);
  };
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    switch (batch.form) {
      case Form::fixed:
        write({batch.fixed + i * width, width});
        break;
      case Form::byte_arrays:
        write({batch.byte_arrays[i].data, batch.byte_arrays[i].size});
        break;
      case Form::booleans:
        out.boolean(batch.booleans[i] != 0);
        break;
      case Form::boolean_run:
        out.boolean(batch.run != 0);
        break;
      case Form::indices:
        out.integer(batch.indices[i]);
        break;
      case Form::index_run:
        out.integer(batch.run);
        break;
    }
  }
}

}  // namespace parqproof
