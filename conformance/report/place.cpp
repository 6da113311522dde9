#include "conformance/report/place.hpp"

#include <fmt/format.h>

#include "conformance/report/escape.hpp"

namespace parqproof {

std::string place_text(const Place& place, const std::string& column) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (place.row_group >= 0) add(fmt::format("row group {}", place.row_group));
  if (place.leaf >= 0) {
    add(fmt::format("column {} (leaf {})", printable(column), place.leaf));
  } else if (!column.empty()) {
    add("column " + printable(column));
  }
  if (place.page >= 0) add(fmt::format("page {}", place.page));
  return text;
}

std::string offset_text(std::uint64_t offset) { return fmt::format("{0} (0x{0:x})", offset); }

std::string counted(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace parqproof
