#include <algorithm>
#include <vector>

#include "conformance/diagnosis/doubts.hpp"
#include "conformance/diagnosis/stated_structures.hpp"

namespace parqproof {
namespace {

/// So many column chunks show whether offsets are right.
constexpr std::size_t kEnough = 8;

/// Returns the offset at which a file begins from which the offsets count; 0 if they count from the first
/// byte. The bytes of that file end with its footer, so it begins as many bytes after the first byte as the
/// footer is after the last structure that it describes. It is not found if other bytes are between the two.
std::uint64_t second_file(const FileCheck& check) {
  const std::uint64_t end = check.footer.frame.footer_offset;
  std::uint64_t data_end = 0;
  for (const Region& region : check.regions) data_end = std::max(data_end, region.end());
  if (data_end >= end || end - data_end < kMagicBytes) return 0;
  const std::uint64_t begin = end - data_end;
  // The tail of one file and the head of the next.
  if (!has_magic(check.input.source, begin - kMagicBytes) || !has_magic(check.input.source, begin)) return 0;
  std::vector<std::uint64_t> starts;
  for (const ChunkClaim& claim : check.footer.chunks) {
    if (starts.size() == kEnough) break;
    if (claim.readable && !claim.no_pages && claim.file == 0) starts.push_back(claim.start);
  }
  StructureProbe probe(check);
  const auto pages_from = [&](std::uint64_t first) {
    return static_cast<std::size_t>(std::ranges::count_if(
        starts, [&](std::uint64_t start) { return probe.page(first + start).has_value(); }));
  };
  const bool is_second =
      !starts.empty() && 2 * pages_from(0) <= starts.size() && pages_from(begin) == starts.size();
  return is_second ? begin : 0;
}

}  // namespace

bool Diagnosis::explain_joined_files(FileCheck& check) const {
  if (!check.outcome.findings.wants(Rule::file_joined)) return false;
  const std::uint64_t begin = second_file(check);
  if (begin == 0) return false;
  report_at(check.outcome.findings, Rule::file_joined, {}, begin, kMagicBytes, contrast(begin, 0));
  check.outcome.lost.push_back({LostPart::file, {}});
  return true;
}

}  // namespace parqproof
