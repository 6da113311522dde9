#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/limits.hpp"
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

}  // namespace parqproof
