#include "conformance/diagnosis/transfer/byte_runs.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace parqproof {
namespace {

constexpr std::size_t kMostRuns = 10'000;  // then what is at hand is searched, and no more is read
constexpr std::uint64_t kReadAtOnce = std::uint64_t{1} << 18;

/// Searches one part of a file.
class RunSearch {
 public:
  RunSearch(Window& window, const ByteRange& part, std::vector<ByteRun>& runs)
      : window_(window), part_(part), runs_(runs), zero_(part.begin) {}

  void run() {
    std::uint64_t at = part_.begin;  // what is in front of it has been searched
    while (at < part_.end && runs_.size() < kMostRuns) {
      const std::uint64_t behind = std::min(kLargestBlock, at - part_.begin);
      const std::uint64_t count = std::min(kReadAtOnce, part_.end - at);
      const View bytes = window_.view(at - behind, behind + count);
      if (bytes.empty()) break;
      zeros(bytes.from(static_cast<std::size_t>(behind)));
      repeats(bytes, static_cast<std::size_t>(behind));
      at += count;
    }
    end_zeros(at);
    const std::uint64_t sectors_end = part_.begin + (at - part_.begin) / kSector * kSector;
    for (Repeat& repeat : repeats_) end_repeat(repeat, sectors_end);
  }

 private:
  /// Sectors that repeat those so many bytes in front of them.
  struct Repeat {
    std::uint64_t block = 0;
    std::uint64_t begin = 0;
    bool goes_on = false;
  };

  /// Zeros inside one step are too few: a run has all bytes of a step, or crosses from one to the next.
  void zeros(View bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += kSector) {
      const View step = bytes.part(at, std::min<std::size_t>(kSector, bytes.size() - at));
      std::size_t first = 0;
      while (first < step.size() && step.data()[first] == 0) ++first;
      if (first == step.size()) continue;
      end_zeros(step.base + first);
      std::size_t last = step.size();
      while (step.data()[last - 1] == 0) --last;
      zero_ = step.base + last;
    }
  }
  void end_zeros(std::uint64_t end) {
    if (end >= zero_ + kSector) runs_.push_back({{zero_, end}, true});
  }

  /// Whether the bytes are the same ones again and again, as values may be.
  static bool is_periodic(const std::uint8_t* sector) noexcept {
    return std::memcmp(sector, sector + kSector / 2, kSector / 2) == 0;
  }

  /// The first `behind` of the bytes have been searched.
  void repeats(View bytes, std::size_t behind) {
    for (std::size_t at = behind; at + kSector <= bytes.size(); at += kSector) {
      const std::uint8_t* const sector = bytes.data() + at;
      for (Repeat& repeat : repeats_) {
        const bool equal = at >= repeat.block && std::memcmp(sector, sector - repeat.block, kSector) == 0 &&
                           !is_periodic(sector);
        if (equal && !repeat.goes_on) repeat.begin = bytes.base + at;
        if (!equal) end_repeat(repeat, bytes.base + at);
        repeat.goes_on = equal;
      }
    }
  }
  void end_repeat(Repeat& repeat, std::uint64_t end) {
    if (repeat.goes_on && end - repeat.begin >= repeat.block) runs_.push_back({{repeat.begin, end}, false});
    repeat.goes_on = false;
  }

  Window& window_;
  const ByteRange& part_;
  std::vector<ByteRun>& runs_;
  std::uint64_t zero_;  // where the zeros begin that end at the byte at hand
  std::array<Repeat, 3> repeats_{{{.block = kSector}, {.block = 4096}, {.block = kLargestBlock}}};
};

}  // namespace

std::vector<ByteRun> find_byte_runs(const Source& source, const std::vector<ByteRange>& parts) {
  std::vector<ByteRun> runs;
  Window window(source);
  for (const ByteRange& part : parts) RunSearch(window, part, runs).run();
  std::ranges::stable_sort(runs, {}, [](const ByteRun& one) { return one.bytes.begin; });
  return runs;
}

}  // namespace parqproof
