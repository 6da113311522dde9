#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/each_block.hpp"
#include "codec/base/text.hpp"
#include "codec/page/page_search.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kMostLowRuns = 16;
/// A page of so many bytes has a size in its header that takes two bytes, the first of which is above 0x7F.
constexpr std::uint64_t kPage = 512;
/// It is among so many of the first bytes of the header.
constexpr std::uint64_t kHeader = 64;
/// So many bytes above 0x7F are missing in a run, if it has as many as the bytes around it.
constexpr std::uint64_t kMissing = 40;
constexpr std::uint64_t kCompared = std::uint64_t{1} << 14;

bool is_high(std::uint8_t byte) { return byte > 0x7F; }

/// Returns true if the bytes begin with the page type and the field header of a size, which have no highest
/// bits.
bool begins_like_page_header(const View& bytes) {
  return bytes.size() == 3 && bytes.data()[0] == kNextI32 && bytes.data()[1] <= 6 &&
         bytes.data()[2] == kNextI32;
}

/// Returns the bytes around `at`, in [from, to), up to the next ones above 0x7F.
ByteRange run_around(Window& window, std::uint64_t at, std::uint64_t from, std::uint64_t to) {
  ByteRange run{at, at};
  while (run.end < to) {
    const View bytes = window.view(run.end, std::min(kCompared, to - run.end));
    const auto high = std::ranges::find_if(bytes.bytes, is_high);
    run.end += static_cast<std::uint64_t>(high - bytes.bytes.begin());
    if (bytes.empty() || high != bytes.bytes.end()) break;
  }
  while (run.begin > from) {
    const std::uint64_t count = std::min(kCompared, run.begin - from);
    const View bytes = window.view(run.begin - count, count);
    std::size_t low = 0;
    while (low < bytes.size() && !is_high(bytes.data()[bytes.size() - 1 - low])) ++low;
    run.begin -= low;
    if (low < count) break;
  }
  return run;
}

/// Returns true if there are so many bytes above 0x7F around the run that it would have some, and it is no
/// hole of zeros.
bool lacks_high_bytes(Window& window, ByteRange run, std::uint64_t from, std::uint64_t to) {
  std::uint64_t total = 0;
  std::uint64_t high = 0;
  const auto count = [&](std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    total += end - begin;
    high += static_cast<std::uint64_t>(std::ranges::count_if(window.view(begin, end - begin).bytes, is_high));
  };
  count(std::max(run.begin, from + kCompared) - kCompared, run.begin);
  count(run.end, std::min(to, run.end + kCompared));
  std::uint64_t zeros = 0;
  each_block(window.source(), run.begin, run.end, 0, [&](const View& bytes) {
    zeros += static_cast<std::uint64_t>(std::ranges::count(bytes.bytes, std::uint8_t{0}));
    return true;
  });
  return total >= kPage && zeros <= run.size() / 2 &&
         run.size() / total * high + run.size() % total * high / total >= kMissing;
}

}  // namespace

Explanations find_seven_bits(const Evidence& evidence) {
  const Source& source = evidence.source;
  // Offsets and sizes in a footer are above 0x7F, except in a file of a few bytes.
  const bool has_none =
      source.size() >= kPage && each_block(source, 0, source.size(), 0, [](const View& bytes) {
        return std::ranges::none_of(bytes.bytes, is_high);
      });
  if (!has_none) return {};
  return {{.cause = damage_finding(Rule::file_text_mode, {0, source.size()},
                                   contrast("bytes of 7 bits", "bytes of 8 bits",
                                            ": no byte of the file has its highest bit; it is gone, so fetch "
                                            "the file again as binary"))}};
}

Explanations find_cleared_bits(const Evidence& evidence) {
  StructureProbe probe(evidence.as_is);
  Window window(evidence.source);
  const std::uint64_t to = evidence.footer;
  std::vector<ByteRange> runs;
  for (const Region& chunk : evidence.stated) {
    if (chunk.kind != Region::Kind::column_chunk || chunk.end() > to || runs.size() == kMostLowRuns) continue;
    if (!is_in_doubt(evidence.as_is, place_of(chunk))) continue;
    const std::uint64_t lost = probe.end_of_pages_at(chunk, 0);
    if (lost + kPage > chunk.end() || (!runs.empty() && lost < runs.back().end) ||
        !begins_like_page_header(window.view(lost, 3)))
      continue;
    const ByteRange run = run_around(window, lost, kMagicBytes, to);
    if (run.end >= lost + kHeader && lacks_high_bytes(window, run, kMagicBytes, to)) runs.push_back(run);
  }
  if (runs.empty() || probe.exhausted()) return {};
  const std::string count = counted(runs.front().size(), "byte");
  return {overwritten(evidence, std::move(runs), count + " without their highest bits", "pages")};
}

}  // namespace parqproof
