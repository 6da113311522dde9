#include "conformance/state/error_values.hpp"

#include <cstdint>
#include <string>

#include "codec/compression/format.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

/// The expected number as a phrase that is true without the message around it.
std::string expected_of(const Error& error) {
  std::string number = std::to_string(error.expected);
  const auto at_most = [&] { return "at most " + number; };
  const auto up_to = [](std::int64_t last) { return last == 0 ? "0" : "0 to " + std::to_string(last); };
  switch (error.rule) {
    case Rule::alp_bit_width:
    case Rule::alp_exponent:
    case Rule::alp_factor:
    case Rule::alp_num_exceptions:
    case Rule::delta_binary_packed_bit_width:
    case Rule::delta_binary_packed_bit_width_range:
    case Rule::plain_byte_array_length:
      return at_most();
    case Rule::dictionary_bit_width:
      return error.length == 0 ? "one byte" : at_most();
    case Rule::levels_length_prefix:  // the bytes behind the word; those of the word itself, where it is cut
      return error.found > error.expected ? at_most() : number;
    case Rule::delta_binary_packed_number_oversized:
    case Rule::delta_binary_packed_number_range:
      if (error.expected == INT64_MAX) return "at most 64 bits";
      return error.found < 0 ? "at least " + std::to_string(-error.expected - 1) : at_most();
    case Rule::alp_exception_position:
    case Rule::delta_byte_array_prefix_range:
    case Rule::levels_definition_range:
    case Rule::levels_repetition_range:
    case Rule::rle_repeated_value_range:
      return up_to(error.expected);
    case Rule::dictionary_index_range:
      return error.expected == 0 ? "none" : up_to(error.expected - 1);
    case Rule::plain_int96_nanos:
      return up_to(error.expected - 1);
    case Rule::rle_run_length:
      return "1 to " + number;
    case Rule::alp_log_vector_size:
      return "3 to 15";
    case Rule::alp_exception_order:
      return "more than " + number;
    case Rule::alp_exception_duplicate:
      return "a position of its own";
    case Rule::delta_byte_array_prefix_maximal:
    case Rule::levels_repetition_after_empty:
    case Rule::levels_repetition_needs_defined:
      return number + " or more";
    case Rule::index_page_keys:
      return "a key inside the " + number + " bytes of the values buffer";
    case Rule::delta_length_byte_array_negative_length:
      return "0 or more";
    case Rule::delta_binary_packed_block_size:
      return "a positive multiple of " + number;
    case Rule::delta_binary_packed_miniblock_size:
      return "a multiple of " + number;
    case Rule::delta_binary_packed_miniblock_count:
      return "a divisor of " + number;
    case Rule::schema_type_length_bits:
      return "a number of " + number + " bits, which is type_length";
    case Rule::compression_format:
      return std::string(kCompressionCodecEnum.name_of(error.expected));
    case Rule::compression_lz4_layout:
      return std::string(to_string(static_cast<StreamFormat>(error.expected)));
    default:
      return number;
  }
}

std::string found_of(const Error& error) {
  switch (error.rule) {
    case Rule::compression_format:
    case Rule::compression_lz4_layout:
      return std::string(to_string(static_cast<StreamFormat>(error.found)));
    case Rule::dictionary_bit_width:
      return error.length == 0 ? "absent" : std::to_string(error.found);
    case Rule::delta_binary_packed_number_range:
      return error.expected == INT64_MAX ? "more than 64 bits" : std::to_string(error.found);
    case Rule::schema_type_length_bits:
      return "a value is " + std::to_string(error.found);
    default:
      return std::to_string(error.found);
  }
}

}  // namespace

Contrast words_of(const Error& error) {
  const RuleInfo& rule = info(error.rule);
  return {rule.carries_found() ? found_of(error) : std::string(),
          rule.carries_expected() ? expected_of(error) : std::string(),
          {}};
}

}  // namespace parqproof
