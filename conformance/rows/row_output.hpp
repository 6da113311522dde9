#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/limits.hpp"
#include "conformance/report/out.hpp"
#include "conformance/rows/fields.hpp"

namespace parqproof {

/// Treatment of a row that lacks a value because of damage.
enum class DamagedRows : std::uint8_t {
  end,        ///< the rows end before it
  left_out,   ///< the row is not shown
  with_null,  ///< the top-level field of the lost value is null
};

/// Selection and form of the rows.
struct RowOptions {
  RowView view = RowView::logical;
  std::vector<std::string> columns;  ///< dotted paths of leaves or groups; empty: all
  std::uint64_t first = 0;           ///< rows before it are passed over
  std::uint64_t end = UINT64_MAX;    ///< one past the last row
  std::uint64_t limit = UINT64_MAX;  ///< max number of rows
  /// "COLUMN=VALUE": shows only the rows that index pages lead to. Excludes damaged rows that are passed
  /// over.
  std::string lookup;
  std::function<void(const std::string& line)> on_lookup;  ///< receives the pages that a lookup has read
  DamagedRows damaged = DamagedRows::end;
  bool ignore_crc = false;  ///< reads pages with a wrong checksum
  Limits limits;
  Folder* folder =
      nullptr;  ///< the file's folder, for column chunks in other files (file_path); null: read none of those
  const std::atomic<bool>* cancelled = nullptr;  ///< set by another thread to stop the reading
};

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
