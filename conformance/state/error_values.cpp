#include "conformance/state/error_values.hpp"

#include <cstdint>
#include <string>

#include "codec/compression/format.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

/// The expected number as a value that is correct without the surrounding message.
FindingValue expected_of(const Error& error) {
  const std::int64_t number = error.expected;
  const auto digits = [&] { return std::to_string(number); };
  const auto up_to = [](std::int64_t last) { return number_or_between(0, last); };
  switch (error.rule) {
    case Rule::alp_bit_width:
    case Rule::alp_exponent:
    case Rule::alp_factor:
    case Rule::alp_num_exceptions:
    case Rule::delta_binary_packed_bit_width:
    case Rule::delta_binary_packed_bit_width_range:
    case Rule::plain_byte_array_length:
      return at_most(number);
    case Rule::dictionary_bit_width:
      if (error.length == 0) return "one byte";
      return at_most(number);
    case Rule::levels_length_prefix:  // the bytes after the word, or of the word itself if it is truncated
      if (error.found > number) return at_most(number);
      return number;
    case Rule::delta_binary_packed_number_oversized:
    case Rule::delta_binary_packed_number_range:
      if (number == INT64_MAX) return "at most 64 bits";
      return error.found < 0 ? at_least(-number - 1) : at_most(number);
    case Rule::alp_exception_position:
    case Rule::delta_byte_array_prefix_range:
    case Rule::levels_definition_range:
    case Rule::levels_repetition_range:
    case Rule::rle_repeated_value_range:
      return up_to(number);
    case Rule::dictionary_index_range:
      if (number == 0) return "none";
      return up_to(number - 1);
    case Rule::plain_int96_halves:
      return "the nanoseconds of the day";
    case Rule::plain_int96_nanos:
      return up_to(number - 1);
    case Rule::rle_run_length:
      return between(1, number);
    case Rule::alp_log_vector_size:
      return between(3, 15);
    case Rule::alp_exception_order:
      return more_than(number);
    case Rule::alp_exception_duplicate:
      return "a position of its own";
    case Rule::delta_byte_array_prefix_maximal:
    case Rule::levels_repetition_after_empty:
    case Rule::levels_repetition_needs_defined:
      return or_more(number);
    case Rule::index_page_keys:
      return "a key inside the " + digits() + (number == 1 ? " byte" : " bytes") + " of the values buffer";
    case Rule::delta_length_byte_array_negative_length:
      return or_more(0);
    case Rule::delta_binary_packed_block_size:
      return "a positive multiple of " + digits();
    case Rule::delta_binary_packed_miniblock_size:
      return "a multiple of " + digits();
    case Rule::delta_binary_packed_miniblock_count:
      return "a divisor of " + digits();
    case Rule::schema_type_length_bits:
      return "a number of " + digits() + (number == 1 ? " bit" : " bits") + ", which is type_length";
    case Rule::compression_format:
      return symbol(kCompressionCodecEnum, number);
    case Rule::compression_lz4_frame:
    case Rule::compression_lz4_layout:
      return to_string(static_cast<StreamFormat>(number));
    default:
      return number;
  }
}

FindingValue found_of(const Error& error) {
  switch (error.rule) {
    case Rule::compression_format:
    case Rule::compression_lz4_frame:
    case Rule::compression_lz4_layout:
      return to_string(static_cast<StreamFormat>(error.found));
    case Rule::dictionary_bit_width:
      return error.length == 0 ? FindingValue(kAbsent) : error.found;
    case Rule::delta_binary_packed_number_range:
      return error.expected == INT64_MAX ? FindingValue("more than 64 bits") : error.found;
    case Rule::schema_type_length_bits:
      return "a value is " + std::to_string(error.found);
    default:
      return error.found;
  }
}

}  // namespace

Contrast values_of(const Error& error) {
  const RuleInfo& rule = info(error.rule);
  return {rule.carries_found() ? found_of(error) : FindingValue(),
          rule.carries_expected() ? expected_of(error) : FindingValue(),
          {}};
}

}  // namespace parqproof
