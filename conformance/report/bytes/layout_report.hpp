#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "conformance/report/bytes/finding_bytes.hpp"
#include "conformance/report/bytes/layout.hpp"
#include "conformance/report/out.hpp"

namespace parqproof {

/// Bytes that a listing of bytes points at.
struct Mark {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::optional<std::uint64_t> page =
      {};  ///< where it counts in the image of a page: the offset of the header
};

/// What a listing of bytes shows.
struct ByteListing {
  std::vector<Mark> marks = {};            ///< runs that they touch have a `>` before them
  std::optional<std::size_t> around = {};  ///< only marked runs, and so many before and behind each
  bool images = false;                     ///< compressed bodies as their images, too
};

/// The byte map as a table, or with every byte and what it is.
void write_layout_text(const Source& source, const Layout& layout, const std::string& path, Out& out);
void write_annotated_bytes(const Source& source, const Layout& layout, const ByteListing& listing, Out& out);

/// The parts of such a listing: what a segment is called, where `image` bytes of an uncompressed page are
/// shown instead of its body, if that is not 0; some bytes of a run, with `>` where the finding is; and a
/// gap.
[[nodiscard]] std::string segment_title(const Layout& layout, const Segment& segment, std::uint64_t image);
void write_shown_run(const ShownRun& shown, const Finding& finding, Out& out);
void write_gap(Out& out);

/// The byte map as JSON; with a listing, each segment has its `runs`, and a compressed body its `image`.
void write_layout_json(const Source& source, const Layout& layout, const std::string& path,
                       const ByteListing* listing, Out& out);

}  // namespace parqproof
