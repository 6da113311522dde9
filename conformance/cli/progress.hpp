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

/// A line on stderr with the progress of a long check and an estimate of the remaining time. It is shown only
/// while a file is being checked, from half a second after the start on, and only on a terminal (never with
/// NO_COLOR or TERM=dumb).
class ProgressLine {
 public:
  /// `files` outlive the line, which is never shown if `shown` is false.
  ProgressLine(std::span<const FoundFile> files, bool shown);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// The file with this ordinal is about to be opened.
  void begin(std::size_t file);
  /// The file is open and has `size` bytes. Returns the counter for check(), or null if no line is shown.
  [[nodiscard]] Progress* opened(std::uint64_t size);
  /// The file is done, or cannot be opened; removes the line, so that other text may be written.
  void end();

 private:
  void run();
  [[nodiscard]] std::string text() const;
  void clear();

  std::span<const FoundFile> files_;
  std::vector<std::uint64_t> sizes_;  // bytes, by file
  std::uint64_t total_ = 0;           // bytes of all files
  std::uint64_t before_ = 0;          // bytes of the files that are done
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
