#include "tests/sweep/sweep.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
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

std::uint64_t sweep_every(std::uint64_t usual) {
  const char* text = std::getenv("PARQPROOF_SWEEP_EVERY");
  return text == nullptr ? usual : std::max<std::uint64_t>(std::strtoull(text, nullptr, 10), 1);
}

bool few_cases() { return sweep_every(1) >= 64; }

Sample::Sample(std::uint64_t usual) : every_(sweep_every(usual)) {
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

void sweep_bytes(std::uint64_t usual, const Look& look) {
  const Sample sample(usual);
  std::uint64_t cases = 0;
  for (const SmallFile& file : small_files()) {
    std::vector<std::uint8_t> bytes = file.bytes;
    for (std::uint64_t number = 0; number < bytes.size() * kChangesOfAByte; ++number) {
      if (!sample.takes(file.path, number)) continue;
      with_change(bytes, number, [&] {
        ++cases;
        const std::string fault = look(bytes, fixed_hash(file.path, ~number));
        if (!fault.empty()) {
          FAIL_CHECK(file.path << " with change " << number % kChangesOfAByte << " of byte "
                               << number / kChangesOfAByte << ": " << fault);
        }
      });
    }
  }
  CHECK(cases > 0);
}

void sweep_prefixes(std::uint64_t usual, const Look& look) {
  const Sample sample(usual);
  std::uint64_t cases = 0;
  for (const SmallFile& file : small_files()) {
    for (std::size_t size = 0; size < file.bytes.size(); ++size) {
      if (!sample.takes(file.path, size)) continue;
      ++cases;
      const std::vector<std::uint8_t> prefix(file.bytes.begin(),
                                             file.bytes.begin() + static_cast<std::ptrdiff_t>(size));
      const std::string fault = look(prefix, fixed_hash(file.path, size));
      if (!fault.empty()) FAIL_CHECK(file.path << " cut to " << size << " bytes: " << fault);
    }
  }
  CHECK(cases > 0);
}

}  // namespace support
