#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "conformance/diagnosis/remains.hpp"
#include "conformance/diagnosis/transfer/each_block.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kMostPlaces = 64;
/// Pages are hardly ever without a byte P for so many bytes. Where they are, the file is not searched
/// further: it may be a hole of any size.
constexpr std::uint64_t kMostWithoutP = std::uint64_t{1} << 20;
/// A trial reads the file once.
constexpr std::size_t kMostTrials = 2;
/// So many column chunks at each end of the footer are looked for.
constexpr std::size_t kChunksAtEachEnd = 8;

/// Returns the offsets of PAR1 in the bytes [from, to), at most kMostPlaces: the last ones.
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
      if (out.size() == kMostPlaces) out.erase(out.begin());
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

Explanation before(const FileCheck& as_is, std::uint64_t count, std::size_t chunks) {
  const Source& source = as_is.input.source;
  const bool has_head = has_magic(source, count);
  const std::uint64_t begin = has_head ? 0 : kMagicBytes;
  return {
      .cause = moved_finding(Rule::file_bytes_inserted, {begin, begin + count}, count,
                             (has_head ? " before the file, which begins with PAR1 at byte "
                                       : " between the magic and the first page: offsets count from byte ") +
                                 std::to_string(count) + "; " + counted(chunks, "column chunk") + " " +
                                 (chunks == 1 ? "is" : "are") + " there"),
      .restored = made_of(source, {{0, begin, 0}, {begin + count, source.size(), 0}})};
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
  const FileCheck& as_is = evidence.as_is;
  const std::vector<Region>& stated = evidence.stated;
  const std::vector<Region> chunks = some_chunks(stated);
  StructureProbe probe(as_is);
  // Chunks that all are at their offsets have one wrong offset at most.
  if (std::ranges::all_of(chunks, [&](const Region& one) { return probe.is_at(one, 0); })) return {};
  const std::uint64_t footer = as_is.footer.frame.footer_offset;
  if (evidence.data_end >= footer) return {};
  const std::uint64_t most = footer - evidence.data_end;
  std::vector<std::uint64_t> places = magics(as_is.input.source, 1, most + kMagicBytes);
  places.push_back(most);
  Explanations out;
  for (auto place = places.rbegin(); place != places.rend() && out.size() < kMostTrials; ++place) {
    const auto shift = static_cast<std::int64_t>(*place);
    const bool is_there =
        std::ranges::all_of(chunks, [&](const Region& one) { return probe.is_at(one, shift); });
    if (probe.exhausted()) break;
    if (is_there &&
        std::ranges::none_of(out, [&](const Explanation& one) { return one.cause.length == *place; }))
      out.push_back(before(as_is, *place, chunks.size()));
  }
  return out;
}

Explanations find_write_after(const Evidence& evidence) {
  const FileCheck& as_is = evidence.as_is;
  const std::vector<Region>& stated = evidence.stated;
  const Source& source = as_is.input.source;
  Explanations out;
  if (source.size() < 2 * kMinFileBytes) return out;
  const std::vector<std::uint64_t> places = magics(source, kMinFileBytes - kMagicBytes, source.size() - 1);
  for (auto place = places.rbegin(); place != places.rend() && out.size() < kMostTrials; ++place) {
    const std::uint64_t end = *place + kMagicBytes;
    if (end == source.size() || !is_damaged_before(as_is, stated, end)) continue;
    const std::optional<CompleteFooter> footer = footer_ending_at(as_is, end);
    if (!footer) continue;
    const bool is_footer = as_is.footer.frame.footer_offset == end && evidence.data_end <= end;
    out.push_back(
        {.cause = moved_finding(
             Rule::file_bytes_inserted, {end, source.size()}, source.size() - end,
             " after the file, which has " + counted(static_cast<std::uint64_t>(footer->rows), "row") +
                 " and ends at byte " + std::to_string(end) +
                 (is_footer ? ": another footer, which names no byte behind that"
                            : ": the end of a longer file that was overwritten without truncation")),
         .restored = made_of(source, {{0, end, 0}}),
         .is_whole = true});
  }
  return out;
}

}  // namespace parqproof
