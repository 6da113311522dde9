#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "codec/base/text.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kBlock = UnixLinesSource::kBlock;
using Block = std::array<std::uint8_t, kBlock>;
/// Pages are hardly ever without a line feed, or a byte above 0x7F, for so many bytes. Where they are, the
/// file is not searched further: what it claims to hold may be a hole of any size.
constexpr std::uint64_t kMostBetween = std::uint64_t{4} << 20;

/// Hands the bytes of a file on, block by block: `take(bytes, offset)`, until that is false. False where they
/// cannot be read, or are not all taken.
template <typename Take>
bool each_block(const Source& source, Take&& take) {
  const auto block = std::make_unique<Block>();
  for (std::uint64_t at = 0; at < source.size(); at += kBlock) {
    const auto bytes =
        std::span(*block).first(static_cast<std::size_t>(std::min(kBlock, source.size() - at)));
    if (!source.read(at, bytes) || !take(std::span<const std::uint8_t>(bytes), at)) return false;
  }
  return true;
}

/// Counts the characters of UTF-8 that take several bytes.
class Utf8Counter {
 public:
  /// False where the bytes are no UTF-8.
  bool take(std::uint8_t byte) {
    if (left_ == 0) return begin(byte);
    if ((byte & 0xC0) != 0x80) return false;
    code_ = (code_ << 6) | (byte & 0x3FU);
    if (--left_ != 0) return true;
    ++characters_;
    constexpr std::uint32_t kReplacement = 0xFFFD;
    constexpr std::uint32_t kLatin1 = 0xFF;
    if (code_ == kReplacement) ++replaced_;
    if (code_ > kLatin1) ++beyond_latin1_;
    return true;
  }
  [[nodiscard]] bool is_intact() const noexcept { return left_ == 0; }
  [[nodiscard]] std::uint64_t characters() const noexcept { return characters_; }
  [[nodiscard]] std::uint64_t replaced() const noexcept { return replaced_; }
  [[nodiscard]] bool is_latin1() const noexcept { return beyond_latin1_ == 0; }

 private:
  bool begin(std::uint8_t byte) {
    if (byte < 0x80) return true;
    if (byte < 0xC2 || byte > 0xF4) return false;
    left_ = byte < 0xE0 ? 1U : byte < 0xF0 ? 2U : 3U;
    code_ = byte & (0x3FU >> left_);
    return true;
  }

  unsigned left_ = 0;  // bytes of the character at hand
  std::uint32_t code_ = 0;
  std::uint64_t characters_ = 0;
  std::uint64_t replaced_ = 0;
  std::uint64_t beyond_latin1_ = 0;
};

}  // namespace

bool has_no_windows_lines(const Source& source) {
  std::uint64_t feeds = 0;
  std::uint64_t last = 0;
  std::uint8_t previous = 0;
  const bool none = each_block(source, [&](std::span<const std::uint8_t> bytes, std::uint64_t at) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == '\n') {
        if (previous == '\r') return false;
        ++feeds;
        last = at + i;
      }
      previous = bytes[i];
    }
    return at - std::min(at, last) <= kMostBetween;
  });
  return none && feeds != 0;
}

std::optional<Explanation> find_windows_lines(const Evidence& evidence) {
  const Source& source = evidence.as_is.input.source;
  std::vector<std::uint64_t> returns;
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint8_t previous = 0;
  const bool all = each_block(source, [&](std::span<const std::uint8_t> bytes, std::uint64_t at) {
    // A return that ends a block is in front of what the next block begins with.
    returns.push_back(count);
    if (!bytes.empty() && bytes.front() == '\n' && previous == '\r') ++returns.back();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == '\n') {
        if (previous != '\r') return false;
        if (count++ == 0) first = at + i;
        last = at + i;
      }
      previous = bytes[i];
    }
    return at - std::min(at, last) <= kMostBetween;
  });
  if (!all || count == 0) return std::nullopt;
  returns.push_back(count);
  Explanation out;
  out.cause = damage_finding(
      Rule::file_text_mode, {first - 1, first + 1},
      contrast("CR LF", "LF",
               ": each of the " + counted(count, "line feed") + " has a carriage return in front of it"));
  out.restored = std::make_unique<UnixLinesSource>(source, std::move(returns));
  return out;
}

std::optional<Explanation> find_utf8(const Evidence& evidence) {
  // So many characters are no chance: of random bytes hardly one in ten above 0x7F goes on as UTF-8.
  constexpr std::uint64_t kEnough = 8;
  const Source& source = evidence.as_is.input.source;
  Utf8Counter text;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  const bool is_utf8 = each_block(source, [&](std::span<const std::uint8_t> bytes, std::uint64_t at) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (!text.take(bytes[i])) return false;
      if (bytes[i] < 0x80) continue;
      if (first == 0) first = at + i;
      last = at + i;
    }
    return at - std::min(at, last) <= kMostBetween;
  });
  if (!is_utf8 || !text.is_intact() || text.characters() < kEnough) return std::nullopt;
  Explanation out;
  const std::string count = std::to_string(text.characters());
  if (text.replaced() != 0) {
    out.cause = damage_finding(
        Rule::file_text_mode, {first, first + 3},
        contrast("EF BF BD", "bytes that are no UTF-8",
                 ": all bytes of the file are UTF-8, and the replacement character stands " +
                     std::to_string(text.replaced()) +
                     " times where other bytes were; these are gone, so fetch the file again as binary"));
  } else {
    out.cause = damage_finding(
        Rule::file_text_mode, {first, first + 2},
        contrast("characters of UTF-8", "single bytes",
                 ": all bytes of the file are UTF-8, with " + count + " characters of several bytes" +
                     (text.is_latin1() ? "; `iconv -f UTF-8 -t ISO-8859-1` takes it back" : "")));
  }
  return out;
}

}  // namespace parqproof
