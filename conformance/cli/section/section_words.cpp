#include "conformance/cli/section/section_words.hpp"

#include <algorithm>
#include <limits>

#include "codec/encoding/table.hpp"
#include "conformance/cli/options.hpp"

namespace parqproof::cli {
namespace {

constexpr std::string_view kLevel = "LEVEL";
constexpr std::uint64_t kMaxCount = INT32_MAX;  // values of a page, bytes of a value

std::unexpected<std::string> wrong(std::string text) { return std::unexpected(std::move(text)); }

}  // namespace

void declare_section(Subcommand& sub, SectionWords& words) {
  sub.text("--encoding", words.encoding, "E REQUIRED",
           "PLAIN, RLE, DELTA_BINARY_PACKED ...: a name that `parqproof\nencodings` lists", Need::required)
      .text("--type", words.type, "T REQUIRED",
            "BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY,\n"
            "FIXED_LEN_BYTE_ARRAY; INT32 for dictionary indices;\n"
            "LEVEL for levels (RLE without length prefix, BIT_PACKED)",
            Need::required)
      .number("--type-length", words.type_length, "N", "bytes of a FIXED_LEN_BYTE_ARRAY value")
      .number("--bit-width", words.bit_width, "N", "bits of a level, or of a dictionary index")
      .text("--selector", words.selector, "WORD",
            "be (default) or le: byte order of the selectors of INT64 in\nGROUP_VAR_INT");
}

std::expected<LoneSection, std::string> section_of(const SectionWords& words) {
  LoneSection section;
  const EncodingInfo* const row = find_encoding(words.encoding);
  if (row == nullptr) {
    return wrong("no encoding is named '" + words.encoding + "'; `parqproof encodings` lists them");
  }
  section.encoding = row->encoding;
  section.levels = words.type == kLevel;
  const auto type = std::ranges::find(kTypeEnum.values, words.type, &thrift::EnumValue::name);
  if (!section.levels) {
    if (type == kTypeEnum.values.end()) return wrong("no type is named '" + words.type + "'");
    section.type = static_cast<Type>(type->value);
  }
  if (words.count > kMaxCount) return wrong("a page has at most " + std::to_string(kMaxCount) + " values");
  section.count = words.count;

  const bool fixed = !section.levels && section.type == Type::FIXED_LEN_BYTE_ARRAY;
  if (fixed && !words.type_length) return wrong("FIXED_LEN_BYTE_ARRAY needs the type length");
  if (!fixed && words.type_length) return wrong("only FIXED_LEN_BYTE_ARRAY has a type length");
  if (words.type_length.value_or(0) > kMaxCount) return wrong("the type length is too large");
  section.type_length = static_cast<std::uint32_t>(words.type_length.value_or(0));

  if (section.levels && !words.bit_width) return wrong("levels need the bit width");
  if (!section.levels && !section.indices() && words.bit_width) {
    return wrong("only levels and dictionary indices have a bit width");
  }
  const std::uint64_t width = words.bit_width.value_or(0);
  section.bit_width =
      static_cast<unsigned>(std::min<std::uint64_t>(width, std::numeric_limits<unsigned>::max()));

  if (!words.selector.empty()) {
    if (words.selector != "be" && words.selector != "le") {
      return wrong("the selector is be or le, not '" + words.selector + "'");
    }
    if (section.encoding != Encoding::GROUP_VAR_INT || section.type != Type::INT64) {
      return wrong("only INT64 in GROUP_VAR_INT has a selector");
    }
    section.selector_little_endian = words.selector == "le";
  }
  if (const std::string_view why = why_impossible(section); !why.empty()) {
    return wrong(words.encoding + " of " + words.type + ": " + std::string(why));
  }
  return section;
}

}  // namespace parqproof::cli
