/// Checks a property with files, without a fuzzing engine: fuzz_replay PROPERTY FILE|DIR...
///   fuzz_replay --list          the names of all properties
/// Exit code: 0 the property holds for every file; 1 it does not, and each such file is printed; 2 wrong
/// call.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "fuzz/property.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace parqproof::fuzz;
  if (argc == 2 && std::string_view(argv[1]) == "--list") {
    for (const Property& property : all_properties()) std::puts(property.name.c_str());
    return 0;
  }
  const Property* const property = argc < 3 ? nullptr : find_property(argv[1]);
  if (property == nullptr) {
    std::fputs("usage: fuzz_replay PROPERTY FILE|DIR... (fuzz_replay --list prints the properties)\n",
               stderr);
    return 2;
  }
  std::size_t files = 0;
  int code = 0;
  for (int i = 2; i < argc; ++i) {
    for (const fs::path& path : files_below(argv[i])) {
      std::ifstream in(path, std::ios::binary);
      if (!in) {
        std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
        return 2;
      }
      const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
      const std::string fault =
          property->fault({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
      ++files;
      if (fault.empty()) continue;
      std::printf("%s: %s\n", path.c_str(), fault.c_str());
      code = 1;
    }
  }
  std::printf("%s: %zu files\n", property->name.c_str(), files);
  return code;
}
