// Several threads judge the column chunks of one file. The thread sanitizer runs these tests:
// preset `thread`.
#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <memory>
#include <thread>

#include "codec/base/folder.hpp"
#include "tests/support/judged.hpp"

namespace support {
namespace {

using namespace parqproof;

constexpr unsigned kThreads = 4;

/// A source with slow reads, so that threads overlap; it counts them. It has no lock and only relaxed
/// atomics, because synchronization would hide races from the thread sanitizer.
class SlowSource final : public Source {
 public:
  explicit SlowSource(const Source& source) : source_(source) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return source_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    const unsigned inside = 1 + inside_.fetch_add(1, std::memory_order_relaxed);
    unsigned most = most_.load(std::memory_order_relaxed);
    while (inside > most && !most_.compare_exchange_weak(most, inside, std::memory_order_relaxed)) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    inside_.fetch_sub(1, std::memory_order_relaxed);
    return source_.read(offset, into);
  }
  /// Maximum number of threads that read at the same time.
  [[nodiscard]] unsigned most_at_once() const noexcept { return most_.load(std::memory_order_relaxed); }

 private:
  const Source& source_;
  mutable std::atomic<unsigned> inside_{0};
  mutable std::atomic<unsigned> most_{0};
};

std::string reports_of(const Source& source, unsigned threads, const std::string& path) {
  std::string why;
  const std::unique_ptr<Folder> folder = Folder::of(PARQPROOF_SOURCE_DIR "/" + path, why);
  REQUIRE(folder != nullptr);
  std::string text;
  for (const FileReport& report :
       check(source, path, {.advice = true, .listed = 0, .jobs = threads}, folder.get()))
    text += json_of(report);
  return text;
}

/// The corpus files with several column chunks, and metadata files of several files.
std::vector<std::string> files_with_chunks() {
  std::vector<std::string> paths = files_below("corpus/writers", ".parquet");
  std::ranges::move(files_below("corpus/witnesses", ".parquet"), std::back_inserter(paths));
  std::ranges::move(files_below("corpus/summaries", "_metadata"), std::back_inserter(paths));
  std::erase_if(paths, [](const std::string& path) {
    const std::vector<std::uint8_t> bytes = read_bytes(path);
    CheckOptions footer;
    footer.tier = Tier::footer;
    const FileReport report = check(MemorySource(bytes), path, footer);
    return report.row_groups * report.columns < 2;
  });
  return paths;
}

TEST_CASE("threads that judge column chunks at the same time give the report of one thread") {
  std::size_t at_once = 0;
  const std::vector<std::string> paths = files_with_chunks();
  for (const std::string& path : paths) {
    INFO(path);
    const std::vector<std::uint8_t> bytes = read_bytes(path);
    const MemorySource memory(bytes);
    const SlowSource source(memory);
    CHECK(reports_of(source, kThreads, path) == reports_of(memory, 1, path));
    at_once += source.most_at_once() > 1 ? 1 : 0;
  }
  CHECK(paths.size() > 500);
  CHECK(at_once > paths.size() / 2);
}

TEST_CASE("another thread reads the progress of a check, and stops it") {
  const std::string path = "corpus/writers/pyarrow/several-row-groups.parquet";
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  const MemorySource memory(bytes);
  const SlowSource source(memory);
  for (const bool stop : {false, true}) {
    Progress progress;
    std::atomic<bool> cancelled{false};
    std::atomic<bool> ended{false};
    std::thread watcher([&] {
      while (!ended.load(std::memory_order_relaxed)) {
        if (stop && progress.done.load(std::memory_order_relaxed) != 0)
          cancelled.store(true, std::memory_order_relaxed);
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      }
    });
    const FileReport report =
        check(source, path, {.jobs = kThreads, .cancelled = &cancelled, .progress = &progress});
    ended.store(true, std::memory_order_relaxed);
    watcher.join();
    CHECK(progress.total != 0);
    if (!stop) CHECK(progress.done == progress.total);
    const bool was_stopped = std::ranges::any_of(
        report.not_run, [](const NotRun& one) { return one.why == "the check was stopped"; });
    CHECK(was_stopped == cancelled.load());
  }
}

}  // namespace
}  // namespace support
