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

/// What becomes of a row that lacks a value because of damage.
enum class DamagedRows : std::uint8_t {
  end,        ///< it ends the rows
  left_out,   ///< it is not shown
  with_null,  ///< the field of the row that it is in, at the top of the schema, is null
};

/// Which rows to show, and how.
struct RowOptions {
  RowView view = RowView::logical;
  std::vector<std::string> columns;  ///< dotted paths of leaves or groups; none: all
  std::uint64_t first = 0;           ///< rows before it are passed over
  std::uint64_t end = UINT64_MAX;    ///< one past the last row
  std::uint64_t limit = UINT64_MAX;  ///< rows at most
  /// "COLUMN=VALUE": the rows that index pages lead to alone. Not with damaged rows that are passed over.
  std::string lookup;
  std::function<void(const std::string& line)> on_lookup;  ///< gets the pages that a lookup has read
  DamagedRows damaged = DamagedRows::end;
  bool ignore_crc = false;  ///< reads pages whatever their checksum says
  Limits limits;
  Folder* folder =
      nullptr;  ///< of the file, for column chunks that file_path puts in others; null: none of those
  const std::atomic<bool>* cancelled = nullptr;  ///< set from outside: stop soon
};

}  // namespace parqproof
