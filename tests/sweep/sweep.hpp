#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "conformance/check/check.hpp"

namespace support {

/// A file of the corpus that is small enough to be swept.
struct SmallFile {
  std::string path;  ///< from the source tree
  std::vector<std::uint8_t> bytes;
};

/// The files below corpus/ of at most 1 KB, in the order of their paths.
[[nodiscard]] const std::vector<SmallFile>& small_files();

/// A sweep takes every k-th of its cases: k is PARQPROOF_SWEEP_EVERY, at least 1, or `usual` if that is not
/// set.
[[nodiscard]] std::uint64_t sweep_every(std::uint64_t usual);
/// Whether PARQPROOF_SWEEP_EVERY asks for few cases (64 or more), as in builds in which the program is slow.
[[nodiscard]] bool few_cases();

/// Chooses cases: every k-th by a fixed hash, where k is sweep_every(usual). It prints k.
class Sample {
 public:
  explicit Sample(std::uint64_t usual);
  [[nodiscard]] bool takes(const std::string& path, std::uint64_t number) const;

 private:
  std::uint64_t every_;
};

/// A number that depends on its arguments alone.
[[nodiscard]] std::uint64_t fixed_hash(const std::string& text, std::uint64_t number);

/// Changes of one byte: eight flipped bits, 00 and ff.
inline constexpr std::uint64_t kChangesOfAByte = 10;

/// Makes change number `number` (offset times kChangesOfAByte plus which) for a while: `bytes` are as before
/// at the end. Nothing happens where the byte has that value already.
void with_change(std::vector<std::uint8_t>& bytes, std::uint64_t number, const std::function<void()>& look);

/// Which changed bytes are tried usually: all of them take more than an hour of CPU time.
inline constexpr std::uint64_t kUsualBytes = 32;

/// What is wrong with the bytes of a case, in words; `hash` is a number that depends on the case alone.
using Look = std::function<std::string(const std::vector<std::uint8_t>& bytes, std::uint64_t hash)>;

/// Calls `look` for the files of the sample with one changed byte, and fails where it finds a fault.
void sweep_bytes(std::uint64_t usual, const Look& look);
/// The same for proper prefixes.
void sweep_prefixes(std::uint64_t usual, const Look& look);

}  // namespace support
