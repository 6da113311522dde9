#include "tests/rows/written.hpp"

#include <sstream>

namespace support {

using namespace parqproof;

std::vector<std::string> Written::lines() const {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

nlohmann::ordered_json Written::rows() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const std::string& line : lines()) all.push_back(nlohmann::ordered_json::parse(line));
  return all;
}

Written written(std::span<const std::uint8_t> bytes, const RowOptions& options) {
  return written(MemorySource(bytes), options);
}

Written written(const Source& source, const RowOptions& options) {
  Written result;
  Out out(result.text);
  ReadingFailure failure;
  RowsOutcome outcome = write_rows(source, options, out, failure);
  result.end = outcome.end;
  result.column = std::move(outcome.column);
  result.left_out = std::move(outcome.left_out);
  if (failure.finding() != nullptr) result.finding = *failure.finding();
  result.broken = failure.broken();
  return result;
}

RowOptions physical() { return {.view = RowView::physical}; }

}  // namespace support
