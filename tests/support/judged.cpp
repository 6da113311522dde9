#include "tests/support/judged.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/support/json_schema.hpp"

namespace support {

using namespace parqproof;

std::vector<std::uint8_t> read_bytes(const std::string& path) {
  std::ifstream file(PARQPROOF_SOURCE_DIR "/" + path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> files_below(const std::string& folder, const std::string& ending) {
  std::vector<std::string> paths;
  const std::filesystem::path root(PARQPROOF_SOURCE_DIR);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    const std::string path = entry.path().lexically_relative(root);
    if (path.ends_with(ending)) paths.push_back(path);
  }
  std::ranges::sort(paths);
  return paths;
}

FileReport judged(std::span<const std::uint8_t> bytes, const CheckOptions& options, const std::string& path) {
  const MemorySource source(bytes);
  FileReport report = check(source, path, options);
  const std::string complaint = validate_report(json_of(report));
  if (!complaint.empty()) FAIL_CHECK(path << ": the report breaks its schema: " << complaint);
  return report;
}

}  // namespace support
