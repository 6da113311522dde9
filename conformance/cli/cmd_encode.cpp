#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "codec/base/bits.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/text.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/level_codec.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/section/section_input.hpp"
#include "conformance/cli/section/variant_input.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/out.hpp"

namespace parqproof::cli {
namespace {

using Runs = EncodeOptions::Runs;
using Prefixes = EncodeOptions::Prefixes;
using Placeholder = EncodeOptions::Placeholder;

struct Encode {
  SectionWords section;
  bool hex = false;  ///< write hex text
  std::string path = kStandardInput;
  EncodeOptions options;
  std::vector<std::string> given;  ///< names of the options of the codec that the call has
  std::uint64_t largest = 0;       ///< largest number of these
  std::optional<std::uint64_t> padding;
  std::optional<std::uint64_t> unneeded_width;
  std::optional<std::uint64_t> vector_size;

  [[nodiscard]] bool has(const char* option) const { return std::ranges::find(given, option) != given.end(); }
};

EncodeOptions::Exponents exponents_of(const std::string& text) {
  EncodeOptions::Exponents exponents;
  const char* const end = text.data() + text.size();
  const auto [comma, error] = std::from_chars(text.data(), end, exponents.exponent);
  if (error != std::errc() || comma == end || *comma != ',') refuse("--exponents: two numbers, as in 14,10");
  const auto [rest, second] = std::from_chars(comma + 1, end, exponents.factor);
  if (second != std::errc() || rest != end) refuse("--exponents: two numbers, as in 14,10");
  return exponents;
}

void declare(Subcommand& sub, Encode& encode) {
  EncodeOptions& options = encode.options;
  const auto number = [&](const char* name, auto& to, const char* description) {
    const auto take = [&encode, &to](std::uint64_t value) {
      encode.largest = std::max(encode.largest, value);
      to = static_cast<std::uint32_t>(value);
    };
    sub.number(name, take, "N", description);
  };
  sub.text("FILE", encode.path, "[FILE|-]",
           "the values, a JSON array as `parqproof decode` prints it; default: standard input");
  declare_section(sub, encode.section);
  sub.flag("--hex", encode.hex, "write text: the bytes in hex")
      .record(encode.given)
      .choice("--runs", options.runs,
              {{"auto", Runs::automatic}, {"rle", Runs::repeated}, {"packed", Runs::packed}},
              "auto, rle or packed: the runs of RLE and of indices; default:\n"
              "auto, an rle run for 8 or more equal values, else packed");
  number("--longest-run", options.longest_run, "max values of a run; a packed run has at least 8");
  number("--varint-bytes", options.varint_bytes,
         "min bytes of each varint in a run header, delta header or\nblock; 1 to 10");
  number("--block-size", options.block_size,
         "values of a delta block; default: 128, or the smallest size\nthat --miniblocks divides");
  number("--miniblocks", options.miniblocks, "miniblocks of a delta block; default: 4");
  number("--suffix-block-size", options.suffix_block_size,
         "block size of the suffix lengths of DELTA_BYTE_ARRAY;\ndefault: that of --block-size");
  number("--suffix-miniblocks", options.suffix_miniblocks,
         "miniblocks of such a block; default: that of --miniblocks");
  sub.choice("--prefixes", options.prefixes,
             {{"auto", Prefixes::longest}, {"longest", Prefixes::longest}, {"none", Prefixes::none}},
             "auto, longest or none: the prefix that a DELTA_BYTE_ARRAY\n"
             "value shares with the previous one; default: auto, the\n"
             "longest prefix");
  number("--longest-prefix", options.longest_prefix, "max bytes of a shared prefix");
  number("--spare-bits", options.spare_bits,
         "bits added to the width of a miniblock, of an ALP vector, or\nof a number of GROUP_VAR_INT");
  number("--reference-slack", options.reference_slack,
         "distance of a min delta or a frame of reference from the\nsmallest number");
  sub.number("--padding", encode.padding, "BYTE",
             "0 to 255: content of unused bits, slots, numbers and width bytes")
      .number("--unneeded-width", encode.unneeded_width, "BYTE",
              "0 to 255: width of the miniblocks of a delta block that have\n"
              "no value; default: that of --padding")
      .choice("--empty", options.empty_header, {{"header", true}, {"none", false}},
              "header or none: content of a section without values;\ndefault: header")
      .number("--vector-size", encode.vector_size, "N",
              "values of an ALP vector: a power of two from 8 to 32768;\ndefault: 1024")
      .parsed(
          "--exponents", [&](const std::string& text) { options.exponents = exponents_of(text); }, "E,F",
          "exponent and factor of all ALP vectors; default: the best\nfor a sample of each")
      .choice("--exceptions", options.exceptions_descending, {{"ascending", false}, {"descending", true}},
              "ascending or descending: order of the positions of ALP\nexceptions; default: ascending");
  number("--needless-exceptions", options.needless_exceptions,
         "number of values at the start of each ALP vector that become\nexceptions without need");
  sub.choice("--placeholder", options.placeholder,
             {{"first", Placeholder::first},
              {"smallest", Placeholder::smallest},
              {"largest", Placeholder::largest}},
             "first, smallest or largest: the integer of an ALP vector that\n"
             "replaces its exceptions; default: first")
      .footer(R"(
Each choice that the specification leaves to the writer is an option; one that the encoding does not use is refused.
Values that the encoding cannot represent are refused too: exit code 2, and nothing on standard output.

Examples:
  printf '[1,2,3,4,5]' | parqproof encode --encoding DELTA_BINARY_PACKED --type INT32 --hex
  printf '[0,1,2,3,4,5,6,7]' | parqproof encode --encoding RLE --type LEVEL --bit-width 3 --hex)");
}

/// The options of the codec, and whether the section uses them.
std::vector<std::pair<const char*, bool>> uses_of(const LoneSection& section) {
  const Encoding encoding = section.encoding;
  const bool hybrid = encoding == Encoding::RLE || section.indices();
  const bool prefixed = encoding == Encoding::DELTA_BYTE_ARRAY;
  const bool delta =
      prefixed || encoding == Encoding::DELTA_BINARY_PACKED || encoding == Encoding::DELTA_LENGTH_BYTE_ARRAY;
  const bool alp = encoding == Encoding::ALP;
  const bool bits =
      encoding == Encoding::BIT_PACKED || (encoding == Encoding::PLAIN && section.type == Type::BOOLEAN);
  const bool group = encoding == Encoding::GROUP_VAR_INT;
  return {{"--runs", hybrid},
          {"--longest-run", hybrid},
          {"--varint-bytes", hybrid || delta},
          {"--block-size", delta},
          {"--miniblocks", delta},
          {"--suffix-block-size", prefixed},
          {"--suffix-miniblocks", prefixed},
          {"--prefixes", prefixed},
          {"--longest-prefix", prefixed},
          {"--spare-bits", delta || alp || group},
          {"--reference-slack", delta || alp},
          {"--padding", hybrid || delta || alp || bits || group},
          {"--unneeded-width", delta},
          {"--empty", (hybrid && !section.levels) || delta || alp},
          {"--vector-size", alp},
          {"--exponents", alp},
          {"--exceptions", alp},
          {"--needless-exceptions", alp},
          {"--placeholder", alp}};
}

/// Options of the codec, or the message about an invalid option.
std::expected<EncodeOptions, std::string> options_of(const Encode& encode, const LoneSection& section) {
  for (const auto& [option, is_used] : uses_of(section)) {
    if (encode.has(option) && !is_used) {
      return std::unexpected(std::string(option) + ": " + encode.section.encoding + " of " +
                             encode.section.type + " has no use for it");
    }
  }
  EncodeOptions options = encode.options;
  if (encode.has("--longest-prefix") && options.prefixes == Prefixes::none)
    return std::unexpected("--longest-prefix: with --prefixes none there is no prefix");
  for (const auto& [name, byte] :
       {std::pair{"--padding", encode.padding}, std::pair{"--unneeded-width", encode.unneeded_width}}) {
    if (byte.value_or(0) > UINT8_MAX) return std::unexpected(std::string(name) + ": a byte is 0 to 255");
  }
  if (encode.vector_size && !std::has_single_bit(*encode.vector_size))
    return std::unexpected("--vector-size: a power of two from 8 to 32768");
  if (encode.vector_size)
    options.log_vector_size = static_cast<unsigned>(std::countr_zero(*encode.vector_size));
  const std::uint64_t bit_width = encode.section.bit_width.value_or(0);
  if (std::max(encode.largest, bit_width) > INT32_MAX)
    return std::unexpected("an option takes a number of 2147483647 at most");
  if (encode.section.bit_width) options.bit_width = static_cast<unsigned>(bit_width);
  options.padding = static_cast<std::uint8_t>(encode.padding.value_or(0));
  if (encode.unneeded_width) options.unneeded_width = static_cast<std::uint8_t>(*encode.unneeded_width);
  options.selector_little_endian = section.selector_little_endian;
  return options;
}

EncodeStatus encode_section(const LoneSection& section, const ValueList& values, const EncodeOptions& options,
                            std::vector<std::uint8_t>& out) {
  if (!section.levels) {
    std::vector<ByteArray> windows;
    const ValueBatch batch = values.batch(section.type, section.type_length, section.indices(), windows);
    return encode_values(section.encoding, {section.type, section.type_length, options, out}, batch);
  }
  for (const std::uint32_t level : values.numbers) {
    if (level > low_bits(section.bit_width)) return std::unexpected("the bit width does not fit the levels");
  }
  LevelEncoder encoder;
  if (const EncodeStatus opened = encoder.open(section.encoding, {section.bit_width, options, out});
      !opened) {
    return opened;
  }
  encoder.add(values.numbers);
  encoder.finish();
  return {};
}

void write_bytes(const Encode& encode, const std::vector<std::uint8_t>& bytes, Out& out) {
  if (encode.hex) {
    out << hex(bytes) << "\n";
  } else {
    out << text_of(bytes);
  }
}

/// A Variant without columns.
int run_variant(const Encode& encode) {
  if (encode.section.type != kVariant)
    return could_not_run("VARIANT is a value of type VARIANT: --type VARIANT");
  if (!encode.given.empty()) return could_not_run(encode.given.front() + ": VARIANT has no use for it");
  std::string why;
  const auto input = read_input(encode.path, Limits{}.page_bytes, why);
  if (!input) return could_not_run(encode.path + ": " + why);
  const nlohmann::json array = nlohmann::json::parse(*input, nullptr, false);
  if (!array.is_array() || array.size() != 1)
    return could_not_run(encode.path + ": the input is not a JSON array of one value");
  const auto bytes = encode_variant(array.front());
  if (!bytes) return could_not_run(encode.path + ": " + bytes.error());
  Out out(STDOUT_FILENO);
  write_bytes(encode, *bytes, out);
  return finish(out, kFine);
}

int run(const Encode& encode) {
  if (encode.section.encoding == kVariant) return run_variant(encode);
  const std::expected<LoneSection, std::string> section = section_of(encode.section);
  if (!section) return could_not_run(section.error());
  const auto options = options_of(encode, *section);
  if (!options) return could_not_run(options.error());
  std::string why;
  const auto input = read_input(encode.path, Limits{}.page_bytes, why);
  if (!input) return could_not_run(encode.path + ": " + why);
  const nlohmann::json array = nlohmann::json::parse(*input, nullptr, false);
  if (array.is_discarded())
    return could_not_run(encode.path + ": the input is not JSON, or has a number out of range");
  const auto values =
      read_values(array, section->type, section->type_length, section->levels || section->indices());
  if (!values) return could_not_run(encode.path + ": " + values.error());
  std::vector<std::uint8_t> bytes;
  if (const EncodeStatus status = encode_section(*section, *values, *options, bytes); !status) {
    return could_not_run(std::string(status.error()));
  }
  Out out(STDOUT_FILENO);
  write_bytes(encode, bytes, out);
  return finish(out, kFine);
}

}  // namespace

void add_encode(CommandLine& line) {
  line.add<Encode>("encode", "encode a JSON array of values as a section of one encoding", declare, run);
}

}  // namespace parqproof::cli
