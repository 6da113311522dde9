#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codec/format/enums.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/result/file_report.hpp"
#include "tests/support/bytes.hpp"

namespace support {

/// A page of an intact file, by the byte map.
struct ReadablePage {
  parqproof::Place place;
  parqproof::PageType type{};
  std::uint64_t header = 0;  ///< offsets in the file
  std::uint64_t body = 0;
  std::uint64_t end = 0;
  std::uint64_t values = 0;       ///< entries of a data page
  bool needs_dictionary = false;  ///< its values are indices
};

/// An intact file to be damaged: its bytes, its pages in file order, and its footer.
struct WholeFile {
  Bytes bytes;
  std::vector<ReadablePage> pages;
  std::uint64_t footer = 0;
  std::string rows;  ///< as `cat --physical` writes them

  /// Sum of the entries of all pages that satisfy `counts`.
  [[nodiscard]] std::uint64_t values_of(const std::function<bool(const ReadablePage&)>& counts) const;
};

/// Reads the file below corpus/witnesses/; the test fails if it is not conforming.
[[nodiscard]] WholeFile whole_file(const std::string& witness);

/// Calls `look` for every change of a byte in [from, to), with the damaged bytes.
void damage_bytes(const WholeFile& file, std::uint64_t from, std::uint64_t to,
                  const std::function<void(const Bytes&)>& look);

/// Judges bytes; unlike judged() it does not validate the report by its schema, which would dominate the
/// time.
[[nodiscard]] parqproof::FileReport report_of(const Bytes& bytes);

/// The losses, one line each: "page 0/1/2" (row group, leaf, page), "rest of chunk 0/1/2", "column chunk
/// 0/1", "file".
[[nodiscard]] std::vector<std::string> lost_of(const parqproof::FileReport& report);
[[nodiscard]] std::string lost_page(const parqproof::Place& place);

/// The rows [first, end) of the columns (none: of all), as `cat --physical` writes them; the test fails if
/// they cannot be read.
[[nodiscard]] std::string rows_of(const Bytes& bytes, const std::vector<std::string>& columns,
                                  std::uint64_t first = 0, std::uint64_t end = UINT64_MAX);

}  // namespace support
