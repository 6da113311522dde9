#pragma once

#include <cstdint>
#include <initializer_list>

#include "codec/page/chunk_extent.hpp"
#include "codec/page/page_fault.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/page/regions.hpp"

namespace parqproof {

/// The walk along the pages of one column chunk, by their headers alone. It advances by what the headers say
/// and ends where the metadata calls for no further page and none stands there; the claims of the metadata
/// are not judged. What a header lacks is left in the Page as data.
class PageWalk {
 public:
  enum class Step : std::uint8_t {
    page,        ///< page() is the next one
    end,         ///< the metadata calls for no further page, or none can stand at at()
    lost,        ///< a page should begin at at(), but it is not known where the page behind it begins: loss()
    limit,       ///< the header is longer than Limits::page_header_bytes(), or Page::too_deep
    unreadable,  ///< the source could not be read
  };
  /// Why a page is lost.
  enum class Loss : std::uint8_t {
    none,
    framing,        ///< no header can be read
    size_missing,   ///< the header does not state compressed_page_size
    size_negative,  ///< page/size-negative
    beyond_bound,   ///< page/within-chunk: the page ends behind bound()
  };

  /// `regions`: the other structures of the file, at which a page may have to end. `place`: of the chunk. The
  /// reader and the regions outlive the walk.
  PageWalk(PageReader& reader, const RegionMap& regions, const ChunkExtent& extent, const Place& place);

  /// The reader has read something else since starts_with_page(): the header is read again.
  void forget() noexcept { probed_ = false; }

  /// Whether a page stands at extent.start: its header breaks no rule and the page ends among the data.
  [[nodiscard]] bool starts_with_page();
  /// Begins at the first of these offsets at which a page stands, if there is one; the size that the chunk
  /// claims counts from there. Before the first next().
  void begin_at_one_of(std::initializer_list<std::uint64_t> offsets, std::int64_t total_compressed_size);

  /// Goes to the next page. What the strict reader finds wrong in its header goes to `findings`, if given.
  [[nodiscard]] Step next(Findings* findings);
  /// Passes the page that next() went to: at() and ordinal() are those of the page behind it. The next call
  /// of next() does so, too, unless resume() is called first.
  void pass() noexcept;
  /// The header of the page that next() went to is taken to say this instead; the walk goes on by it.
  void correct(const PageHeader& header) noexcept { page_.header = header; }
  /// The pages up to `offset` are passed over: the next one begins there and has this ordinal.
  void resume(std::uint64_t offset, std::int32_t ordinal) noexcept;

  /// The page that the last next() went to, or the header of one that is lost for its size.
  [[nodiscard]] const Page& page() const noexcept { return page_; }
  [[nodiscard]] Loss loss() const noexcept { return loss_; }
  /// What keeps the page at at() from being reached, if the last next() gave `step`: lost, limit or
  /// unreadable. Of Loss::framing and Loss::size_missing the strict reader tells more where it has findings.
  [[nodiscard]] PageFault fault(Step step) const;
  /// Where the page begins that next() went to, or where it found none.
  [[nodiscard]] std::uint64_t at() const noexcept { return at_; }
  /// The ordinal in the chunk of that page.
  [[nodiscard]] std::int32_t ordinal() const noexcept { return place_.page; }
  /// Where that page has to end.
  [[nodiscard]] std::uint64_t bound() const noexcept { return bound_; }
  [[nodiscard]] const ChunkExtent& extent() const noexcept { return extent_; }
  /// Entries of the data pages that were passed, as their headers say.
  [[nodiscard]] std::int64_t entries() const noexcept { return entries_; }

 private:
  /// Where a header at `offset` ends at the latest, if it ends before `bound`.
  [[nodiscard]] std::uint64_t header_end(std::uint64_t offset, std::uint64_t bound) const noexcept;
  [[nodiscard]] bool plausible(std::uint64_t offset, std::uint64_t bound);
  [[nodiscard]] Step lose(Loss loss) noexcept;

  PageReader& reader_;
  const RegionMap& regions_;
  ChunkExtent extent_;
  Place place_;  // its page: the ordinal of the page at at_
  Page page_;
  std::uint64_t at_;
  std::uint64_t bound_ = 0;
  std::int64_t entries_ = 0;
  Loss loss_ = Loss::none;
  bool on_page_ = false;  // page_ is the page at at_
  bool probed_ = false;   // the header in page_ was read by plausible(), without a fault
  bool resumed_ = false;  // pages were passed over, so entries_ is not the sum of all
};

}  // namespace parqproof
