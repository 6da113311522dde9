#pragma once

#include "codec/base/rule_id.hpp"

namespace parqproof::next {

/// Rules of decoders that can_decode() does not offer; the numbers lie outside the table of rules.
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
inline constexpr Rule alp_header{32797};
inline constexpr Rule alp_compression_mode{32798};
inline constexpr Rule alp_integer_encoding{32799};
inline constexpr Rule alp_log_vector_size{32800};
inline constexpr Rule alp_vector_size{32801};
inline constexpr Rule alp_num_elements{32802};
inline constexpr Rule alp_offset_array{32803};
inline constexpr Rule alp_first_offset{32804};
inline constexpr Rule alp_offsets_contiguous{32805};
inline constexpr Rule alp_vector_header{32806};
inline constexpr Rule alp_exponent{32807};
inline constexpr Rule alp_factor{32808};
inline constexpr Rule alp_num_exceptions{32809};
inline constexpr Rule alp_bit_width{32810};
inline constexpr Rule alp_packed_length{32811};
inline constexpr Rule alp_packed_padding{32812};
inline constexpr Rule alp_frame_of_reference{32813};
inline constexpr Rule alp_bit_width_minimal{32814};
inline constexpr Rule alp_exceptions_complete{32815};
inline constexpr Rule alp_exception_position{32816};
inline constexpr Rule alp_exception_duplicate{32817};
inline constexpr Rule alp_exception_order{32818};
inline constexpr Rule alp_exception_needless{32819};
inline constexpr Rule group_var_int_group{32820};
inline constexpr Rule group_var_int_selector_bit{32821};
inline constexpr Rule group_var_int_padding{32822};
inline constexpr Rule group_var_int_shortest{32823};

}  // namespace parqproof::next
