#pragma once

#include "codec/base/rule_id.hpp"

namespace parqproof::next {

/// Rules of decoders that can_decode() does not offer; the numbers lie outside the table of rules.
// NOLINTBEGIN(readability-identifier-naming): named like the enumerators of Rule
inline constexpr Rule bit_packed_length{32768};
inline constexpr Rule bit_packed_padding{32769};
inline constexpr Rule delta_binary_packed_header{32770};
inline constexpr Rule delta_binary_packed_number_range{32771};
inline constexpr Rule delta_binary_packed_number_oversized{32772};
inline constexpr Rule delta_binary_packed_varint_long{32773};
inline constexpr Rule delta_binary_packed_block_size{32774};
inline constexpr Rule delta_binary_packed_miniblock_count{32775};
inline constexpr Rule delta_binary_packed_miniblock_size{32776};
inline constexpr Rule delta_binary_packed_total_count{32777};
inline constexpr Rule delta_binary_packed_block{32778};
inline constexpr Rule delta_binary_packed_width_bytes{32779};
inline constexpr Rule delta_binary_packed_bit_width{32780};
inline constexpr Rule delta_binary_packed_bit_width_range{32781};
inline constexpr Rule delta_binary_packed_bit_width_minimal{32782};
inline constexpr Rule delta_binary_packed_min_delta{32783};
inline constexpr Rule delta_binary_packed_miniblock_full{32784};
inline constexpr Rule delta_binary_packed_padding{32785};
inline constexpr Rule delta_binary_packed_unneeded_width{32786};
inline constexpr Rule delta_binary_packed_zero_values{32787};
inline constexpr Rule delta_length_byte_array_length_count{32788};
inline constexpr Rule delta_length_byte_array_negative_length{32789};
inline constexpr Rule delta_length_byte_array_data_length{32790};
inline constexpr Rule delta_byte_array_stream_counts{32791};
inline constexpr Rule delta_byte_array_first_prefix{32792};
inline constexpr Rule delta_byte_array_prefix_range{32793};
inline constexpr Rule delta_byte_array_fixed_length{32794};
inline constexpr Rule delta_byte_array_prefix_maximal{32795};
inline constexpr Rule byte_stream_split_length{32796};
inline constexpr Rule group_var_int_group{32820};
inline constexpr Rule group_var_int_selector_bit{32821};
inline constexpr Rule group_var_int_padding{32822};
inline constexpr Rule group_var_int_shortest{32823};
// NOLINTEND(readability-identifier-naming)

}  // namespace parqproof::next
