#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/base/each_block.hpp"
#include "codec/base/text.hpp"
#include "conformance/diagnosis/doubts.hpp"
#include "conformance/diagnosis/remains.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kMostMagics = 64;
/// Pages are hardly ever without a byte P for so many bytes. Where they are, the file is not searched
/// further: it may be a hole of any size.
constexpr std::uint64_t kMostWithoutP = std::uint64_t{1} << 20;
/// A trial reads the file once.
constexpr std::size_t kMostTrials = 2;
/// So many column chunks at each end of the footer are looked for.
constexpr std::size_t kChunksAtEachEnd = 8;

/// Returns the offsets of PAR1 in the bytes [from, to), at most kMostMagics: the last ones.
std::vector<std::uint64_t> magics(const Source& source, std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint64_t> out;
  std::uint64_t last = from;  // P
  each_block(source, from, to, kMagicBytes - 1, [&](const View& bytes) {
    for (const std::uint8_t* at = bytes.data();; ++at) {
      const std::uint8_t* const end = bytes.data() + bytes.size();
      at = std::find(at, end, std::uint8_t{'P'});
      if (end - at < static_cast<std::ptrdiff_t>(kMagicBytes)) break;
      last = bytes.base + static_cast<std::uint64_t>(at - bytes.data());
      if (load_le<std::uint32_t>(at) != kPlainMagic) continue;
      if (out.size() == kMostMagics) out.erase(out.begin());
      out.push_back(last);
    }
    return bytes.end() - last <= kMostWithoutP;
  });
  return out;
}

/// The first and the last column chunks of the footer.
std::vector<Region> some_chunks(std::span<const Region> stated) {
  std::vector<Region> out;
  for (const Region& one : stated) {
    if (one.kind == Region::Kind::column_chunk) out.push_back(one);
  }
  if (out.size() > 2 * kChunksAtEachEnd)
    out.erase(out.begin() + kChunksAtEachEnd, out.end() - static_cast<std::ptrdiff_t>(kChunksAtEachEnd));
  return out;
}

Explanation before(const Evidence& evidence, std::uint64_t count, std::size_t chunks) {
  const bool has_head = has_magic(evidence.source, count);
  const std::uint64_t begin = has_head ? 0 : kMagicBytes;
  return inserted(evidence, {begin, begin + count},
                  fmt::format("{}{}; {} {} there",
                              has_head ? " before the file, which begins with PAR1 at byte "
                                       : " between the magic and the first page: offsets count from byte ",
                              count, counted(chunks, "column chunk"), chunks == 1 ? "is" : "are"));
}

/// Returns true if an error is before `end`, or a part of a column chunk that begins there is lost.
bool is_damaged_before(const FileCheck& as_is, std::span<const Region> stated, std::uint64_t end) {
  const auto is_lost = [&](const Region& one) {
    return one.offset < end &&
           std::ranges::any_of(
               as_is.outcome.lost,
               [chunk = place_of(one)](const Lost& lost) { return lost.place.chunk() == chunk; });
  };
  return std::ranges::any_of(stated, is_lost) ||
         std::ranges::any_of(as_is.outcome.findings.primary(),
                             [&](const Finding& one) { return is_error(one) && one.file_position() < end; });
}

}  // namespace

Explanations find_write_before(const Evidence& evidence) {
  const std::vector<Region> chunks = some_chunks(evidence.stated);
  StructureProbe probe(evidence.as_is);
  const auto are_at = [&](std::int64_t shift) {
    return std::ranges::all_of(chunks, [&](const Region& one) { return probe.is_at(one, shift); });
  };
  // Chunks that all are at their offsets have one wrong offset at most.
  if (are_at(0) || evidence.data_end >= evidence.footer) return {};
  const std::uint64_t most = evidence.footer - evidence.data_end;
  std::vector<std::uint64_t> places = magics(evidence.source, 1, most + kMagicBytes);
  if (places.empty() || places.back() != most) places.push_back(most);
  Explanations out;
  for (auto place = places.rbegin(); place != places.rend() && out.size() < kMostTrials; ++place) {
    const bool is_there = are_at(static_cast<std::int64_t>(*place));
    if (probe.exhausted()) break;
    if (is_there) out.push_back(before(evidence, *place, chunks.size()));
  }
  return out;
}

Explanations find_write_after(const Evidence& evidence) {
  const Source& source = evidence.source;
  Explanations out;
  if (source.size() < 2 * kMinFileBytes) return out;
  const std::vector<std::uint64_t> places = magics(source, kMinFileBytes - kMagicBytes, source.size() - 1);
  for (auto place = places.rbegin(); place != places.rend() && out.size() < kMostTrials; ++place) {
    const std::uint64_t end = *place + kMagicBytes;
    if (end == source.size() || !is_damaged_before(evidence.as_is, evidence.stated, end)) continue;
    const std::optional<CompleteFooter> footer = footer_ending_at(evidence.as_is, end);
    if (!footer) continue;
    const bool is_footer = evidence.footer == end && evidence.data_end <= end;
    out.push_back(inserted(
        evidence, {end, source.size()},
        fmt::format(" after the file, which has {} and ends at byte {}{}",
                    counted(static_cast<std::uint64_t>(footer->rows), "row"), end,
                    is_footer ? ": another footer, which names no byte behind that"
                              : ": the end of a longer file that was overwritten without truncation")));
    out.back().is_whole = true;
  }
  return out;
}

bool Diagnosis::explain_joined_files(FileCheck& check) const {
  if (!check.outcome.findings.wants(Rule::file_joined)) return false;
  // The bytes of the second file end with its footer, so it begins as many bytes after the first byte as the
  // footer is after the last structure that it describes. It is not found if other bytes are between the two.
  const std::uint64_t end = check.footer.frame.footer_offset;
  std::uint64_t data_end = 0;
  for (const Region& region : check.regions) data_end = std::max(data_end, region.end());
  if (data_end >= end || end - data_end < kMagicBytes) return false;
  const std::uint64_t begin = end - data_end;
  // The tail of one file and the head of the next.
  if (!has_magic(check.input.source, begin - kMagicBytes) || !has_magic(check.input.source, begin))
    return false;
  std::vector<Region> chunks = some_chunks(stated_structures(check));
  chunks.resize(std::min(chunks.size(), kChunksAtEachEnd));
  StructureProbe probe(check);
  const auto pages_at = [&](std::uint64_t shift) {
    return std::ranges::count_if(chunks, [&](const Region& one) {
      return probe.page(one.offset, static_cast<std::int64_t>(shift)).has_value();
    });
  };
  const std::ptrdiff_t count = std::ssize(chunks);
  if (count == 0 || 2 * pages_at(0) > count || pages_at(begin) != count) return false;
  report_at(check.outcome.findings, Rule::file_joined, {}, begin, kMagicBytes, contrast(begin, 0));
  check.outcome.lost.push_back({LostPart::file, {}});
  return true;
}

}  // namespace parqproof
