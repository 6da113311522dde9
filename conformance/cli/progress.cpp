#include "conformance/cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <tuple>

#include "conformance/cli/terminal.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof::cli {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds kFirst{0.5};  ///< shorter runs show no line
constexpr std::chrono::milliseconds kEach{200};
constexpr double kEstimated = 0.01;  ///< fraction of the work after which the rest is estimated

std::uint64_t size_of(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  return unknown ? 0 : size;
}

void put(std::string_view text) { std::ignore = ::write(STDERR_FILENO, text.data(), text.size()); }

/// Columns of the terminal that a line may take without being wrapped.
std::size_t room() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return (known ? size.ws_col : 80U) - 1U;
}

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", std::max(seconds, 1.0));
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", std::min(seconds / 3600, 999.0));
}

}  // namespace

ProgressLine::ProgressLine(std::span<const FoundFile> files, bool shown) : files_(files) {
  if (!shown || !fancy(STDERR_FILENO)) return;
  for (const FoundFile& file : files) total_ += sizes_.emplace_back(size_of(file.path));
  thread_ = std::thread([this] { run(); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    clear();
  }
  stopped_.notify_one();
  thread_.join();
}

void ProgressLine::begin(std::size_t file) {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  file_ = file;
  busy_ = true;
  progress_.done = progress_.total = 0;
}

Progress* ProgressLine::opened(std::uint64_t size) {
  if (!thread_.joinable()) return nullptr;
  const std::lock_guard lock(mutex_);
  total_ = total_ - sizes_[file_] + size;
  sizes_[file_] = size;
  return &progress_;
}

void ProgressLine::end() {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  if (busy_) before_ += sizes_[file_];
  busy_ = false;
  clear();
}

void ProgressLine::run() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, kEach, [this] { return stop_; })) {
    if (!busy_ || std::chrono::steady_clock::now() - start_ < kFirst) continue;
    std::string line = text();
    std::size_t length = std::min(line.size(), room());  // a character takes no more columns than bytes
    while (length != line.size() && length != 0 && (line[length] & 0xC0) == 0x80) --length;
    line.resize(length);
    put("\r" + line + "\x1b[K");
    drawn_ = true;
  }
}

std::string ProgressLine::text() const {
  const std::uint64_t pages = progress_.total;
  const double of_file =
      pages == 0 ? 0 : std::min(static_cast<double>(progress_.done) / static_cast<double>(pages), 1.0);
  const double part = total_ == 0
                          ? 0
                          : (static_cast<double>(before_) + of_file * static_cast<double>(sizes_[file_])) /
                                static_cast<double>(total_);
  std::string line = fmt::format("{:.0f} %", std::floor(part * 100));
  if (part >= kEstimated) {
    const Seconds taken = std::chrono::steady_clock::now() - start_;
    line += ", about " + duration(taken.count() * (1 - part) / part) + " left";
  }
  if (files_.size() > 1) line += fmt::format(", file {} of {}", file_ + 1, files_.size());
  return line + ": " + printable(files_[file_].path);
}

void ProgressLine::clear() {
  if (drawn_) put("\r\x1b[K");
  drawn_ = false;
}

}  // namespace parqproof::cli
