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
    end,         ///< the metadata requires no further page, or none can begin at offset()
    lost,        ///< a page should begin at offset(), but the start of the next page is unknown: loss()
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
    module,         ///< the header does not authenticate; the next page is at module_end()
  };

  /// `regions`: the other structures of the file; a page may end after total_compressed_size, but before the
  /// next of them. `place`: the row group and leaf of the chunk. `reader` and `regions` must outlive this
  /// object.
  PageWalk(PageReader& reader, const RegionMap& regions, const ChunkExtent& extent, const Place& place);

  /// Discards the header that starts_with_page() has read. Call it if the reader was used since then.
  void discard_header() noexcept { has_probe_ = false; }

  /// Returns true if there is a page at extent.start: its header is valid and the page ends within the data.
  [[nodiscard]] bool starts_with_page();
  /// Moves the start of the chunk to the first of `offsets` at which a page begins; the current start is not
  /// a candidate. The chunk then ends `total_compressed_size` bytes after it, or at data_end if that does not
  /// fit. No effect if no page begins there. Call it before the first next().
  void begin_at_one_of(std::initializer_list<std::uint64_t> offsets, std::int64_t total_compressed_size);

  /// Goes to the next page. Findings of the strict reader in its header go to `findings`; may be null.
  [[nodiscard]] Step next(Findings* findings);
  /// Moves past the page of the last next(): offset() and ordinal() are those of the following page. The next
  /// call of next() does it too, unless resume() is called first.
  void move_past_page() noexcept;
  /// Replaces the header of the page of the last next(); the walk continues with its sizes.
  void correct(const PageHeader& header) noexcept { page_.header = header; }
  /// Skips the pages up to `offset`: the next one begins there and has this ordinal.
  void resume(std::uint64_t offset, std::int32_t ordinal) noexcept;

  /// The page of the last next(), or the header of a page that is lost because of its size.
  [[nodiscard]] const Page& page() const noexcept { return page_; }
  [[nodiscard]] Loss loss() const noexcept { return loss_; }
  /// Returns the fault that prevents the page at offset() from being reached. `step` is the result of the
  /// last next(): lost, limit or unreadable. The findings of the strict reader have more details for
  /// Loss::framing, Loss::size_missing and Page::too_deep.
  [[nodiscard]] PageFault fault(Step step) const;
  /// Offset of the page of the last next(); after Step::end or Step::lost, the offset where no page can be
  /// used.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  /// Ordinal of that page in the chunk.
  [[nodiscard]] std::int32_t ordinal() const noexcept { return place_.page; }
  /// After Loss::module: the end of the page, by the lengths of its modules.
  [[nodiscard]] std::uint64_t module_end() const noexcept { return reader_.sealed_end(); }
  /// Upper bound of the end of that page.
  [[nodiscard]] std::uint64_t bound() const noexcept { return bound_; }
  [[nodiscard]] const ChunkExtent& extent() const noexcept { return extent_; }
  /// Sum of num_values of the data pages before offset(), from their headers; without pages that resume()
  /// skipped.
  [[nodiscard]] std::int64_t entries() const noexcept { return entries_; }

 private:
  /// Returns the upper bound of the end of a header at `offset`; at most `bound`.
  [[nodiscard]] std::uint64_t max_header_end(std::uint64_t offset, std::uint64_t bound) const noexcept;
  /// Reads the header at `offset` into page_. Returns true if it is valid and its page ends at or before
  /// `bound`.
  [[nodiscard]] bool read_probe(std::uint64_t offset, std::uint64_t bound);
  [[nodiscard]] Step stop_at(Loss loss) noexcept;

  PageReader& reader_;
  const RegionMap& regions_;
  ChunkExtent extent_;
  Place place_;  // of the chunk, with the ordinal of the page at offset_
  Page page_;
  std::uint64_t offset_;
  std::uint64_t bound_ = 0;
  std::int64_t entries_ = 0;
  Loss loss_ = Loss::none;
  bool on_page_ = false;    // page_ is the page at offset_
  bool has_probe_ = false;  // page_ has the header that the last read_probe() has accepted
  bool resumed_ = false;    // pages were skipped by resume(), so entries_ is incomplete
};

}  // namespace parqproof
