#pragma once

#include <cstddef>
#include <cstdint>

/// UTF-8 validation by table lookups, many bytes at a time: the algorithm of Keiser and Lemire ("Validating
/// UTF-8 in less than one instruction per byte"). A pair of neighbouring bytes can be invalid in a few ways.
/// The high half of the first byte, its low half, and the high half of the second byte each allow some of
/// these ways; a way that all three allow is a fault. Third and fourth bytes of characters are checked
/// separately.
namespace parqproof::kernel::utf8 {

// The ways in which two neighbouring bytes can be invalid.
constexpr std::uint8_t kTooShort = 1 << 0;      // a lead byte without its continuation
constexpr std::uint8_t kTooLong = 1 << 1;       // a continuation after ASCII
constexpr std::uint8_t kOverlong3 = 1 << 2;     // E0, then less than A0
constexpr std::uint8_t kTooLarge = 1 << 3;      // F4, then more than 8F; or F5 and above
constexpr std::uint8_t kSurrogate = 1 << 4;     // ED, then more than 9F
constexpr std::uint8_t kOverlong2 = 1 << 5;     // C0 or C1
constexpr std::uint8_t kTooLarge1000 = 1 << 6;  // F5 and above, then 80 to 8F
constexpr std::uint8_t kOverlong4 = 1 << 6;     // F0, then 80 to 8F
constexpr std::uint8_t kTwoContinuations = 1 << 7;
constexpr std::uint8_t kAnyLow = kTooShort | kTooLong | kTwoContinuations;  // independent of the low half

struct Halves {
  alignas(16) std::uint8_t first_high[16];
  alignas(16) std::uint8_t first_low[16];
  alignas(16) std::uint8_t second_high[16];
};
inline constexpr Halves kFaults = [] {
  Halves faults{};
  for (unsigned i = 0; i < 16; ++i) {
    std::uint8_t& high = faults.first_high[i];
    if (i < 0x8) high = kTooLong;
    if (i >= 0x8 && i < 0xC) high = kTwoContinuations;
    if (i == 0xC) high = kTooShort | kOverlong2;
    if (i == 0xD) high = kTooShort;
    if (i == 0xE) high = kTooShort | kOverlong3 | kSurrogate;
    if (i == 0xF) high = kTooShort | kTooLarge | kTooLarge1000 | kOverlong4;

    std::uint8_t& low = faults.first_low[i];
    low = kAnyLow;
    if (i == 0x0) low = kAnyLow | kOverlong3 | kOverlong2 | kOverlong4;
    if (i == 0x1) low = kAnyLow | kOverlong2;
    if (i == 0x4) low = kAnyLow | kTooLarge;
    if (i >= 0x5) low = kAnyLow | kTooLarge | kTooLarge1000;
    if (i == 0xD) low = kAnyLow | kTooLarge | kTooLarge1000 | kSurrogate;

    std::uint8_t& second = faults.second_high[i];
    second = kTooShort;
    if (i == 0x8)
      second = kTooLong | kOverlong2 | kTwoContinuations | kOverlong3 | kTooLarge1000 | kOverlong4;
    if (i == 0x9) second = kTooLong | kOverlong2 | kTwoContinuations | kOverlong3 | kTooLarge;
    if (i == 0xA || i == 0xB) second = kTooLong | kOverlong2 | kTwoContinuations | kSurrogate | kTooLarge;
  }
  return faults;
}();

/// Blocks between two checks that the text is ASCII: a mispredicted branch costs more than unneeded lookups.
inline constexpr std::size_t kBlocksAtOnce = 16;

}  // namespace parqproof::kernel::utf8
