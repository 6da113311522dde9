#pragma once

#include <cstdint>
#include <string_view>

#include "conformance/fault/fault.hpp"

/// The changes that faults make. Each function that returns a Change describes one with its parameters.
namespace parqproof::fault {

// ---- Any field, by its path from the site ----

[[nodiscard]] bool apply_set(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_add(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_make(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_text(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_remove(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_duplicate(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_retype(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_pad(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_long_header(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_swap(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_unknown(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_raw(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_element_type(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_append(File& file, const Site& site, const Change& change);
[[nodiscard]] bool apply_pop(File& file, const Site& site, const Change& change);

/// Sets a number that is there.
[[nodiscard]] constexpr Change set(std::string_view path, std::int64_t number) {
  return {apply_set, path, number};
}
/// Adds to a number that is there.
[[nodiscard]] constexpr Change add(std::string_view path, std::int64_t number) {
  return {apply_add, path, number};
}
/// Sets a number, and adds its field if it is missing.
[[nodiscard]] constexpr Change make(std::string_view path, std::int64_t number = 0) {
  return {apply_make, path, number};
}
/// Sets the bytes of a binary, and adds its field if it is missing.
[[nodiscard]] constexpr Change text(std::string_view path, std::string_view bytes) {
  return {apply_text, path, 0, bytes};
}
/// Removes a field or element that is there.
[[nodiscard]] constexpr Change remove(std::string_view path) { return {apply_remove, path}; }
/// Writes a field or element twice.
[[nodiscard]] constexpr Change duplicate(std::string_view path) { return {apply_duplicate, path}; }
/// Gives a field another wire type, with an empty value.
[[nodiscard]] constexpr Change retype(std::string_view path, thrift::Wire wire) {
  return {apply_retype, path, static_cast<std::int64_t>(wire)};
}
/// Adds surplus bytes to a varint.
[[nodiscard]] constexpr Change pad(std::string_view path, std::int64_t bytes) {
  return {apply_pad, path, bytes};
}
/// Writes the id of a field in full.
[[nodiscard]] constexpr Change long_header(std::string_view path) { return {apply_long_header, path}; }
/// Writes a field or element after the next one.
[[nodiscard]] constexpr Change swap(std::string_view path) { return {apply_swap, path}; }
/// Adds a field that the specification does not define to a struct.
[[nodiscard]] constexpr Change unknown(std::string_view path, std::int64_t id) {
  return {apply_unknown, path, id};
}
/// Replaces the encoded value of a field by bytes.
[[nodiscard]] constexpr Change raw(std::string_view path, std::string_view bytes) {
  return {apply_raw, path, 0, bytes};
}
/// Changes the element type in the header of a list.
[[nodiscard]] constexpr Change element_type(std::string_view path, thrift::Wire wire) {
  return {apply_element_type, path, static_cast<std::int64_t>(wire)};
}
/// Adds a number at the end of a list that has one.
[[nodiscard]] constexpr Change append(std::string_view path, std::int64_t number) {
  return {apply_append, path, number};
}
/// Removes the last element of a list that has one.
[[nodiscard]] constexpr Change pop(std::string_view path) { return {apply_pop, path}; }

// ---- Any other change ----

[[nodiscard]] constexpr Change call(Apply apply, std::int64_t number = 0, std::string_view text = {}) {
  return {apply, {}, number, text};
}

/// The same for a page whose values have this encoding.
[[nodiscard]] constexpr Change call_in(Encoding encoding, Apply apply, std::int64_t number = 0) {
  return {apply, {}, number, {}, static_cast<std::int32_t>(encoding)};
}
/// Replaces a bound in the statistics by another one that is made of it.
[[nodiscard]] bool change_bound(File& file, const Site& site, const Change& change);
[[nodiscard]] constexpr Change bound(std::string_view path, OtherBound other) {
  return {change_bound, path, 0, {}, -1, other};
}
/// Likewise the first one that is possible in a list of a column index.
[[nodiscard]] bool change_index_bound(File& file, const Site& site, const Change& change);
[[nodiscard]] constexpr Change index_bound(std::string_view path, OtherBound other) {
  return {change_index_bound, path, 0, {}, -1, other};
}
/// Parameters of set_value_byte() and add_to_header_number().
[[nodiscard]] constexpr std::int64_t byte_at(std::int64_t position, std::uint8_t byte) {
  return position << 8 | byte;
}
[[nodiscard]] constexpr std::int64_t header_number(std::int64_t ordinal, std::int32_t added) {
  return ordinal << 32 | static_cast<std::uint32_t>(added);
}

#define PARQPROOF_CHANGE(name) [[nodiscard]] bool name(File& file, const Site& site, const Change& change)

// frame_changes.cpp
PARQPROOF_CHANGE(change_head_magic);     ///< text: the magic
PARQPROOF_CHANGE(change_tail_magic);     ///< text: the magic
PARQPROOF_CHANGE(change_footer_length);  ///< number: the length; negative: that of the file
PARQPROOF_CHANGE(cut_file);              ///< number: bytes that are left
PARQPROOF_CHANGE(insert_before_footer);  ///< text: bytes of no structure
PARQPROOF_CHANGE(insert_after_footer);   ///< text: bytes that the footer length includes
PARQPROOF_CHANGE(repeat_footer);         ///< the footer also before the footer, with its length and magic
PARQPROOF_CHANGE(text_mode);             ///< each LF of the file becomes CR LF
PARQPROOF_CHANGE(cut_page_body);         ///< number: bytes missing from the middle of a body
PARQPROOF_CHANGE(undefined_type);        ///< the last field of the footer has an undefined type
PARQPROOF_CHANGE(cut_footer);            ///< the footer without its stop byte
PARQPROOF_CHANGE(deep_field);            ///< an unknown field of 100 nested structs

// schema_changes.cpp
PARQPROOF_CHANGE(rename_leaf);            ///< text: the name in schema and paths
PARQPROOF_CHANGE(rename_as_sibling);      ///< the name of another leaf of the group
PARQPROOF_CHANGE(rename_like_sibling);    ///< the same in upper case
PARQPROOF_CHANGE(annotate);               ///< text: member of LogicalType; number: ConvertedType, or -1
PARQPROOF_CHANGE(same_field_ids);         ///< two leaves get the same field_id
PARQPROOF_CHANGE(annotate_unknown);       ///< an unknown member of LogicalType
PARQPROOF_CHANGE(decimal_number);         ///< text: scale or precision; number: its value
PARQPROOF_CHANGE(other_converted_type);   ///< ENUM for STRING
PARQPROOF_CHANGE(remove_converted_type);  ///< logicalType remains
PARQPROOF_CHANGE(remove_logical_type);    ///< converted_type remains
PARQPROOF_CHANGE(add_empty_group);        ///< text: the name of a group of no fields at the end of the root
PARQPROOF_CHANGE(second_member);          ///< another member of LogicalType

// footer_changes.cpp
PARQPROOF_CHANGE(swap_chunks);   ///< the first two columns of a row group
PARQPROOF_CHANGE(remove_chunk);  ///< the last column of a row group
PARQPROOF_CHANGE(add_rows);      ///< number: added to num_rows of a row group and of the file
PARQPROOF_CHANGE(repeat_key);    ///< the first key of the file twice
PARQPROOF_CHANGE(sort_by);       ///< number: column_idx of a new sorting column; text: "descending"
PARQPROOF_CHANGE(data_offset_to_dictionary);  ///< data_page_offset becomes dictionary_page_offset
PARQPROOF_CHANGE(other_path);                 ///< the last name of path_in_schema
PARQPROOF_CHANGE(remove_encoding);            ///< the encoding of the values
PARQPROOF_CHANGE(split_encoding_stats);       ///< an entry in two
PARQPROOF_CHANGE(index_page_offset);          ///< that of the first data page
PARQPROOF_CHANGE(zero_column_index);          ///< column_index_offset is 0
PARQPROOF_CHANGE(remove_offset_index);        ///< offset index and its fields
PARQPROOF_CHANGE(sort_by_unsorted);           ///< an unsorted column as sorting column
PARQPROOF_CHANGE(other_codec);                ///< a codec that is not that of the pages
PARQPROOF_CHANGE(stats_of_other_version);     ///< v2 pages are counted as v1 pages
PARQPROOF_CHANGE(remove_level_encoding);      ///< RLE, if only levels have it
PARQPROOF_CHANGE(sort_by_kind);               ///< text: "repeated", or a column without order
PARQPROOF_CHANGE(other_column_order);         ///< text: the member instead of TYPE_ORDER
PARQPROOF_CHANGE(unused_encoding);            ///< another element of encodings

// statistics_changes.cpp. text: the path from the metadata
PARQPROOF_CHANGE(lower_max);            ///< a bound of signed integers; number: is subtracted
PARQPROOF_CHANGE(swap_bounds);          ///< min_value and max_value
PARQPROOF_CHANGE(lengthen_bound);       ///< a byte more
PARQPROOF_CHANGE(shift_histogram);      ///< one count less for one level, one more for another
PARQPROOF_CHANGE(bounds_of_nulls);      ///< min_value and max_value of a chunk of nulls
PARQPROOF_CHANGE(change_copy);          ///< number: added to a field of the copy of the metadata alone
PARQPROOF_CHANGE(remove_max);           ///< all fields of the max
PARQPROOF_CHANGE(nan_bound);            ///< max_value is NaN; number 1: with nan_count
PARQPROOF_CHANGE(exact_without_bound);  ///< is_max_value_exact without max_value

// geo_changes.cpp
PARQPROOF_CHANGE(raise_ymin);               ///< ymin of the bounding box becomes ymax
PARQPROOF_CHANGE(swap_y);                   ///< ymin and ymax of the bounding box
PARQPROOF_CHANGE(replace_type);             ///< the first of geospatial_types becomes one that is rare
PARQPROOF_CHANGE(repeat_type);              ///< the first of geospatial_types twice
PARQPROOF_CHANGE(add_axis);                 ///< bounds of z or m, which no value has
PARQPROOF_CHANGE(remove_axis);              ///< the bounds of z or m
PARQPROOF_CHANGE(widen_y);                  ///< ymax grows
PARQPROOF_CHANGE(wrap_x);                   ///< xmin above xmax and all longitudes; all values are inside
PARQPROOF_CHANGE(coordinate_out_of_range);  ///< number: the first x of a value; its chunk has no box then

// index_changes.cpp. text: the path from the index
PARQPROOF_CHANGE(lower_index_max);        ///< one max less; number 1: not that of the chunk
PARQPROOF_CHANGE(swap_index_bounds);      ///< min and max of the first page with values
PARQPROOF_CHANGE(index_null_pages);       ///< number: the flag of the first page with values
PARQPROOF_CHANGE(index_number);           ///< number: added to the last one of a list of numbers
PARQPROOF_CHANGE(lengthen_index_bound);   ///< a byte more in one max
PARQPROOF_CHANGE(other_boundary_order);   ///< ASCENDING for DESCENDING, or the reverse
PARQPROOF_CHANGE(location_number);        ///< number: added to a field of the last PageLocation
PARQPROOF_CHANGE(remove_location);        ///< the last PageLocation
PARQPROOF_CHANGE(surplus_index_byte);     ///< a byte after the struct, within its length
PARQPROOF_CHANGE(empty_bitset);           ///< number: each byte of the bitset
PARQPROOF_CHANGE(shorten_bitset);         ///< number: bytes that are left
PARQPROOF_CHANGE(remove_bloom_offset);    ///< the filter and its offset, not its length
PARQPROOF_CHANGE(null_page_zero);         ///< a flag of value 0 for false
PARQPROOF_CHANGE(shift_index_histogram);  ///< one count of the first page for another level
PARQPROOF_CHANGE(index_null_count);       ///< one null more in a page with nulls and values
PARQPROOF_CHANGE(bounds_of_null_page);    ///< a min of the first page of nulls
PARQPROOF_CHANGE(bit_in_empty_block);     ///< one bit of a block of the bitset that has none
PARQPROOF_CHANGE(nan_counts_of_pages);    ///< nan_counts of zeros
PARQPROOF_CHANGE(clear_block);            ///< a block of the bitset

// page_changes.cpp
PARQPROOF_CHANGE(
    corrupt_body);  ///< a bit of the stored body; text "first": its first byte; number 1: with a true crc
PARQPROOF_CHANGE(lengthen_body);       ///< a byte after the stored body
PARQPROOF_CHANGE(remove_dictionary);   ///< the dictionary page
PARQPROOF_CHANGE(repeat_dictionary);   ///< the dictionary page twice
PARQPROOF_CHANGE(claim_sorted);        ///< is_sorted of entries that are not
PARQPROOF_CHANGE(append_entry);        ///< another entry of a dictionary; text "copy": equal to the first one
PARQPROOF_CHANGE(flip_is_compressed);  ///< is_compressed of a v2 page

// value_changes.cpp. encoding: of the page
PARQPROOF_CHANGE(set_value_byte);        ///< number: position * 256 + byte
PARQPROOF_CHANGE(set_last_value_bits);   ///< number: bits of the last byte
PARQPROOF_CHANGE(cut_values);            ///< number: bytes missing at the end
PARQPROOF_CHANGE(lengthen_values);       ///< number: zero bytes at the end
PARQPROOF_CHANGE(add_to_header_number);  ///< number: ordinal of a ULEB128 number << 32, and what is added
PARQPROOF_CHANGE(pad_header_number);     ///< number: ordinal of a ULEB128 number, which gets 11 bytes
PARQPROOF_CHANGE(index_out_of_range);    ///< dictionary indices that are the number of entries
PARQPROOF_CHANGE(index_run);             ///< number: added to the count of the only run of indices
PARQPROOF_CHANGE(long_index_varint);     ///< a header of a run without end
PARQPROOF_CHANGE(alp_vector_byte);       ///< number: position in the first vector * 256 + byte
PARQPROOF_CHANGE(last_byte);             ///< number: the last byte of a value
PARQPROOF_CHANGE(cut_json);              ///< a value without its last quote or bracket
PARQPROOF_CHANGE(index_run_cut);         ///< a run without its index
PARQPROOF_CHANGE(level_run_cut);         ///< a run without its level
PARQPROOF_CHANGE(lengthen_levels);       ///< a byte after the definition levels
PARQPROOF_CHANGE(level_above_max);       ///< number 1: a level that fits the bit width
PARQPROOF_CHANGE(shorten_level_run);     ///< number: added to the count of the only run of definition levels

// nested_changes.cpp
PARQPROOF_CHANGE(rename_list);          ///< text: the name of the repeated group of a LIST
PARQPROOF_CHANGE(rename_element);       ///< text: the name of the element of a LIST
PARQPROOF_CHANGE(rename_entries);       ///< text: the name of the repeated group of a MAP
PARQPROOF_CHANGE(swap_key_and_value);   ///< the names of key and value
PARQPROOF_CHANGE(map_key_value_alone);  ///< MAP_KEY_VALUE for MAP
PARQPROOF_CHANGE(key_optional);         ///< the key of a MAP, with its levels and their histograms
PARQPROOF_CHANGE(enum_for_string);      ///< ENUM for STRING

// file_type_changes.cpp
PARQPROOF_CHANGE(checksum_digit);             ///< another last digit, of a value with inline bytes
PARQPROOF_CHANGE(checksum_upper_case);        ///< a digit in upper case
PARQPROOF_CHANGE(replace_byte);               ///< number: a byte of a value; text: the one for it
PARQPROOF_CHANGE(replace_value);              ///< text: the value
PARQPROOF_CHANGE(file_field_without_string);  ///< a text field without annotation

// wkb_changes.cpp
PARQPROOF_CHANGE(wkb_byte_order);     ///< 2
PARQPROOF_CHANGE(wkb_type);           ///< number: the type code; text "flag": bits of it
PARQPROOF_CHANGE(wkb_cut);            ///< a Point without its last byte
PARQPROOF_CHANGE(wkb_count);          ///< number: the count of points of a LineString
PARQPROOF_CHANGE(wkb_of_one_point);   ///< a LineString
PARQPROOF_CHANGE(wkb_ring_of_three);  ///< the ring of a Polygon has three points
PARQPROOF_CHANGE(wkb_open_ring);      ///< the last point of a ring is the one before it
PARQPROOF_CHANGE(cut_value);          ///< a value without its last byte
PARQPROOF_CHANGE(lengthen_value);     ///< a byte after a value

// variant_changes.cpp
PARQPROOF_CHANGE(variant_metadata_byte);    ///< number: the version for text "version", else added bits
PARQPROOF_CHANGE(variant_sorted_flag);      ///< of strings that do not ascend
PARQPROOF_CHANGE(variant_metadata_offset);  ///< the last one beyond the end
PARQPROOF_CHANGE(variant_name_utf8);        ///< the last name is not UTF-8
PARQPROOF_CHANGE(variant_unknown_type);     ///< a primitive type of no number
PARQPROOF_CHANGE(variant_decimal_scale);    ///< number: the scale
PARQPROOF_CHANGE(variant_text_utf8);        ///< a string is not UTF-8
PARQPROOF_CHANGE(variant_field_id);         ///< beyond the dictionary
PARQPROOF_CHANGE(variant_field_order);      ///< the first two fields of an object in each other's place
PARQPROOF_CHANGE(variant_field_twice);      ///< the second field has the id of the first one
PARQPROOF_CHANGE(variant_offset);           ///< the first one of an object or array beyond the end
PARQPROOF_CHANGE(variant_reserved_bit);     ///< of an object or array

// shredding_changes.cpp
PARQPROOF_CHANGE(number_for_object);        ///< an object in `value` next to typed_value becomes a number
PARQPROOF_CHANGE(object_not_typed);         ///< a value that typed_value cannot have becomes an object
PARQPROOF_CHANGE(array_not_typed);          ///< likewise an array
PARQPROOF_CHANGE(rename_shredded);          ///< the name of a shredded field in the metadata
PARQPROOF_CHANGE(shredded_field_in_value);  ///< a field next to typed_value gets the name of a shredded one
PARQPROOF_CHANGE(top_value_missing);        ///< `value` is null where typed_value is

// key_changes.cpp
PARQPROOF_CHANGE(patch_geo_key);          ///< text: a JSON merge patch (RFC 7386) of the GeoParquet metadata
PARQPROOF_CHANGE(patch_geo_column);       ///< likewise of its first column
PARQPROOF_CHANGE(rename_geo_column);      ///< text: the name of its only column
PARQPROOF_CHANGE(cut_geo_key);            ///< without the last byte
PARQPROOF_CHANGE(add_extension);          ///< number: the field, of type binary; text: its bytes
PARQPROOF_CHANGE(extension_before_last);  ///< the same before the last field
PARQPROOF_CHANGE(remove_algorithm);       ///< with the signature and its key
PARQPROOF_CHANGE(add_visible);  ///< text: an empty struct of a chunk that has neither it nor its like
PARQPROOF_CHANGE(encrypted_module_length);  ///< number: added to the length of the encrypted metadata
PARQPROOF_CHANGE(repeat_nonce);             ///< the nonce of the first page for the encrypted metadata
PARQPROOF_CHANGE(encrypted_path);           ///< text: the last name of the path of the column key

// history_changes.cpp
PARQPROOF_CHANGE(swap_index_entries);  ///< the first two
PARQPROOF_CHANGE(
    index_entry_number);            ///< number: 0 the ordinal, 1 the offset, 2 the length, which grows by 1
PARQPROOF_CHANGE(cut_index_entry);  ///< the last byte of the last entry
PARQPROOF_CHANGE(pack_levels);      ///< definition levels become BIT_PACKED
PARQPROOF_CHANGE(packed_level_padding);    ///< an unused bit is 1
PARQPROOF_CHANGE(cut_packed_levels);       ///< no values, and a byte of levels missing
PARQPROOF_CHANGE(plain_as_group_var_int);  ///< values become GROUP_VAR_INT
PARQPROOF_CHANGE(group_selector_bit);      ///< the unused bit of a selector
PARQPROOF_CHANGE(group_padding);           ///< an unused number of the last group

#undef PARQPROOF_CHANGE

}  // namespace parqproof::fault
