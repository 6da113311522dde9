#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/each_block.hpp"
#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

/// Pages are hardly ever without a line feed, or a byte above 0x7F, for so many bytes. Where they are, the
/// file is not searched further: what it claims to hold may be a hole of any size.
constexpr std::uint64_t kMostWithoutLine = std::uint64_t{4} << 20;

/// Returns true if what is looked for was found last at `last`, too far before these bytes.
bool is_too_far(std::uint64_t last, const View& bytes) { return bytes.base > last + kMostWithoutLine; }

/// The line feeds of a file.
struct LineFeeds {
  std::vector<std::uint64_t> returns;  ///< of UnixLinesSource
  std::uint64_t count = 0;
  std::uint64_t first = 0;
};

/// Returns the line feeds if there are some, and each or none has a carriage return before it.
std::optional<LineFeeds> find_line_feeds(const Source& source, bool have_returns) {
  LineFeeds out;
  std::uint64_t last = 0;
  std::uint8_t previous = 0;
  const bool all = each_block(source, 0, source.size(), 0, [&](const View& bytes) {
    for (std::uint64_t at = bytes.base; at < bytes.end(); ++at) {
      const std::uint8_t byte = bytes.data()[at - bytes.base];
      const bool has_return = byte == '\n' && previous == '\r';
      // A return that ends a block is before the first byte of the next block.
      if (at % UnixLinesSource::kBlock == 0) out.returns.push_back(out.count + (has_return ? 1 : 0));
      previous = byte;
      if (byte != '\n') continue;
      if (out.count++ == 0) out.first = at;
      last = at;
      if (has_return != have_returns) return false;
    }
    return !is_too_far(last, bytes);
  });
  if (!all || out.count == 0) return std::nullopt;
  out.returns.push_back(out.count);
  return out;
}

/// The characters of a file in UTF-8.
struct Characters {
  std::uint64_t longer = 0;    ///< those of several bytes
  std::uint64_t first = 0;     ///< offset of the first of these
  std::uint64_t replaced = 0;  ///< replacement characters among them
  bool is_latin1 = true;       ///< none is above U+00FF
};

/// Returns nullopt if the bytes are not UTF-8, or have no longer characters for too long.
std::optional<Characters> read_utf8(const Source& source) {
  constexpr std::uint64_t kMore = 3;  // bytes of a character after the first one
  Characters out;
  std::uint64_t next = 0;
  std::uint64_t last = 0;
  const bool all = each_block(source, 0, source.size(), kMore, [&](const View& bytes) {
    const std::string_view text = text_of(bytes);
    const std::uint64_t stop = bytes.end() == source.size() ? bytes.end() : bytes.end() - kMore;
    while (next < stop) {
      const Character one = character_at(text, static_cast<std::size_t>(next - bytes.base));
      if (!one.valid) return false;
      if (one.length > 1) {
        if (out.longer++ == 0) out.first = next;
        last = next;
        if (one.code == 0xFFFD) ++out.replaced;
        out.is_latin1 = out.is_latin1 && one.code <= 0xFF;
      }
      next += one.length;
    }
    return !is_too_far(last, bytes);
  });
  return all ? std::optional(out) : std::nullopt;
}

}  // namespace

bool has_no_windows_lines(const Source& source) { return find_line_feeds(source, false).has_value(); }

Explanations find_windows_lines(const Evidence& evidence) {
  std::optional<LineFeeds> feeds = find_line_feeds(evidence.source, true);
  if (!feeds) return {};
  return {
      {.cause = damage_finding(Rule::file_text_mode, {feeds->first - 1, feeds->first + 1},
                               contrast("CR LF", "LF",
                                        fmt::format(": each of the {} has a carriage return in front of it",
                                                    counted(feeds->count, "line feed")))),
       .restored = std::make_shared<UnixLinesSource>(evidence.source, std::move(feeds->returns))}};
}

Explanations find_utf8(const Evidence& evidence) {
  // So many characters are no chance: of random bytes hardly one in ten above 0x7F goes on as UTF-8.
  constexpr std::uint64_t kEnoughCharacters = 8;
  const std::optional<Characters> text = read_utf8(evidence.source);
  if (!text || text->longer < kEnoughCharacters) return {};
  if (text->replaced != 0)
    return {
        {.cause = damage_finding(
             Rule::file_text_mode, {text->first, text->first + 3},
             contrast("EF BF BD", "bytes that are no UTF-8",
                      fmt::format(": all bytes of the file are UTF-8, and the replacement character stands "
                                  "{} times where other bytes were; these are gone, so fetch the file again "
                                  "as binary",
                                  text->replaced)))}};
  return {
      {.cause = damage_finding(
           Rule::file_text_mode, {text->first, text->first + 2},
           contrast("characters of UTF-8", "single bytes",
                    fmt::format(": all bytes of the file are UTF-8, with {} characters of several bytes{}",
                                text->longer,
                                text->is_latin1 ? "; `iconv -f UTF-8 -t ISO-8859-1` takes it back" : "")))}};
}

}  // namespace parqproof
