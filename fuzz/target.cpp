/// A libFuzzer target: PARQPROOF_PROPERTY names the property that it holds.
#include <cstdio>
#include <cstdlib>

#include "fuzz/property.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const parqproof::fuzz::Property& property = *parqproof::fuzz::find_property(PARQPROOF_PROPERTY);
  const std::string fault = property.fault({data, size});
  if (fault.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", property.name.c_str(), fault.c_str());
  std::abort();
}
