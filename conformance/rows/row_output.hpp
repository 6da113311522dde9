#pragma once

#include <cstdint>
#include <string>

#include "conformance/report/out.hpp"
#include "conformance/rows/row_options.hpp"

namespace parqproof {

/// Writes the requested rows of a file, and counts.
class RowOutput {
 public:
  /// Both outlive this object.
  RowOutput(const RowOptions& options, Out& out) noexcept : options_(options), out_(out) {}

  /// Returns true if no further row is requested.
  [[nodiscard]] bool enough() const noexcept {
    return row_ >= options_.end || written_ >= options_.limit || out_.closed();
  }
  /// Number of rows that may still be written.
  [[nodiscard]] std::uint64_t left() const noexcept { return options_.limit - written_; }
  [[nodiscard]] bool cancelled() const noexcept {
    return options_.cancelled != nullptr && options_.cancelled->load(std::memory_order_relaxed);
  }
  [[nodiscard]] const RowOptions& options() const noexcept { return options_; }
  /// Ordinal in the file of the next row.
  [[nodiscard]] std::uint64_t row() const noexcept { return row_; }
  /// Returns true if the next row is requested.
  [[nodiscard]] bool is_wanted() const noexcept { return row_ >= options_.first; }
  /// Advances by a number of rows.
  void pass(std::uint64_t rows) noexcept { row_ += rows; }
  /// Writes the text of a row without advancing.
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

/// End of a row group.
enum class RowStep : std::uint8_t {
  on,    ///< go to the next row group
  done,  ///< no further row is requested
  failed,
  cancelled,
};

}  // namespace parqproof
