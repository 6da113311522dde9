#include <unistd.h>

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
#include "conformance/cli/section/section_words.hpp"
#include "conformance/cli/section/value_list.hpp"
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
  std::optional<Runs> runs;
  std::optional<std::uint64_t> longest_run;
  std::optional<std::uint64_t> varint_bytes;
  std::optional<std::uint64_t> spare_bits;
  std::optional<std::uint64_t> reference_slack;
  std::optional<std::uint64_t> padding;
  std::optional<std::uint64_t> unneeded_width;
  std::optional<bool> empty_header;
  std::optional<std::uint64_t> block_size;
  std::optional<std::uint64_t> miniblocks;
  std::optional<std::uint64_t> suffix_block_size;
  std::optional<std::uint64_t> suffix_miniblocks;
  std::optional<Prefixes> prefixes;
  std::optional<std::uint64_t> longest_prefix;
  std::optional<std::uint64_t> vector_size;
  std::optional<EncodeOptions::Exponents> exponents;
  std::optional<bool> exceptions_descending;
  std::optional<std::uint64_t> needless_exceptions;
  std::optional<Placeholder> placeholder;
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
  sub.text("FILE", encode.path, "[FILE|-]",
           "the values, a JSON array as `parqproof decode` prints it; default: standard input");
  declare_section(sub, encode.section);
  sub.flag("--hex", encode.hex, "write text: the bytes in hex")
      .choice("--runs", encode.runs,
              {{"auto", Runs::automatic}, {"rle", Runs::repeated}, {"packed", Runs::packed}},
              "auto, rle or packed: the runs of RLE and of indices; default:\n"
              "auto, an rle run for 8 or more equal values, else packed")
      .number("--longest-run", encode.longest_run, "N", "max values of a run; a packed run has at least 8")
      .number("--varint-bytes", encode.varint_bytes, "N",
              "min bytes of each varint in a run header, delta header or\nblock; 1 to 10")
      .number("--block-size", encode.block_size, "N",
              "values of a delta block; default: 128, or the smallest size\nthat --miniblocks divides")
      .number("--miniblocks", encode.miniblocks, "N", "miniblocks of a delta block; default: 4")
      .number("--suffix-block-size", encode.suffix_block_size, "N",
              "block size of the suffix lengths of DELTA_BYTE_ARRAY;\ndefault: that of --block-size")
      .number("--suffix-miniblocks", encode.suffix_miniblocks, "N",
              "miniblocks of such a block; default: that of --miniblocks")
      .choice("--prefixes", encode.prefixes,
              {{"auto", Prefixes::longest}, {"longest", Prefixes::longest}, {"none", Prefixes::none}},
              "auto, longest or none: the prefix that a DELTA_BYTE_ARRAY\n"
              "value shares with the previous one; default: auto, the\n"
              "longest prefix")
      .number("--longest-prefix", encode.longest_prefix, "N", "max bytes of a shared prefix")
      .number("--spare-bits", encode.spare_bits, "N",
              "bits added to the width of a miniblock, of an ALP vector, or\nof a number of GROUP_VAR_INT")
      .number("--reference-slack", encode.reference_slack, "N",
              "distance of a min delta or a frame of reference from the\nsmallest number")
      .number("--padding", encode.padding, "BYTE",
              "0 to 255: content of unused bits, slots, numbers and width bytes")
      .number("--unneeded-width", encode.unneeded_width, "BYTE",
              "0 to 255: width of the miniblocks of a delta block that have\n"
              "no value; default: that of --padding")
      .choice("--empty", encode.empty_header, {{"header", true}, {"none", false}},
              "header or none: content of a section without values;\ndefault: header")
      .number("--vector-size", encode.vector_size, "N",
              "values of an ALP vector: a power of two from 8 to 32768;\ndefault: 1024")
      .parsed(
          "--exponents", [&](const std::string& text) { encode.exponents = exponents_of(text); }, "E,F",
          "exponent and factor of all ALP vectors; default: the best\nfor a sample of each")
      .choice("--exceptions", encode.exceptions_descending, {{"ascending", false}, {"descending", true}},
              "ascending or descending: order of the positions of ALP\nexceptions; default: ascending")
      .number("--needless-exceptions", encode.needless_exceptions, "N",
              "number of values at the start of each ALP vector that become\nexceptions without need")
      .choice("--placeholder", encode.placeholder,
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

/// An option, and the sections that use it.
struct Use {
  const char* option;
  bool given;
  bool useful;
};

std::vector<Use> uses_of(const Encode& encode, const LoneSection& section) {
  const Encoding encoding = section.encoding;
  const bool hybrid = encoding == Encoding::RLE || section.indices();
  const bool prefixed = encoding == Encoding::DELTA_BYTE_ARRAY;
  const bool delta =
      prefixed || encoding == Encoding::DELTA_BINARY_PACKED || encoding == Encoding::DELTA_LENGTH_BYTE_ARRAY;
  const bool alp = encoding == Encoding::ALP;
  const bool bits =
      encoding == Encoding::BIT_PACKED || (encoding == Encoding::PLAIN && section.type == Type::BOOLEAN);
  const bool group = encoding == Encoding::GROUP_VAR_INT;
  return {{"--runs", encode.runs.has_value(), hybrid},
          {"--longest-run", encode.longest_run.has_value(), hybrid},
          {"--varint-bytes", encode.varint_bytes.has_value(), hybrid || delta},
          {"--block-size", encode.block_size.has_value(), delta},
          {"--miniblocks", encode.miniblocks.has_value(), delta},
          {"--suffix-block-size", encode.suffix_block_size.has_value(), prefixed},
          {"--suffix-miniblocks", encode.suffix_miniblocks.has_value(), prefixed},
          {"--prefixes", encode.prefixes.has_value(), prefixed},
          {"--longest-prefix", encode.longest_prefix.has_value(), prefixed},
          {"--spare-bits", encode.spare_bits.has_value(), delta || alp || group},
          {"--reference-slack", encode.reference_slack.has_value(), delta || alp},
          {"--padding", encode.padding.has_value(), hybrid || delta || alp || bits || group},
          {"--unneeded-width", encode.unneeded_width.has_value(), delta},
          {"--empty", encode.empty_header.has_value(), (hybrid && !section.levels) || delta || alp},
          {"--vector-size", encode.vector_size.has_value(), alp},
          {"--exponents", encode.exponents.has_value(), alp},
          {"--exceptions", encode.exceptions_descending.has_value(), alp},
          {"--needless-exceptions", encode.needless_exceptions.has_value(), alp},
          {"--placeholder", encode.placeholder.has_value(), alp}};
}

/// Options of the codec, or the message about an invalid option.
std::expected<EncodeOptions, std::string> options_of(const Encode& encode, const LoneSection& section) {
  for (const Use& use : uses_of(encode, section)) {
    if (use.given && !use.useful) {
      return std::unexpected(std::string(use.option) + ": " + encode.section.encoding + " of " +
                             encode.section.type + " has no use for it");
    }
  }
  if (encode.longest_prefix && encode.prefixes == Prefixes::none)
    return std::unexpected("--longest-prefix: with --prefixes none there is no prefix");
  EncodeOptions options;
  bool beyond = false;
  const auto number = [&](std::optional<std::uint64_t> from, auto& to) {
    beyond = beyond || from.value_or(0) > INT32_MAX;
    if (from) to = static_cast<std::uint32_t>(*from);
  };
  for (const auto& [name, byte] :
       {std::pair{"--padding", encode.padding}, std::pair{"--unneeded-width", encode.unneeded_width}}) {
    if (byte.value_or(0) > UINT8_MAX) return std::unexpected(std::string(name) + ": a byte is 0 to 255");
  }
  if (encode.vector_size && !std::has_single_bit(*encode.vector_size)) {
    return std::unexpected("--vector-size: a power of two from 8 to 32768");
  }
  if (encode.vector_size)
    options.log_vector_size = static_cast<unsigned>(std::countr_zero(*encode.vector_size));
  number(encode.longest_run, options.longest_run);
  number(encode.varint_bytes, options.varint_bytes);
  number(encode.spare_bits, options.spare_bits);
  number(encode.reference_slack, options.reference_slack);
  number(encode.block_size, options.block_size);
  number(encode.miniblocks, options.miniblocks);
  number(encode.suffix_block_size, options.suffix_block_size);
  number(encode.suffix_miniblocks, options.suffix_miniblocks);
  number(encode.longest_prefix, options.longest_prefix);
  number(encode.needless_exceptions, options.needless_exceptions);
  number(encode.section.bit_width, options.bit_width);
  if (beyond) return std::unexpected("an option takes a number of 2147483647 at most");
  options.padding = static_cast<std::uint8_t>(encode.padding.value_or(0));
  if (encode.unneeded_width) options.unneeded_width = static_cast<std::uint8_t>(*encode.unneeded_width);
  options.empty_header = encode.empty_header.value_or(true);
  options.runs = encode.runs.value_or(options.runs);
  options.prefixes = encode.prefixes.value_or(options.prefixes);
  options.exponents = encode.exponents;
  options.exceptions_descending = encode.exceptions_descending.value_or(false);
  options.placeholder = encode.placeholder.value_or(options.placeholder);
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

int run(const Encode& encode) {
  const auto fail = [](const std::string& why) { return could_not_run(why); };
  const std::expected<LoneSection, std::string> section = section_of(encode.section);
  if (!section) return fail(section.error());
  const auto options = options_of(encode, *section);
  if (!options) return fail(options.error());
  std::string why;
  const auto input = read_input(encode.path, Limits{}.page_bytes, why);
  if (!input) return fail(encode.path + ": " + why);
  const nlohmann::json array = nlohmann::json::parse(*input, nullptr, false);
  if (array.is_discarded())
    return fail(encode.path + ": the input is not JSON, or has a number out of range");
  const auto values =
      read_values(array, section->type, section->type_length, section->levels || section->indices());
  if (!values) return fail(encode.path + ": " + values.error());
  std::vector<std::uint8_t> bytes;
  if (const EncodeStatus status = encode_section(*section, *values, *options, bytes); !status) {
    return fail(std::string(status.error()));
  }
  Out out(STDOUT_FILENO);
  if (encode.hex) {
    out << hex(bytes) << "\n";
  } else {
    out << std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return finish(out, kFine);
}

}  // namespace

void add_encode(CommandLine& line) {
  line.add("encode", "encode a JSON array of values as a section of one encoding", declare, run);
}

}  // namespace parqproof::cli
