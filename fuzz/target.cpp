/// A libFuzzer target: PARQPROOF_PROPERTY names the property that it holds.
#include <cstdio>
#include <cstdlib>

#include "fuzz/property.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
/// Executions are short and many: freed memory comes back soon, for new pages would take a third of the time;
/// of an allocation the calls nearest to it are kept.
extern "C" const char* __asan_default_options() { return "quarantine_size_mb=16:malloc_context_size=8"; }
#endif
#endif

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const parqproof::fuzz::Property& property = *parqproof::fuzz::find_property(PARQPROOF_PROPERTY);
  const std::string fault = property.fault({data, size});
  if (fault.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", property.name.c_str(), fault.c_str());
  std::abort();
}
