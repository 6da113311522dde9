#include "conformance/diagnosis/transfer/joined_files.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/page/page_reader.hpp"
#include "codec/page/page_walk.hpp"

namespace parqproof {
namespace {

/// So many column chunks tell whether offsets are true.
constexpr std::size_t kEnough = 8;
/// The tail of one file and the head of the next.
constexpr std::string_view kSeam = "PAR1PAR1";

class Seams {
 public:
  explicit Seams(const FileCheck& check)
      : check_(check),
        end_(check.footer.frame.footer_offset),
        window_(check.input.source),
        reader_(check.input.source, check.options.limits, 0) {
    for (const ChunkClaim& claim : check.footer.chunks) {
      if (starts_.size() == kEnough) break;
      if (claim.readable && !claim.no_pages && claim.file == 0) starts_.push_back(claim.start);
    }
  }

  /// Where a file begins from which the offsets count; nothing where they count from the first byte. The
  /// bytes of that file end with its footer, so it begins as far behind the first byte as the footer stands
  /// behind the last structure that it describes. Where other bytes are between the two, it is not
  /// recognised.
  std::optional<std::uint64_t> second_file() {
    if (starts_.empty() || 2 * pages_from(0) > starts_.size()) return std::nullopt;
    std::uint64_t data_end = 0;
    for (const Region& region : check_.regions) data_end = std::max(data_end, region.end());
    if (data_end >= end_ || end_ - data_end < kMagicBytes) return std::nullopt;
    const std::uint64_t begin = end_ - data_end;
    const View seam = window_.view(begin - kMagicBytes, kSeam.size());
    if (!std::ranges::equal(seam.bytes, kSeam, {}, {}, [](char c) { return static_cast<std::uint8_t>(c); })) {
      return std::nullopt;
    }
    return pages_from(begin) == starts_.size() ? std::optional(begin) : std::nullopt;
  }

 private:
  /// How many of the chunks begin with a page if offsets count from `begin`.
  std::size_t pages_from(std::uint64_t begin) {
    return static_cast<std::size_t>(
        std::ranges::count_if(starts_, [&](std::uint64_t start) { return is_page(begin + start); }));
  }

  bool is_page(std::uint64_t offset) {
    if (offset >= end_) return false;
    return PageWalk(reader_, regions_, chunk_extent(offset, -1, 0, end_), {}).starts_with_page();
  }

  const FileCheck& check_;
  std::uint64_t end_;  // of the bytes for data
  Window window_;
  PageReader reader_;
  RegionMap regions_;
  std::vector<std::uint64_t> starts_;
};

}  // namespace

bool check_joined_files(FileCheck& check) {
  if (check.options.footer_at || !check.outcome.findings.wants(Rule::file_joined)) return false;
  const std::optional<std::uint64_t> begin = Seams(check).second_file();
  if (!begin) return false;
  report_at(check.outcome.findings, Rule::file_joined, {}, *begin, kMagicBytes, contrast(*begin, 0));
  check.outcome.lost.push_back({LostPart::file, {}});
  return true;
}

}  // namespace parqproof
