#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "codec/page/page_fault.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/page/regions.hpp"
#include "conformance/state/chunk_scope.hpp"

/// The questions that judging asks about fields that may be wrong. Each class here answers as a check without
/// diagnosis does: every field is taken as stored. conformance/diagnosis overrides them.
namespace parqproof {

/// A page with one field of its header, or of the column metadata, replaced.
struct PageCure {
  PageFault fault;  ///< of the wrong field
  Page page;
  bool of_chunk = false;  ///< the column metadata is wrong, and with it all pages of the chunk

  /// The rule of the wrong field, where breaking it alone loses nothing.
  [[nodiscard]] std::optional<Rule> cause() const {
    const Rule rule = fault.rule();
    return info(rule).klass == Class::invalid ? std::optional(rule) : std::nullopt;
  }
};

/// What is known of a page from outside of it.
struct PageWitnesses {
  std::optional<std::uint64_t> next_page;  ///< offset of the page that follows
  std::uint64_t dictionary_size = UINT64_MAX;
  bool opened = false;           ///< another page of the chunk was read with its codec
  bool counts_doubted = false;   ///< the pages have not as many entries as the chunk states
  std::optional<RowRange> rows;  ///< of the page, by the OffsetIndex
};

/// Finds the wrong field of a page that cannot be what its header says. One object for each chunk.
class PageDoubts {
 public:
  virtual ~PageDoubts() = default;
  /// Nothing where no single field explains the page.
  [[nodiscard]] virtual std::optional<PageCure> find(const Page& page, const PageWitnesses& known) = 0;
};

/// Questions about the chunks of one file. Threads may ask at the same time.
class ChunkDoubts {
 public:
  /// Bytes of the intact structure at `offset`, which takes `room` bytes at most; 0: there is none.
  using Probe = std::function<std::uint64_t(std::uint64_t offset, std::uint64_t room)>;

  /// `regions`: of the file, as the footer states them; they outlive this object.
  explicit ChunkDoubts(const RegionMap& regions) : regions_(regions) {}
  ChunkDoubts(const ChunkDoubts&) = delete;
  ChunkDoubts& operator=(const ChunkDoubts&) = delete;
  virtual ~ChunkDoubts() = default;

  [[nodiscard]] const RegionMap& regions() const noexcept { return regions_; }

  /// `region` with its wrong offset or length replaced; nothing where it is not found, or in several places.
  [[nodiscard]] virtual std::optional<Region> find_region(const Region&, const Probe&) const { return {}; }
  /// Moves `walk`, which has not begun, to the first page of the chunk. `reader`: that of the walk.
  virtual void find_start(const ChunkScope&, PageReader&, PageWalk&) const {}
  /// Returns true if two fields about the page contradict each other, before its body is read.
  [[nodiscard]] virtual bool is_in_doubt(const ChunkScope&, const PageWalk&, const Page&) const {
    return false;
  }
  /// For the chunk that the walk goes along; null where no page is asked about. Both outlive the result.
  [[nodiscard]] virtual std::unique_ptr<PageDoubts> of_pages(const ChunkScope&, const PageWalk&) const {
    return nullptr;
  }

 private:
  const RegionMap& regions_;
};

/// Makes the ChunkDoubts of a file whose pages lie in the bytes [begin, end).
using MakeChunkDoubts = std::function<std::unique_ptr<ChunkDoubts>(const RegionMap& regions,
                                                                   std::uint64_t begin, std::uint64_t end)>;

}  // namespace parqproof
