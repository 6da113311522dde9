#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
    std::uint64_t at = chunk.offset;
    while (at < chunk.end()) {
      const auto page = probe.page(at);
      if (probe.exhausted()) return std::nullopt;
      if (page && page->end <= chunk.end()) {
        if (gap && gap->end == 0) gap->end = at;
        header = at;
        at = page->end;
        continue;
      }
      if (!gap) gap = Gap{.after = header, .first = at};
      gap->last = at;
      gap->end = 0;
      // The page before may be one of another write, with another size.
      const std::uint64_t from = header > chunk.offset ? header : chunk.offset;
      const std::optional<std::uint64_t> next = probe.pages_up_to(from + 1, chunk.end());
      if (!next) break;
      gap->last = std::min(gap->last, *next);
      at = *next;
    }
  }
  if (gap && gap->end == 0) {
    gap->end = evidence.as_is.footer.frame.footer_offset;
    for (const Region& one : evidence.stated) {
      if (one.offset > gap->last && probe.is_at(one, 0)) gap->end = std::min(gap->end, one.offset);
    }
  }
  return gap;
}

/// Returns true if the bytes at the two offsets are equal.
bool are_equal(const Source& source, std::uint64_t a, std::uint64_t b, std::uint64_t count) {
  constexpr std::uint64_t kFew = 64;
  std::vector<std::uint8_t> one(kAtOnce);
  std::vector<std::uint8_t> other(kAtOnce);
  std::size_t size = 0;
  for (std::uint64_t done = 0; done < count; done += size) {
    size = static_cast<std::size_t>(std::min(done == 0 ? kFew : kAtOnce, count - done));
    if (!source.read(a + done, std::span(one).first(size)) ||
        !source.read(b + done, std::span(other).first(size)) ||
        !std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(size), other.begin())) {
      return false;
    }
  }
  return true;
}

/// Returns the offset of other bytes of the file that these are a copy of.
std::optional<std::uint64_t> find_original(const Source& source, ByteRange bytes, std::uint64_t block) {
  for (std::uint64_t at = 0; at + (bytes.end - bytes.begin) <= source.size(); at += block) {
    const bool overlaps = at < bytes.end && bytes.begin < at + (bytes.end - bytes.begin);
    if (!overlaps && are_equal(source, at, bytes.begin, bytes.end - bytes.begin)) return at;
  }
  return std::nullopt;
}

/// Returns the offset of a page in these bytes from which pages follow each other to the end of the bytes and
/// beyond. Pages of the file would be among those that follow the bytes.
std::optional<std::uint64_t> find_pages(const Source& source, StructureProbe& probe, ByteRange bytes) {
  Window window(source);
  const std::uint64_t end = std::min(bytes.end, bytes.begin + kSearch);
  for (std::uint64_t at = bytes.begin; at < end && !probe.exhausted(); ++at) {
    if (!may_be_page_header(window.view(at, std::min(kPageHeaderPrefix, source.size() - at), kAtOnce)))
      continue;
    std::uint64_t next = at;
    while (next < bytes.end) {
      const auto page = probe.page(next);
      if (!page) break;
      next = page->end;
    }
    if (next > bytes.end) return at;
  }
  return std::nullopt;
}

Explanation replaced(const Source& source, ByteRange bytes, std::string by, std::string evidence) {
  Explanation out;
  out.cause = damage_finding(Rule::file_overwritten, bytes,
                             contrast(counted(bytes.end - bytes.begin, "byte") + std::move(by), "pages",
                                      ", from byte " + std::to_string(bytes.begin) + " to byte " +
                                          std::to_string(bytes.end - 1) + std::move(evidence)));
  out.restored =
      std::make_unique<StretchSource>(source, std::vector{RestoredSource::Stretch{0, source.size(), 0}});
  out.gone.push_back(bytes);
  out.is_exact = true;
  return out;
}

}  // namespace

Explanations find_foreign_block(const Evidence& evidence) {
  const Source& source = evidence.as_is.input.source;
  Explanations out;
  StructureProbe probe(evidence.as_is);
  const std::optional<Gap> gap = find_gap(evidence, probe);
  if (!gap) return out;
  for (const std::uint64_t size : block_sizes(source.size())) {
    // The last page before the gap may be one of the other write.
    for (const std::uint64_t from : {gap->first, gap->after}) {
      const ByteRange bytes{from / size * size, gap->end / size * size};
      const bool is_inside = from == gap->after ? bytes.begin > kMagicBytes : bytes.begin > gap->after;
      const bool is_complete = bytes.begin < bytes.end && (from == gap->after || bytes.end > gap->last);
      if (!is_inside || !is_complete || bytes.end - bytes.begin > source.size() / 2) continue;
      if (const auto original = find_original(source, bytes, size)) {
        out.push_back(replaced(source, bytes, " of other blocks of the file",
                               "; they are those from byte " + std::to_string(*original) + " on"));
      } else if (const auto page = find_pages(source, probe, bytes)) {
        out.push_back(replaced(source, bytes, " of another write",
                               "; a page that is not of this file begins at byte " + std::to_string(*page)));
      }
    }
    if (!out.empty() || probe.exhausted()) break;
  }
  return out;
}

}  // namespace parqproof
