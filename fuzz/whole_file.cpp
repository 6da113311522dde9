/// The libFuzzer target over whole files.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fuzz/invariants.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string fault = parqproof::fuzz::whole_file_fault({data, size});
  if (fault.empty()) return 0;
  std::fprintf(stderr, "whole_file: %s\n", fault.c_str());
  std::abort();
}
