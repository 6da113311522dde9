#pragma once

#include <cstdint>
#include <initializer_list>

#include "codec/page/chunk_extent.hpp"
#include "codec/page/page_fault.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/page/regions.hpp"

namespace parqproof {

/// A walk along the pages of one column chunk that reads only headers. It advances by the sizes in the
/// headers and ends when the metadata requires no further page and there is none. It does not check the
/// metadata. Missing header fields are left to the caller.
class PageWalk {
 public:
  enum class Step : std::uint8_t {
    page,        ///< page() is the next one
    end,         ///< the metadata requires no further page, or at() cannot be a page
    lost,        ///< a page should begin at at(), but the start of the page after it is unknown: loss()
    limit,       ///< the header is longer than Limits::page_header_bytes(), or Page::too_deep
    unreadable,  ///< the source could not be read
  };
  /// Reason why a page is lost.
  enum class Loss : std::uint8_t {
    none,
    framing,        ///< no header can be read
    size_missing,   ///< the header has no compressed_page_size
    size_negative,  ///< page/size-negative
    beyond_bound,   ///< page/within-chunk: the page ends after bound()
  };

  /// `regions`: the other structures of the file, before which a page must end. `place`: of the chunk. The
  /// caller keeps the reader and the regions alive.
  PageWalk(PageReader& reader, const RegionMap& regions, const ChunkExtent& extent, const Place& place);

  /// Call if the reader was used since starts_with_page(): the header is read again.
  void forget() noexcept { probed_ = false; }

  /// Returns true if there is a page at extent.start: its header is valid and the page ends within the data.
  [[nodiscard]] bool starts_with_page();
  /// Moves the start to the first of these offsets with a page, if there is one; the total_compressed_size
  /// counts from there. Call it before the first next().
  void begin_at_one_of(std::initializer_list<std::uint64_t> offsets, std::int64_t total_compressed_size);

  /// Goes to the next page. Findings of the strict reader in its header go to `findings`; may be null.
  [[nodiscard]] Step next(Findings* findings);
  /// Skips the page of the last next(): at() and ordinal() are those of the following page. The next call of
  /// next() does it too, unless resume() is called first.
  void pass() noexcept;
  /// Replaces the header of the page of the last next(); the walk continues with its sizes.
  void correct(const PageHeader& header) noexcept { page_.header = header; }
  /// Skips the pages up to `offset`: the next one begins there and has this ordinal.
  void resume(std::uint64_t offset, std::int32_t ordinal) noexcept;

  /// The page of the last next(), or the header of a page that is lost because of its size.
  [[nodiscard]] const Page& page() const noexcept { return page_; }
  [[nodiscard]] Loss loss() const noexcept { return loss_; }
  /// Returns the fault that prevents the page at at() from being reached. `step` is the result of the last
  /// next(): lost, limit or unreadable. For Loss::framing and Loss::size_missing the findings of the strict
  /// reader have more details.
  [[nodiscard]] PageFault fault(Step step) const;
  /// Offset of the page of the last next(), or the offset without a page.
  [[nodiscard]] std::uint64_t at() const noexcept { return at_; }
  /// Ordinal of that page in the chunk.
  [[nodiscard]] std::int32_t ordinal() const noexcept { return place_.page; }
  /// Upper bound of the end of that page.
  [[nodiscard]] std::uint64_t bound() const noexcept { return bound_; }
  [[nodiscard]] const ChunkExtent& extent() const noexcept { return extent_; }
  /// Sum of the entries of the skipped data pages, from their headers.
  [[nodiscard]] std::int64_t entries() const noexcept { return entries_; }

 private:
  /// Returns the max end of a header at `offset` that ends before `bound`.
  [[nodiscard]] std::uint64_t header_end(std::uint64_t offset, std::uint64_t bound) const noexcept;
  [[nodiscard]] bool plausible(std::uint64_t offset, std::uint64_t bound);
  [[nodiscard]] Step lose(Loss loss) noexcept;

  PageReader& reader_;
  const RegionMap& regions_;
  ChunkExtent extent_;
  Place place_;  // of the chunk, with the ordinal of the page at at_
  Page page_;
  std::uint64_t at_;
  std::uint64_t bound_ = 0;
  std::int64_t entries_ = 0;
  Loss loss_ = Loss::none;
  bool on_page_ = false;  // page_ is the page at at_
  bool probed_ = false;   // plausible() has read the header in page_ without a fault
  bool resumed_ = false;  // pages were skipped by resume(), so entries_ is incomplete
};

}  // namespace parqproof
