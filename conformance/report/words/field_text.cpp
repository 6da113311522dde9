#include "conformance/report/words/field_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codec/base/text.hpp"
#include "codec/encoding/values.hpp"
#include "codec/rules/rule.hpp"
#include "codec/schema/value_text.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

using thrift::Event;
using thrift::Kind;
using thrift::Wire;

/// Max bytes shown of a bound with a wrong length.
constexpr std::size_t kShownOfBound = 32;

/// Names of the kinds, in the order of the enumeration.
constexpr std::string_view kKindNames[] = {"bool",   "i8",     "i16",  "i32",    "i64", "double",
                                           "binary", "string", "enum", "struct", "list"};
static_assert(std::size(kKindNames) == static_cast<std::size_t>(Kind::list) + 1);

/// Kinds of values by their wire types, in the order of the enumeration.
constexpr Kind kKindsOfWires[] = {Kind::boolean, Kind::boolean, Kind::boolean,   Kind::i8,     Kind::i16,
                                  Kind::i32,     Kind::i64,     Kind::double_,   Kind::binary, Kind::list,
                                  Kind::list,    Kind::list,    Kind::structure, Kind::binary};
static_assert(std::size(kKindsOfWires) == static_cast<std::size_t>(Wire::uuid) + 1);

Kind kind_of_wire(Wire wire) { return kKindsOfWires[static_cast<std::size_t>(wire)]; }

/// The name of a struct or enumeration in the field table, else that of the kind.
std::string named(Kind kind, const thrift::StructType* type, const thrift::EnumType* enumeration) {
  if (kind == Kind::structure && type != nullptr) return std::string(type->name);
  if (kind == Kind::enumeration && enumeration != nullptr) return std::string(enumeration->name);
  return std::string(kKindNames[static_cast<std::size_t>(kind)]);
}

const thrift::EnumType* enumeration_of(const Event& event) {
  return event.known != nullptr && kind_of(event) == Kind::enumeration ? event.known->enumeration : nullptr;
}

}  // namespace

bool is_container(const Event& event) noexcept {
  return event.wire == Wire::struct_ || event.wire == Wire::list || event.wire == Wire::set ||
         event.wire == Wire::map;
}

bool is_end(const Event& event) noexcept {
  return event.what == Event::What::end_struct || event.what == Event::What::end_list;
}

Kind kind_of(const Event& event) noexcept {
  if (event.known == nullptr) return kind_of_wire(event.wire);
  const Kind kind = event.what == Event::What::field ? event.known->kind : event.known->element;
  return thrift::wire_matches(event.wire, kind) ? kind : kind_of_wire(event.wire);
}

std::string_view symbol_of(const Event& event) noexcept {
  const thrift::EnumType* enumeration = enumeration_of(event);
  return enumeration == nullptr ? std::string_view() : enumeration->name_of(event.integer);
}

std::string type_text(const Event& event) {
  if (event.wire == Wire::set) return "set";
  if (event.wire == Wire::map) return "map";
  const Kind kind = kind_of(event);
  if (kind != Kind::list) return named(kind, event.type, enumeration_of(event));
  if (event.known == nullptr) return "list";
  return "list<" + named(event.known->element, event.known->type, event.known->enumeration) + ">";
}

RuleSet framing_rules() noexcept {
  RuleSet rules;
  for (const Rule rule :
       {Rule::thrift_compact_protocol, Rule::thrift_stop_byte, Rule::thrift_list_size,
        Rule::thrift_binary_length, Rule::thrift_varint_overflow, Rule::thrift_nesting_depth}) {
    rules.set(static_cast<std::size_t>(rule));
  }
  return rules;
}

std::string_view FieldNames::next(const Event& event) {
  if (is_end(event)) {
    if (open_.size() > 1) open_.pop_back();
    return {};
  }
  std::string_view name;
  if (event.what == Event::What::field && open_.back() != nullptr) {
    const thrift::Field* field = open_.back()->find(event.id);
    if (field != nullptr) {
      name = field->name;
    } else if (thrift::is_extension(event.id, event.wire)) {
      name = "extension";
    }
  }
  if (is_container(event)) open_.push_back(event.wire == Wire::struct_ ? event.type : nullptr);
  return name;
}

std::string label_of(const Event& event, std::string_view name) {
  switch (event.what) {
    case Event::What::element:
      return fmt::format("[{}]", event.index);
    case Event::What::key:
      return fmt::format("[{}] key", event.index);
    case Event::What::value:
      return fmt::format("[{}] value", event.index);
    default:
      return name.empty() ? fmt::format("unknown field {}", event.id) : std::string(name);
  }
}

std::string enumerator_text(const thrift::EnumType& type, std::int64_t number, std::string_view noun) {
  const std::string_view name = type.name_of(number);
  return name.empty() ? fmt::format("{} {}", noun, number) : std::string(name);
}

std::string bound_text(const View& bound, const Node& leaf) {
  const std::uint32_t width =
      fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
  if (width != 0 && bound.size() != width) {
    const View shown = bound.part(0, std::min(bound.size(), kShownOfBound));
    return fmt::format("0x{}{} ({}; the type has {})", hex(shown.bytes),
                       shown.size() < bound.size() ? "..." : "", counted(bound.size(), "byte"), width);
  }
  return short_text(bound.bytes, leaf);
}

std::string field_text(const Event& event, std::size_t most) {
  switch (kind_of(event)) {
    case Kind::boolean:
      return event.integer != 0 ? "true" : "false";
    case Kind::double_:
      return shortest(event.real);
    case Kind::string:
    case Kind::binary: {
      const View& all = event.bytes;
      const std::string_view text = text_of(all.part(0, std::min(all.size(), most)));
      const std::string rest = all.size() > most ? fmt::format("... ({} bytes)", all.size()) : std::string();
      if (kind_of(event) == Kind::string) return "\"" + printable(text) + "\"" + rest;
      return all.empty() ? "(no bytes)" : hex(all.part(0, text.size()).bytes) + rest;
    }
    case Kind::enumeration: {
      const std::string_view symbol = symbol_of(event);
      return symbol.empty() ? fmt::format("{} (unknown {})", event.integer, enumeration_of(event)->name)
                            : fmt::format("{} ({})", event.integer, symbol);
    }
    default:
      if (event.known != nullptr && event.known->name == "crc")
        return "0x" + hex_number(static_cast<std::uint32_t>(event.integer));
      return std::to_string(event.integer);
  }
}

}  // namespace parqproof
