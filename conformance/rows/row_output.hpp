#pragma once

#include <cstdint>
#include <string>

#include "conformance/report/out.hpp"
#include "conformance/rows/row_options.hpp"

namespace parqproof {

/// Where the rows of a file go: writes those that were asked for, and counts.
class RowOutput {
 public:
  /// Both outlive it.
  RowOutput(const RowOptions& options, Out& out) noexcept : options_(options), out_(out) {}

  /// No further row is asked for.
  [[nodiscard]] bool enough() const noexcept {
    return row_ >= options_.end || written_ >= options_.limit || out_.closed();
  }
  /// Rows that may still be written.
  [[nodiscard]] std::uint64_t left() const noexcept { return options_.limit - written_; }
  [[nodiscard]] bool cancelled() const noexcept {
    return options_.cancelled != nullptr && options_.cancelled->load(std::memory_order_relaxed);
  }
  [[nodiscard]] const RowOptions& options() const noexcept { return options_; }
  /// The row of the file that comes next.
  [[nodiscard]] std::uint64_t row() const noexcept { return row_; }
  /// It was asked for.
  [[nodiscard]] bool is_wanted() const noexcept { return row_ >= options_.first; }
  /// Goes on behind so many rows.
  void pass(std::uint64_t rows) noexcept { row_ += rows; }
  /// Writes the text of a row; it is not passed by that.
  void write(std::string& text) {
    text += '\n';
    out_ << text;
    text.pop_back();
    ++written_;
  }

 private:
  const RowOptions& options_;
  Out& out_;
  std::uint64_t row_ = 0;
  std::uint64_t written_ = 0;
};

/// How the rows of a row group ended.
enum class RowStep : std::uint8_t {
  on,    ///< to the next row group
  done,  ///< no further row is asked for
  failed,
  cancelled,
};

}  // namespace parqproof
