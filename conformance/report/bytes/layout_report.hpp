#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "conformance/report/bytes/finding_bytes.hpp"
#include "conformance/report/bytes/layout.hpp"
#include "conformance/report/out.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// Bytes to mark in a listing.
struct Mark {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::optional<std::uint64_t> page =
      {};  ///< where it counts in the image of a page: the offset of the header
};

/// Selection of a byte listing.
struct ByteListing {
  std::vector<Mark> marks = {};            ///< runs that they touch are marked with `>`
  std::optional<std::size_t> around = {};  ///< show only marked runs, and this many before and after each
  bool images = false;                     ///< also show the images of compressed bodies
};

/// The byte map as a table, or with every byte and its meaning.
void write_layout_text(const Source& source, const Layout& layout, const std::string& path, Out& out);
void write_annotated_bytes(const Source& source, const Layout& layout, const ByteListing& listing, Out& out);

/// The byte map as JSON; with a listing, each segment has its `runs`, and a compressed body its `image`.
void write_layout_json(const Source& source, const Layout& layout, const std::string& path,
                       const ByteListing* listing, Out& out);

/// The bytes at fault of each finding as lines of text: the structure that contains them, the runs that they
/// touch, and one run before and after. Empty for a finding without bytes in the file.
[[nodiscard]] std::vector<std::string> excerpts(const Source& source, const Layout& layout,
                                                const std::vector<const Finding*>& findings);

/// Adds their bytes to the findings of a report that are listed.
void add_excerpts(const Source& source, FileReport& report);

}  // namespace parqproof
