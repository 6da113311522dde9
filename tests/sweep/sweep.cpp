#include "tests/sweep/sweep.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "conformance/report/bytes/layout.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/judged.hpp"

namespace support {

using namespace parqproof;

const std::vector<SmallFile>& small_files() {
  static const std::vector<SmallFile> files = [] {
    constexpr std::size_t kLargest = 1024;
    std::vector<SmallFile> found;
    for (const std::string& path : files_below("corpus", ".parquet")) {
      std::vector<std::uint8_t> bytes = read_bytes(path);
      if (bytes.size() <= kLargest) found.push_back({path, std::move(bytes)});
    }
    return found;
  }();
  return files;
}

Share sweep_share() {
  const char* const text = std::getenv("PARQPROOF_SWEEP");
  const std::string_view word = text == nullptr ? "usual" : text;
  if (word == "all") return Share::all;
  if (word == "few") return Share::few;
  if (word == "usual") return Share::usual;
  throw std::runtime_error("PARQPROOF_SWEEP is all, usual or few");
}

bool few_cases() { return sweep_share() == Share::few; }

std::size_t cases_per_kind(std::size_t usual) {
  constexpr std::size_t kFewer = 8;
  switch (sweep_share()) {
    case Share::few:
      return usual / kFewer + 1;
    case Share::usual:
      return usual;
    case Share::all:
      break;
  }
  return SIZE_MAX;
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

namespace {

/// The folder of the corpus that a file belongs to: of witnesses the group of their rule.
std::string folder_of(const std::string& path) {
  const std::size_t first = path.find('/') + 1;
  std::size_t end = path.find('/', first);
  if (path.starts_with("corpus/witnesses/") || path.starts_with("corpus/writers/"))
    end = path.find('/', end + 1);
  return path.substr(first, end - first);
}

struct Case {
  std::uint64_t hash = 0;  ///< cases of the smallest hashes are taken
  const SmallFile* file = nullptr;
  std::uint64_t number = 0;
};

using Take = std::function<void(const SmallFile&, std::uint64_t number)>;

/// Calls `take` for the cases of each kind, file after file. Each byte of a file has `per_byte` cases,
/// numbered through.
void draw_cases(std::size_t usual, std::uint64_t per_byte, const Take& take) {
  const std::size_t most = cases_per_kind(usual);
  std::map<std::pair<std::string, SegmentKind>, std::vector<Case>> kinds;  // max-heaps by hash
  std::size_t taken = 0;
  for (const SmallFile& file : small_files()) {
    const std::string folder = folder_of(file.path);
    const std::uint64_t seed = fixed_hash(file.path, 0);
    for (const Segment& segment : read_layout(MemorySource(file.bytes)).segments) {
      std::vector<Case>& cases = kinds[{folder, segment.kind}];
      for (std::uint64_t number = segment.offset * per_byte; number < segment.end() * per_byte; ++number) {
        const Case one{fixed_hash("", seed + number), &file, number};
        if (most == SIZE_MAX) {
          take(file, number);
          ++taken;
        } else if (cases.size() < most || one.hash < cases.front().hash) {
          if (cases.size() == most) {
            std::ranges::pop_heap(cases, {}, &Case::hash);
            cases.pop_back();
          }
          cases.push_back(one);
          std::ranges::push_heap(cases, {}, &Case::hash);
        }
      }
    }
  }
  std::vector<Case> all;
  for (const auto& [kind, cases] : kinds) all.insert(all.end(), cases.begin(), cases.end());
  std::ranges::sort(all, {}, [](const Case& one) { return std::pair(one.file, one.number); });
  for (const Case& one : all) take(*one.file, one.number);
  std::cout << taken + all.size() << " cases of " << kinds.size()
            << " kinds (PARQPROOF_SWEEP=few, usual, all)\n";
}

}  // namespace

void sweep_bytes(std::size_t usual, const Look& look) {
  std::uint64_t cases = 0;
  draw_cases(usual, kChangesOfAByte, [&](const SmallFile& file, std::uint64_t number) {
    std::vector<std::uint8_t> bytes = file.bytes;
    with_change(bytes, number, [&] {
      ++cases;
      const std::string fault = look(bytes, fixed_hash(file.path, ~number));
      if (!fault.empty()) {
        FAIL_CHECK(file.path << " with change " << number % kChangesOfAByte << " of byte "
                             << number / kChangesOfAByte << ": " << fault);
      }
    });
  });
  CHECK(cases > 0);
}

void sweep_prefixes(std::size_t usual, const Look& look) {
  std::uint64_t cases = 0;
  draw_cases(usual, 1, [&](const SmallFile& file, std::uint64_t size) {
    ++cases;
    const std::string fault = look(cut(file.bytes, size), fixed_hash(file.path, size));
    if (!fault.empty()) FAIL_CHECK(file.path << " cut to " << size << " bytes: " << fault);
  });
  CHECK(cases > 0);
}

}  // namespace support
