#pragma once

#include "codec/rules/finding.hpp"

namespace parqproof {

/// A finding, and what the footer says about the structure that it is in.
struct BugClues {
  const Finding& finding;
  /// Of the column chunk.
  bool has_dictionary_page_offset = false;
  bool has_encoding_stats = false;
  bool has_equal_offsets = false;  ///< dictionary_page_offset is data_page_offset
  /// statistics/min or statistics/max is broken in the same column chunk.
  bool has_false_bound = false;
};

/// The predicates of known_bugs.def: the rule and the version of the writer are known to fit. Numbers are
/// those of found and expected; if expected is a range, its nearest bound.
namespace bug_evidence {

/// Only the bug breaks the rule this way: there is nothing more to compare.
bool the_rule(const BugClues&);

bool less(const BugClues&);        ///< found is less than expected
bool more(const BugClues&);        ///< found is more than expected
bool one_more(const BugClues&);    ///< by one
bool two_more(const BugClues&);    ///< by two
bool zero(const BugClues&);        ///< found is 0
bool minus_one(const BugClues&);   ///< found is -1
bool negative(const BugClues&);    ///< found is negative
bool four_bytes(const BugClues&);  ///< found is 4
bool bits_33(const BugClues&);     ///< found is 33
/// Found is less than expected by the size of a page header, 8 to 64 bytes.
bool less_a_header(const BugClues&);
/// Found is less than expected by at least a page with its header.
bool less_a_page(const BugClues&);
bool absent_expected(const BugClues&);  ///< the field should not be set
bool equal_offsets(const BugClues&);    ///< both offsets of the chunk are the same
bool compressed_total(const BugClues&);

/// More, if the rule counts the rows of a page: those that continue in the next page are counted twice, or
/// all entries are counted.
bool split_rows(const BugClues&);
/// Less, if the rule counts nulls; a bound is in any case that of other values.
bool of_first_batch(const BugClues&);
/// One of two bounds or counts is negative, and the other is not: the order of unsigned numbers.
bool unsigned_order(const BugClues&);
/// Both have the same sign: only the bytes after the first are in another order.
bool same_sign(const BugClues&);
bool empty_bound(const BugClues&);        ///< one of the two bounds has no bytes
bool cut_bound(const BugClues&);          ///< found is the beginning of expected
bool ordered_by_length(const BugClues&);  ///< the longer value is the greater one
bool float_bits(const BugClues&);         ///< the integer has the bits of expected as a FLOAT

bool dictionary_page(const BugClues&);  ///< the finding is in the dictionary page of its chunk
bool bound_in_statistics(const BugClues&);
bool one_run(const BugClues&);  ///< the surplus bytes are an empty run, or one of 256 values
bool optional_key(const BugClues&);
bool with_map_key_value(const BugClues&);
bool no_dictionary_offset(const BugClues&);
/// no_dictionary_offset(), and the chunk has no encoding_stats.
bool no_encoding_stats(const BugClues&);
/// Bounds are in some order: no value is outside of them in every order.
bool in_some_order(const BugClues&);

}  // namespace bug_evidence
}  // namespace parqproof
