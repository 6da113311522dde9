#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "codec/base/text.hpp"
#include "conformance/diagnosis/transfer/each_block.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

/// Pages are hardly ever without a line feed, or a byte above 0x7F, for so many bytes. Where they are, the
/// file is not searched further: what it claims to hold may be a hole of any size.
constexpr std::uint64_t kMostBetween = std::uint64_t{4} << 20;

/// Hands the bytes of a file to `take(byte, offset, last)` until that is false; it sets `last` to the offset
/// of what it looks for. Returns false then, if bytes cannot be read, or if nothing was found for too long.
template <typename Take>
bool each_byte(const Source& source, Take&& take) {
  std::uint64_t last = 0;
  return each_block(source, 0, source.size(), 0, [&](const View& bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (!take(bytes.data()[i], bytes.base + i, last)) return false;
    }
    return bytes.base - std::min(bytes.base, last) <= kMostBetween;
  });
}

/// The line feeds of a file.
struct LineFeeds {
  std::vector<std::uint64_t> returns;  ///< of UnixLinesSource
  std::uint64_t count = 0;
  std::uint64_t first = 0;
};

/// Returns the line feeds if there are some, and each or none has a carriage return before it.
std::optional<LineFeeds> find_line_feeds(const Source& source, bool have_returns) {
  LineFeeds out;
  std::uint8_t previous = 0;
  const bool all = each_byte(source, [&](std::uint8_t byte, std::uint64_t at, std::uint64_t& last) {
    const bool has_return = byte == '\n' && previous == '\r';
    // A return that ends a block is before the first byte of the next block.
    if (at % UnixLinesSource::kBlock == 0) out.returns.push_back(out.count + (has_return ? 1 : 0));
    previous = byte;
    if (byte != '\n') return true;
    if (out.count++ == 0) out.first = at;
    last = at;
    return has_return == have_returns;
  });
  if (!all || out.count == 0) return std::nullopt;
  out.returns.push_back(out.count);
  return out;
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

bool has_no_windows_lines(const Source& source) { return find_line_feeds(source, false).has_value(); }

std::optional<Explanation> find_windows_lines(const Evidence& evidence) {
  const Source& source = evidence.as_is.input.source;
  std::optional<LineFeeds> feeds = find_line_feeds(source, true);
  if (!feeds) return std::nullopt;
  return Explanation{.cause = damage_finding(Rule::file_text_mode, {feeds->first - 1, feeds->first + 1},
                                             contrast("CR LF", "LF",
                                                      ": each of the " + counted(feeds->count, "line feed") +
                                                          " has a carriage return in front of it")),
                     .restored = std::make_unique<UnixLinesSource>(source, std::move(feeds->returns))};
}

std::optional<Explanation> find_utf8(const Evidence& evidence) {
  // So many characters are no chance: of random bytes hardly one in ten above 0x7F goes on as UTF-8.
  constexpr std::uint64_t kEnoughCharacters = 8;
  const Source& source = evidence.as_is.input.source;
  Utf8Counter text;
  std::uint64_t first = 0;
  const bool is_utf8 = each_byte(source, [&](std::uint8_t byte, std::uint64_t at, std::uint64_t& last) {
    if (!text.take(byte)) return false;
    if (byte < 0x80) return true;
    if (first == 0) first = at;
    last = at;
    return true;
  });
  if (!is_utf8 || !text.is_intact() || text.characters() < kEnoughCharacters) return std::nullopt;
  const bool is_replaced = text.replaced() != 0;
  Contrast what =
      is_replaced
          ? contrast("EF BF BD", "bytes that are no UTF-8",
                     ": all bytes of the file are UTF-8, and the replacement character stands " +
                         std::to_string(text.replaced()) +
                         " times where other bytes were; these are gone, so fetch the file again as binary")
          : contrast("characters of UTF-8", "single bytes",
                     ": all bytes of the file are UTF-8, with " + std::to_string(text.characters()) +
                         " characters of several bytes" +
                         (text.is_latin1() ? "; `iconv -f UTF-8 -t ISO-8859-1` takes it back" : ""));
  return Explanation{
      .cause = damage_finding(Rule::file_text_mode, {first, first + (is_replaced ? 3 : 2)}, std::move(what))};
}

}  // namespace parqproof
