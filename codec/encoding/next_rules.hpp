#pragma once

#include "codec/base/rule_id.hpp"

namespace parqproof::next {

/// Rules of decoders that can_decode() does not offer; the numbers lie outside the table
/// of rules.
// NOLINTBEGIN(readability-identifier-naming): named like the enumerators of Rule
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
// NOLINTEND(readability-identifier-naming)

}  // namespace parqproof::next
