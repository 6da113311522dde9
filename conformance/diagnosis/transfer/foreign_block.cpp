#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/each_block.hpp"
#include "codec/base/text.hpp"
#include "codec/page/page_search.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

/// Bytes in which a page of another write is searched.
constexpr std::uint64_t kSearch = std::uint64_t{4} << 20;
constexpr std::uint64_t kAtOnce = std::uint64_t{1} << 16;

/// The bytes in which pages are lost.
struct Gap {
  std::uint64_t after = 0;  ///< offset of the last page header before them
  std::uint64_t first = 0;  ///< offset of the first header that is lost
  std::uint64_t last = 0;   ///< offset of the last one that is known to be lost
  std::uint64_t end = 0;    ///< offset of the next page that is there
};

/// Returns the bytes around all lost headers of pages; nullopt if there are none.
std::optional<Gap> find_gap(const Evidence& evidence, StructureProbe& probe) {
  std::optional<Gap> gap;
  std::uint64_t header = kMagicBytes;  // of the page before
  for (const Region& chunk : evidence.stated) {
    if (chunk.kind != Region::Kind::column_chunk) continue;
    const std::uint64_t at = probe.end_of_pages(chunk, [&](std::uint64_t offset, auto&& is_at) {
      if (!is_at(0)) return false;
      if (gap && gap->end == 0) gap->end = offset;
      header = offset;
      return true;
    });
    if (probe.exhausted()) return std::nullopt;
    if (at >= chunk.end()) continue;
    if (!gap) gap = Gap{.after = header, .first = at};
    // The page before may be one of another write, with another size. The pages that are found end with the
    // chunk.
    gap->end = probe.pages_up_to(std::max(header, chunk.offset) + 1, chunk.end()).value_or(0);
    gap->last = gap->end == 0 ? at : std::min(at, gap->end);
    if (gap->end != 0) header = gap->end;
  }
  if (gap && gap->end == 0) {
    gap->end = evidence.footer;
    for (const Region& one : evidence.stated) {
      if (one.offset > gap->last && probe.is_at(one, 0)) gap->end = std::min(gap->end, one.offset);
    }
  }
  return gap;
}

/// Returns the offset of other bytes of the file that these, a block or more, are a copy of.
std::optional<std::uint64_t> find_original(const Source& source, ByteRange bytes, std::uint64_t block) {
  std::array<std::uint8_t, 64> first{};
  std::array<std::uint8_t, 64> here{};
  const std::uint64_t count = bytes.size();
  if (!source.read(bytes.begin, first)) return std::nullopt;
  Window copy(source);
  for (std::uint64_t at = 0; at + count <= source.size(); at += block) {
    if (bytes.overlaps({at, at + count}) || !source.read(at, here) || here != first) continue;
    const bool is_equal = each_block(source, at, at + count, 0, [&](const View& original) {
      const View other = copy.view(bytes.begin + (original.base - at), original.size());
      return std::ranges::equal(original.bytes, other.bytes);
    });
    if (is_equal) return at;
  }
  return std::nullopt;
}

/// Returns the offset of a page in these bytes from which pages follow each other to the end of the bytes and
/// beyond, by way of the page at `by` if that is in them. Pages of the file would be among those that follow;
/// one that begins where a column chunk begins is a page of the file.
std::optional<std::uint64_t> find_pages(const Evidence& evidence, StructureProbe& probe, ByteRange bytes,
                                        std::uint64_t by) {
  const Source& source = evidence.source;
  // Also if the chunk is moved together with one after the block, by bytes that are missing or surplus.
  constexpr std::int64_t kMaxShift = 4096;
  const auto is_stated = [&](std::uint64_t at) {
    return std::ranges::any_of(evidence.stated, [&](const Region& region) {
      const auto shift = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(region.offset);
      if (region.kind != Region::Kind::column_chunk || std::abs(shift) > kMaxShift) return false;
      return shift == 0 || std::ranges::any_of(evidence.stated, [&](const Region& other) {
               return other.kind == Region::Kind::column_chunk && other.offset > bytes.end &&
                      probe.is_at(other, shift);
             });
    });
  };
  Window window(source);
  const std::uint64_t end = std::min(bytes.end, bytes.begin + kSearch);
  for (std::uint64_t at = bytes.begin; at < end && !probe.exhausted(); ++at) {
    if (!may_be_page_header(window.view(at, std::min(kPageHeaderPrefix, source.size() - at), kAtOnce)))
      continue;
    bool passes = by < bytes.begin;
    std::uint64_t next = at;
    while (next < bytes.end) {
      passes = passes || next == by;
      const auto page = is_stated(next) ? std::nullopt : probe.page(next);
      if (!page || page->end > source.size()) break;
      next = page->end;
    }
    if (passes && next > bytes.end) return at;
  }
  return std::nullopt;
}

/// Returns the offset outside of `bytes` of a copy of the page that begins at `page`. Reads the file once.
std::optional<std::uint64_t> find_same_page(const Source& source, ByteRange bytes, std::uint64_t page) {
  constexpr std::size_t kEnough = 256;
  constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;
  std::vector<std::uint8_t> pattern(kEnough);
  if (source.size() > kLargestFile || page + kEnough > bytes.end || !source.read(page, pattern))
    return std::nullopt;
  std::uint64_t found = find_bytes(source, 0, pattern);
  if (found >= bytes.begin && found < bytes.end) found = find_bytes(source, bytes.end, pattern);
  return found < source.size() ? std::optional(found) : std::nullopt;
}

/// Returns true if several column chunks that have some of these bytes have errors or losses: those of one
/// may be due to a single wrong size.
bool has_errors_in_several(const Evidence& evidence, ByteRange bytes) {
  std::size_t wrong = 0;
  for (const Region& chunk : evidence.stated) {
    if (chunk.kind == Region::Kind::column_chunk && bytes.overlaps({chunk.offset, chunk.end()}) &&
        is_in_doubt(evidence.as_is, place_of(chunk)))
      ++wrong;
  }
  return wrong > 1;
}

/// Calls `look(bytes, size)` for the blocks that may have been replaced, of each size, until it returns true.
/// The last page before the gap may be one of the other write.
template <typename Look>
void for_each_candidate(const Evidence& evidence, const Gap& gap, Look&& look) {
  const std::uint64_t file_size = evidence.source.size();
  for (const std::uint64_t size : block_sizes(file_size)) {
    const ByteRange behind{gap.first / size * size, gap.end / size * size};
    const ByteRange with_page{gap.after / size * size, behind.end};
    const auto is_possible = [&](ByteRange bytes) {
      return bytes.begin > kMagicBytes && bytes.begin < bytes.end && bytes.size() <= file_size / 2;
    };
    if (is_possible(behind) && behind.begin > gap.after && behind.end > gap.last && look(behind, size))
      return;
    if (is_possible(with_page) && has_errors_in_several(evidence, with_page) && look(with_page, size)) return;
  }
}

}  // namespace

Explanations find_foreign_block(const Evidence& evidence) {
  Explanations out;
  if (std::ranges::none_of(evidence.as_is.outcome.lost, &Lost::is_of_data)) return out;
  StructureProbe probe(evidence.as_is);
  const std::optional<Gap> gap = find_gap(evidence, probe);
  if (!gap) return out;
  const auto add = [&](ByteRange bytes, std::string_view by, std::string detail) {
    out.push_back(overwritten(evidence, {bytes}, fmt::format("{}{}", counted(bytes.size(), "byte"), by),
                              "pages", std::move(detail)));
    out.back().is_exact = true;
    return true;
  };
  for_each_candidate(evidence, *gap, [&](ByteRange bytes, std::uint64_t size) {
    const auto original = find_original(evidence.source, bytes, size);
    return original && add(bytes, " of other blocks of the file",
                           fmt::format("; they are those from byte {} on", *original));
  });
  for_each_candidate(evidence, *gap, [&](ByteRange bytes, std::uint64_t) {
    const auto page = find_pages(evidence, probe, bytes, gap->after);
    if (!page) return probe.exhausted();
    if (const auto same = find_same_page(evidence.source, bytes, *page))
      return add(bytes, " of other pages of the file",
                 fmt::format("; the page at byte {} is a copy of that at byte {}", *page, *same));
    return add(bytes, " of another write",
               fmt::format("; a page that is not of this file begins at byte {}", *page));
  });
  return out;
}

}  // namespace parqproof
