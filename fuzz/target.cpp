/// Main file of every libFuzzer target: the name of the executable, fuzz_NAME, selects the property.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/property.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
/// Executions are short and many: freed memory is reused soon, because new pages would take a third of the
/// time; only the innermost calls of an allocation are recorded.
extern "C" const char* __asan_default_options() { return "quarantine_size_mb=16:malloc_context_size=8"; }
#endif
#endif

namespace {

const parqproof::fuzz::Property* property = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** argv) {
  const std::string_view path = **argv;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  constexpr std::string_view kPrefix = "fuzz_";
  if (file.starts_with(kPrefix)) property = parqproof::fuzz::find_property(file.substr(kPrefix.size()));
  if (property != nullptr) return 0;
  std::fprintf(stderr, "%s: rename it to fuzz_NAME; fuzz_replay --list prints the properties\n", **argv);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string fault = property->fault({data, size});
  if (fault.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", property->name.c_str(), fault.c_str());
  std::abort();
}
