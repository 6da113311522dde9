#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "conformance/check/check.hpp"
#include "conformance/cli/input/file_search.hpp"

namespace parqproof::cli {

/// A line on stderr that tells how far a long check is, and about how long it still takes. It is there only
/// while a file is being judged, from half a second after the start on, and only on a terminal (NO_COLOR,
/// TERM=dumb: never).
class ProgressLine {
 public:
  /// The files outlive the line. `shown` false: never.
  ProgressLine(std::span<const FoundFile> files, bool shown);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// The file with this ordinal is opened now.
  void begin(std::size_t file);
  /// It is open, and has so many bytes; check() counts here. Null where no line is shown.
  [[nodiscard]] Progress* opened(std::uint64_t size);
  /// The file is done, or cannot be opened; the line is gone, so that something else may be written.
  void end();

 private:
  void run();
  [[nodiscard]] std::string text() const;
  void clear();

  std::span<const FoundFile> files_;
  std::vector<std::uint64_t> sizes_;  // bytes, by file
  std::uint64_t total_ = 0;           // of them all
  std::uint64_t before_ = 0;          // of the files that are done
  std::size_t file_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Progress progress_;
  bool busy_ = false;
  bool drawn_ = false;
  bool stop_ = false;
  std::mutex mutex_;  // guards all of the above but progress_
  std::condition_variable stopped_;
  std::thread thread_;
};

}  // namespace parqproof::cli
