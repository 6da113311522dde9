#include "tests/sweep/sweep.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "tests/support/judged.hpp"

namespace support {

using namespace parqproof;

const std::vector<SmallFile>& small_files() {
  static const std::vector<SmallFile> files = [] {
    constexpr std::size_t kLargest = 1024;
    std::vector<SmallFile> found;
    for (const std::string& path : files_below("corpus", ".parquet")) {
      std::vector<std::uint8_t> bytes = read_bytes(PARQPROOF_SOURCE_DIR "/" + path);
      if (bytes.size() <= kLargest) found.push_back({path, std::move(bytes)});
    }
    return found;
  }();
  return files;
}

Sample::Sample(std::uint64_t usual) : every_(usual) {
  if (const char* text = std::getenv("PARQPROOF_SWEEP_EVERY"))
    every_ = std::max<std::uint64_t>(std::strtoull(text, nullptr, 10), 1);
  std::cout << "every " << every_ << ". case (PARQPROOF_SWEEP_EVERY)\n";
}

bool Sample::takes(const std::string& path, std::uint64_t number) const {
  return fixed_hash(path, number) % every_ == 0;
}

std::uint64_t fixed_hash(const std::string& text, std::uint64_t number) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a over the text, then the finalizer of splitmix64
  for (const char letter : text) hash = (hash ^ static_cast<std::uint8_t>(letter)) * 0x100000001b3;
  hash += number * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

void with_change(std::vector<std::uint8_t>& bytes, std::uint64_t number, const std::function<void()>& look) {
  std::uint8_t& byte = bytes[number / kChangesOfAByte];
  const std::uint8_t before = byte;
  const std::uint64_t which = number % kChangesOfAByte;
  const std::uint8_t after = which < 8    ? static_cast<std::uint8_t>(before ^ (1U << which))
                             : which == 8 ? 0x00
                                          : 0xff;
  if (after == before) return;
  byte = after;
  look();
  byte = before;
}

}  // namespace support
