#pragma once

#include <cstddef>
#include <cstdint>

/// UTF-8 by table look-ups, many bytes at a time: the algorithm of Keiser and Lemire ("Validating UTF-8 in
/// less than one instruction per byte"). Each pair of neighbouring bytes can be at fault in a few ways. The
/// high half of the first byte, its low half, and the high half of the second byte each allow some of these
/// ways; what all three allow is a fault. Continuations of three and four bytes reach further and are counted
/// apart.
namespace parqproof::kernel::utf8 {

// The ways in which two bytes can be at fault.
constexpr std::uint8_t kTooShort = 1 << 0;      // a lead without its continuation
constexpr std::uint8_t kTooLong = 1 << 1;       // a continuation behind ASCII
constexpr std::uint8_t kOverlong3 = 1 << 2;     // E0, and less than A0
constexpr std::uint8_t kTooLarge = 1 << 3;      // F4, and more than 8F; or F5 and above
constexpr std::uint8_t kSurrogate = 1 << 4;     // ED, and more than 9F
constexpr std::uint8_t kOverlong2 = 1 << 5;     // C0 or C1
constexpr std::uint8_t kTooLarge1000 = 1 << 6;  // F5 and above, and 80 to 8F
constexpr std::uint8_t kOverlong4 = 1 << 6;     // F0, and 80 to 8F
constexpr std::uint8_t kTwoContinuations = 1 << 7;
constexpr std::uint8_t kAnyLow = kTooShort | kTooLong | kTwoContinuations;  // whatever the low half is

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

/// The look-ups run over this many blocks before it is asked again whether the text is ASCII: a branch that
/// is hard to foresee costs more than look-ups that were not needed.
inline constexpr std::size_t kBlocksAtOnce = 16;

}  // namespace parqproof::kernel::utf8
