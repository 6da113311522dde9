#include "codec/compression/lz4_block.hpp"

#include <cstring>

#include "codec/base/bits.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kLastLiterals = 5;     // min literals at the end of a block
constexpr std::size_t kLastMatchStart = 12;  // min bytes from the last match to the end of a block

// With this many bytes left, a sequence of short lengths is read and written in full vectors.
constexpr std::size_t kRoomIn = 32;
constexpr std::size_t kRoomOut = 64;

void copy_16(std::uint8_t* to, const std::uint8_t* from) noexcept { std::memcpy(to, from, 16); }

// Copies a match; writes up to 15 bytes past it.
inline void copy_match(std::uint8_t* to, std::size_t distance, std::size_t match) noexcept {
  const std::uint8_t* from = to - distance;
  std::uint8_t* const end = to + match;
  if (distance < 16) {
    // The first sixteen bytes one by one: after them, a multiple of the distance is long enough for vectors.
    for (unsigned k = 0; k < 16; ++k) to[k] = from[k];
    const std::size_t repeated = 16 / distance * distance;
    from = to;
    to += repeated;
    if (repeated < 16) {
      for (; to < end; to += 8, from += 8) std::memcpy(to, from, 8);
      return;
    }
  }
  for (; to < end; to += 16, from += 16) copy_16(to, from);
}

// Adds the bytes that follow a full nibble to a length. Returns false if the block ends.
inline bool read_length(const std::uint8_t*& in, const std::uint8_t* end, std::size_t& length) noexcept {
  std::uint8_t more = 0;
  do {
    if (in == end) return false;
    length += more = *in++;
  } while (more == 255);
  return true;
}

class Block {
 public:
  Block(View block, std::uint8_t* out, std::size_t size) noexcept
      : in_(block.data()), in_end_(in_ + block.size()), begin_(out), out_(out), end_(out + size) {}

  bool expand() noexcept {
    do {
      expand_most();
      if (!expand_one()) return false;
    } while (!done_);
    return out_ == end_;
  }

 private:
  // Returns true if a match can reach so far back; distance 0 is invalid.
  [[nodiscard]] static bool reaches(std::size_t distance, std::size_t produced) noexcept {
    return distance - 1 < produced;
  }

  // Expands sequences as long as there is room for full vectors after all reads and writes. Stops at the
  // first sequence that expand_one() must check.
  void expand_most() noexcept {
    const std::uint8_t* next = in_;
    std::uint8_t* out = out_;
    while (static_cast<std::size_t>(in_end_ - next) >= kRoomIn &&
           static_cast<std::size_t>(end_ - out) >= kRoomOut) {
      const std::uint8_t* in = next;
      const unsigned token = *in++;
      std::size_t literals = token >> 4;
      if (literals < kLz4LongLength) [[likely]] {
        copy_16(out, in);
      } else {
        if (!read_length(in, in_end_, literals)) break;
        if (literals + kRoomIn > static_cast<std::size_t>(in_end_ - in)) break;
        if (literals + kRoomOut > static_cast<std::size_t>(end_ - out)) break;
        for (std::size_t at = 0; at < literals; at += 16) copy_16(out + at, in + at);
      }
      in += literals;
      std::uint8_t* const to = out + literals;
      const std::size_t distance = load_le<std::uint16_t>(in);
      in += 2;
      if (!reaches(distance, static_cast<std::size_t>(to - begin_))) break;
      std::size_t match = token & 15U;
      if (match < kLz4LongLength) [[likely]] {
        match += kLz4MinMatchBytes;
        if (distance >= 16) [[likely]] {
          copy_16(to, to - distance);
          copy_16(to + 16, to + 16 - distance);
        } else {
          copy_match(to, distance, match);
        }
      } else {
        if (!read_length(in, in_end_, match)) break;
        match += kLz4MinMatchBytes;
        if (match + kRoomOut > static_cast<std::size_t>(end_ - to)) break;
        copy_match(to, distance, match);
      }
      next = in;
      out = to + match;
    }
    in_ = next;
    out_ = out;
  }

  // Expands one sequence with every check, including those at the end of a block.
  bool expand_one() noexcept {
    if (in_ == in_end_) return false;
    const unsigned token = *in_++;
    std::size_t literals = token >> 4;
    if (literals == kLz4LongLength && !read_length(in_, in_end_, literals)) return false;
    if (literals > in_left() || literals > out_left()) return false;
    if (literals != 0) std::memcpy(out_, in_, literals);
    in_ += literals;
    out_ += literals;
    if (in_ == in_end_) {
      done_ = true;
      return !matched_ || literals >= kLastLiterals;
    }
    if (in_left() < 2) return false;
    const std::size_t distance = load_le<std::uint16_t>(in_);
    in_ += 2;
    std::size_t match = token & 15U;
    if (!reaches(distance, static_cast<std::size_t>(out_ - begin_))) return false;
    if (match == kLz4LongLength && !read_length(in_, in_end_, match)) return false;
    match += kLz4MinMatchBytes;
    if (out_left() < kLastMatchStart || match > out_left()) return false;
    for (const std::uint8_t* from = out_ - distance; match != 0; --match) *out_++ = *from++;
    matched_ = true;
    return true;
  }

  [[nodiscard]] std::size_t in_left() const noexcept { return static_cast<std::size_t>(in_end_ - in_); }
  [[nodiscard]] std::size_t out_left() const noexcept { return static_cast<std::size_t>(end_ - out_); }

  const std::uint8_t* in_;
  const std::uint8_t* in_end_;
  std::uint8_t* begin_;
  std::uint8_t* out_;
  std::uint8_t* end_;
  bool matched_ = false;  // there is a match, which may be the last one
  bool done_ = false;
};

}  // namespace

bool expand_sound_lz4_block(View block, std::uint8_t* out, std::size_t size) noexcept {
  return Block(block, out, size).expand();
}

}  // namespace parqproof
