#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "codec/page/page_fault.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/page/regions.hpp"
#include "conformance/state/chunk_scope.hpp"

/// Questions of the check about fields that may be wrong. The classes here answer as a check without
/// diagnosis does: every field is taken as stored. conformance/diagnosis overrides them.
namespace parqproof {

/// A page with one field of its header, or of the column metadata, replaced.
struct PageCure {
  PageFault fault;  ///< of the wrong field
  Page page;
  bool of_chunk = false;  ///< the column metadata is wrong, which affects all pages of the chunk

  /// Returns the rule of the wrong field if breaking that rule alone loses no data.
  [[nodiscard]] std::optional<Rule> cause() const {
    const Rule rule = fault.rule();
    return info(rule).klass == Class::invalid ? std::optional(rule) : std::nullopt;
  }
};

/// Evidence about a page from the rest of the file.
struct PageWitnesses {
  std::optional<std::uint64_t> next_page;  ///< offset of the page that follows
  std::uint64_t dictionary_size = UINT64_MAX;
  bool opened = false;           ///< another page of the chunk was read with its codec
  bool counts_doubted = false;   ///< the pages have more or fewer entries than the chunk states
  std::optional<RowRange> rows;  ///< of the page, by the OffsetIndex
};

/// Finds the wrong field of a page whose body contradicts its header. There is one object for each chunk.
class PageDoubts {
 public:
  virtual ~PageDoubts() = default;
  /// Returns nothing if no single field explains the page.
  [[nodiscard]] virtual std::optional<PageCure> find(const Page& page, const PageWitnesses& known) = 0;
};

/// Questions about the chunks of one file. The functions may be called by several threads at the same time.
class ChunkDoubts {
 public:
  /// Returns the size of the intact structure at `offset`, which takes at most `room` bytes; 0 if there is
  /// none.
  using Probe = std::function<std::uint64_t(std::uint64_t offset, std::uint64_t room)>;

  /// `regions`: of the file, as the footer states them; they must outlive this object.
  explicit ChunkDoubts(const RegionMap& regions) : regions_(regions) {}
  ChunkDoubts(const ChunkDoubts&) = delete;
  ChunkDoubts& operator=(const ChunkDoubts&) = delete;
  virtual ~ChunkDoubts() = default;

  [[nodiscard]] const RegionMap& regions() const noexcept { return regions_; }

  /// Returns `region` with its wrong offset or length replaced; nothing if it is not found, or found more
  /// than once.
  [[nodiscard]] virtual std::optional<Region> find_region(const Region&, const Probe&) const { return {}; }
  /// Moves `walk`, which has not begun, to the first page of the chunk. `reader`: the reader of the walk.
  virtual void find_start(const ChunkScope&, PageReader&, PageWalk&) const {}
  /// Returns true if two fields about the page contradict each other, before its body is read.
  [[nodiscard]] virtual bool is_in_doubt(const ChunkScope&, const PageWalk&, const Page&) const {
    return false;
  }
  /// Returns the PageDoubts of the chunk of the walk; null if no page is questioned. Both arguments must
  /// outlive the result.
  [[nodiscard]] virtual std::unique_ptr<PageDoubts> of_pages(const ChunkScope&, const PageWalk&) const {
    return nullptr;
  }

 private:
  const RegionMap& regions_;
};

/// Makes the ChunkDoubts of a file whose pages are in the bytes [begin, end).
using MakeChunkDoubts = std::function<std::unique_ptr<ChunkDoubts>(const RegionMap& regions,
                                                                   std::uint64_t begin, std::uint64_t end)>;

}  // namespace parqproof
