#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/stated_structures.hpp"
#include "conformance/diagnosis/transfer/restored_source.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// What may have happened to a file after it was written: the finding that reports it, and the file as it
/// was. A trial judges that file; what is wrong with the file at hand follows, except for what is wrong with
/// both.
struct Explanation {
  /// Bytes that are intact or not; the rest of their chunk shows which.
  struct Suspect {
    ByteRange bytes;  ///< in the file as it was
    Place chunk;
  };

  Finding cause = {};  ///< its offset is one in the file at hand; its detail has the evidence
  /// Replaces `cause` if all suspects are intact.
  std::optional<Finding> exact = {};
  /// The file as it was; null if nothing of it can be judged.
  std::shared_ptr<const RestoredSource> restored = {};
  std::vector<ByteRange> gone = {};  ///< FileInput::gone of the file as it was
  /// Headers of pages that are gone. A copy has zeros for these too, because what is left would be read as a
  /// page.
  std::vector<ByteRange> headers = {};
  std::vector<Suspect> suspects = {};
  std::uint64_t min_errors = 1;  ///< number of errors that have to vanish with it
  bool is_exact = false;         ///< accepted only if the file as it was has no error
  bool is_whole = false;  ///< accepted only if no part of the file as it was is lost, nor values in doubt
};
using Explanations = std::vector<Explanation>;

/// What hypotheses look at: the complete check of the file at hand.
struct Evidence {
  explicit Evidence(const FileCheck& check);

  const FileCheck& as_is;
  const Source& source;
  std::uint64_t footer;        ///< its offset
  std::vector<Region> stated;  ///< stated_structures(); empty without a footer
  std::uint64_t data_end = 0;  ///< the largest end of these
};

/// A kind of damage to a file as one.
struct Hypothesis {
  enum class Footer : std::uint8_t { any, lost, readable };

  std::string_view name;  ///< for "tried: ..."
  Footer footer;          ///< of the file at hand: the cheap test before find()
  bool in_other_formats;  ///< also tried on a file that begins and ends like none of Parquet
  /// The explanations that the evidence suggests, the most likely first. Reads the file a bounded number of
  /// times.
  Explanations (*find)(const Evidence& evidence);

  [[nodiscard]] bool is_worth_trying(const FileCheck& as_is) const;
};

/// All hypotheses, the most specific first: of two that explain as much, the first is reported.
[[nodiscard]] std::span<const Hypothesis> all_hypotheses() noexcept;

/// Returns true if the file has errors that may be due to what happened to it as one.
[[nodiscard]] bool can_be_explained(const FileCheck& as_is);

/// Returns true if something of the column chunk is lost, or has an error.
[[nodiscard]] bool is_in_doubt(const FileCheck& check, const Place& chunk);

/// Returns true if the rule is about what happened to a file as one.
[[nodiscard]] bool is_of_transfer(Rule rule) noexcept;

/// Returns a finding about the bytes [begin, end) of the file at hand.
[[nodiscard]] Finding damage_finding(Rule rule, ByteRange bytes, Contrast what);

/// Returns a finding file/bytes-missing or file/bytes-inserted about so many bytes.
[[nodiscard]] Finding moved_finding(Rule rule, ByteRange bytes, std::uint64_t count, std::string evidence);

/// file/bytes-inserted: these bytes of the file at hand are too many.
[[nodiscard]] Explanation inserted(const Evidence& evidence, ByteRange bytes, std::string detail);

/// file/overwritten: other bytes are in these places, of which one or more are found; no byte has moved.
[[nodiscard]] Explanation overwritten(const Evidence& evidence, std::vector<ByteRange> places,
                                      FindingValue found, FindingValue expected, std::string detail = {});

/// file/transfer-framing: the object has the framing of the transfer that stored it: aws-chunked or HTTP
/// chunked encoding, a part of multipart/form-data, the headers of an HTTP message, or MIME base64. Evidence:
/// the first line; and for chunks, that each ends where the next begins. Reads one line per chunk; a
/// multipart body and base64 are read once.
[[nodiscard]] Explanations find_framing(const Evidence& evidence);

/// file/text-mode: each line feed has a carriage return before it; the file as it was has none of these.
[[nodiscard]] Explanations find_windows_lines(const Evidence& evidence);

/// file/text-mode: the file is UTF-8 from its first byte to its last, which the bytes of a Parquet file with
/// pages are not: other bytes were replaced, or each was written as a character.
[[nodiscard]] Explanations find_utf8(const Evidence& evidence);

/// file/text-mode: no byte of the file has its highest bit.
[[nodiscard]] Explanations find_seven_bits(const Evidence& evidence);

/// file/overwritten: the bytes of a part of the file have no highest bits. Evidence: a page header in it has
/// lost all but its first bytes, which have none anyway, and bytes around the part have these bits.
[[nodiscard]] Explanations find_cleared_bits(const Evidence& evidence);

/// Returns true if the file has line feeds, and none with a carriage return before it.
[[nodiscard]] bool has_no_windows_lines(const Source& source);

/// file/overwritten: where pages, indexes or the footer are lost or wrong, there are zeros, or sectors that
/// repeat those before them.
[[nodiscard]] Explanations find_overwritten(const Evidence& evidence);

/// file/overwritten: aligned blocks with lost pages are a copy of other blocks of the file, or have pages
/// that are not of this file. Block sizes from 512 bytes to 100 MiB are tried, the largest first.
[[nodiscard]] Explanations find_foreign_block(const Evidence& evidence);

/// file/bytes-missing and file/bytes-inserted in the footer, or between it and its length: a FileMetaData
/// begins elsewhere than the footer length says, and cannot be read to its end or ends too early.
[[nodiscard]] Explanations find_broken_footer(const Evidence& evidence);

/// file/bytes-inserted: bytes of another write are before the file, or between its magic and its first page.
/// Evidence: the column chunks of the footer are valid if their offsets count from a later byte. At most 64
/// such bytes are tried: that by which the footer is too late, and each PAR1.
[[nodiscard]] Explanations find_write_before(const Evidence& evidence);

/// file/bytes-inserted: the end of a longer file follows, which was overwritten without truncation. Evidence:
/// a complete footer ends inside the file, and errors or lost pages are before its end. Searches the file
/// once.
[[nodiscard]] Explanations find_write_after(const Evidence& evidence);

/// file/bytes-inserted: blocks of another write are among those of the file. Evidence: page headers, indexes
/// and filters are a number of blocks behind their offsets, which grows along the file.
[[nodiscard]] Explanations find_interleaved_write(const Evidence& evidence);

/// file/block-order: aligned blocks changed places, for example parts of an upload. Evidence: page headers,
/// indexes and filters that are not at their offsets, and are at the same offset of another block. Block
/// sizes from 512 bytes to 100 MiB are tried, the largest first, within the bound of StructureProbe.
[[nodiscard]] Explanations find_moved_blocks(const Evidence& evidence);

/// The sizes of blocks and of parts of an upload that are in use and of which the file has several, the
/// largest first.
[[nodiscard]] std::vector<std::uint64_t> block_sizes(std::uint64_t file_size);

/// file/bytes-missing, file/bytes-inserted, file/block-order: whole structures are missing or there twice, or
/// two neighbouring row groups changed places. Evidence: sizes that agree to the byte, all structures before
/// and behind them, and for two copies their bytes.
[[nodiscard]] Explanations find_whole_structures(const Evidence& evidence);

/// file/bytes-missing, file/bytes-inserted, file/text-mode: from one byte on, or from several, all structures
/// are a number of bytes before the places that the footer states, or behind them. Nothing if the structures
/// do not agree on it, or if a footer with wrong offsets would look alike.
[[nodiscard]] Explanations find_shifts(const Evidence& evidence);

}  // namespace parqproof
