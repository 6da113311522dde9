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
  Written result;
  const MemorySource source(bytes);
  Out out(result.text);
  Trouble trouble;
  RowsOutcome outcome = write_rows(source, options, out, trouble);
  result.end = outcome.end;
  result.column = std::move(outcome.column);
  if (trouble.finding() != nullptr) result.finding = *trouble.finding();
  result.broken = trouble.broken();
  return result;
}

RowOptions physical() {
  RowOptions options;
  options.view = RowView::physical;
  return options;
}

}  // namespace support
