#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/each_block.hpp"
#include "codec/base/text.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

using namespace std::string_view_literals;

/// A line of a header or of a chunk is at most this long.
constexpr std::size_t kLongestLine = 8192;
constexpr std::size_t kMostHeaders = 100;
/// Each takes 40 bytes of memory.
constexpr std::size_t kMostChunks = 500'000;

/// A line without its line feed and carriage return, and the offset of the next one.
struct Line {
  std::string text;
  std::uint64_t end = 0;
};

/// Returns the text at `offset`, up to the end of the file.
std::string text_at(const Source& source, std::uint64_t offset, std::size_t most) {
  const std::uint64_t left = source.size() - std::min(offset, source.size());
  std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(left, most)), '\0');
  std::vector<std::uint8_t> bytes(text.size());
  if (!source.read(offset, bytes)) return {};
  std::ranges::copy(bytes, text.begin());
  return text;
}

/// Returns nullopt if there is no line of printable characters at `offset`.
std::optional<Line> line_at(const Source& source, std::uint64_t offset) {
  constexpr std::size_t kFirst = 256;
  for (const std::size_t room : {kFirst, kLongestLine}) {
    std::string text = text_at(source, offset, room);
    const std::size_t end = text.find('\n');
    if (end == text.npos) continue;
    text.resize(end);
    if (text.ends_with('\r')) text.pop_back();
    const auto is_printable = [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); };
    if (!std::ranges::all_of(text, is_printable)) return std::nullopt;
    return Line{std::move(text), offset + end + 1};
  }
  return std::nullopt;
}

/// Returns the offset after header lines and the empty line that ends them.
std::optional<std::uint64_t> end_of_headers(const Source& source, std::uint64_t offset) {
  for (std::size_t i = 0; i < kMostHeaders; ++i) {
    const std::optional<Line> line = line_at(source, offset);
    if (!line) return std::nullopt;
    offset = line->end;
    if (line->text.empty()) return offset;
    if (line->text.find(':') == std::string::npos) return std::nullopt;
  }
  return std::nullopt;
}

/// The chunks of a chunked encoding.
struct Chunks {
  std::vector<Stretch> data;
  bool is_aws = false;    ///< chunks are signed, or a trailer has a checksum of Amazon S3
  bool is_ended = false;  ///< by a chunk of size 0
};

/// Reads chunks from `offset` on: a line with the size in hexadecimal digits, so many bytes, a line end.
Chunks chunks_at(const Source& source, std::uint64_t offset) {
  Chunks out;
  while (out.data.size() < kMostChunks) {
    const std::optional<Line> line = line_at(source, offset);
    if (!line) break;
    const std::string_view digits = std::string_view(line->text).substr(0, line->text.find(';'));
    std::uint64_t count = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, count, 16);
    if (digits.empty() || read.ec != std::errc() || read.ptr != end) break;
    if (count > source.size() - line->end) break;
    out.is_aws = out.is_aws || line->text.find(";chunk-signature=") != std::string::npos;
    if (count == 0) {
      out.is_aws = out.is_aws || text_at(source, line->end, kLongestLine).find("x-amz-") != std::string::npos;
      out.is_ended = true;
      break;
    }
    const std::string after = text_at(source, line->end + count, 2);
    if (!after.starts_with("\r\n") && !after.starts_with("\n")) break;
    out.data.push_back({line->end, line->end + count, 0});
    offset = line->end + count + (after.front() == '\r' ? 2 : 1);
  }
  return out;
}

/// Prints the data of chunks. `$_` is the line with the size; `hex` ignores what follows its digits.
std::string filter_of(bool has_headers) {
  return std::string("perl -ne '") + (has_headers ? "$body or do { $body = /^\\r?$/; next }; " : "") +
         "last unless $n = hex; read ARGV, $_, $n; print; <>'";
}

Explanations framed(std::string name, std::uint64_t first, std::string detail,
                    std::shared_ptr<const RestoredSource> restored) {
  return {{.cause = damage_finding(Rule::file_transfer_framing, {0, first},
                                   contrast(std::move(name), "the file alone", ": " + std::move(detail))),
           .restored = std::move(restored)}};
}

Explanations find_chunks(const Source& source, std::uint64_t offset) {
  Chunks chunks = chunks_at(source, offset);
  if (chunks.data.empty() || !chunks.is_ended || !has_magic(source, chunks.data.front().begin)) return {};
  const std::uint64_t first = chunks.data.front().begin;
  std::string detail = fmt::format(
      "{}its bytes are in {}, the first of {}", offset == 0 ? "" : "HTTP headers are before it, and ",
      counted(chunks.data.size(), "chunk"), counted(chunks.data.front().end - first, "byte"));
  return framed(chunks.is_aws ? "aws-chunked encoding" : "HTTP chunked encoding", first, std::move(detail),
                made_of(source, std::move(chunks.data), filter_of(offset != 0)));
}

/// Finds the part that is a Parquet file between lines of `boundary`, the first of which is at byte 0.
Explanations find_part(const Source& source, const Line& boundary) {
  std::uint64_t at = boundary.end;
  for (std::size_t part = 0; part < kMostHeaders; ++part) {
    const std::optional<std::uint64_t> body = end_of_headers(source, at);
    if (!body) return {};
    std::uint64_t end = find_bytes(source, *body, "\n" + boundary.text);
    if (end == source.size()) return {};
    if (has_magic(source, *body)) {
      if (text_at(source, end - 1, 1) == "\r") --end;
      return framed("multipart/form-data", *body,
                    fmt::format("it is the part of {} from byte {} on", counted(end - *body, "byte"), *body),
                    made_of(source, {{*body, end, 0}}));
    }
    const std::optional<Line> next = line_at(source, end + 1);
    if (!next) return {};
    at = next->end;
  }
  return {};
}

/// The number of each character of base64; 64 for the padding, 65 for any other.
constexpr auto kDigits = [] {
  std::array<std::uint8_t, 256> out{};
  out.fill(65);
  std::uint8_t next = 0;
  for (const char one : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="sv)
    out[static_cast<std::uint8_t>(one)] = next++;
  return out;
}();

/// A file that was written as base64, in lines of one length.
class Base64Source final : public RestoredSource {
 public:
  /// `line`: characters in a line; `step`: bytes from the start of a line to that of the next; `size`:
  /// decoded bytes. All characters are of base64. `file` outlives this object.
  Base64Source(const Source& file, std::uint64_t line, std::uint64_t step, std::uint64_t size) noexcept
      : file_(file), line_(line), step_(step), size_(size) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    if (offset > size_ || into.size() > size_ - offset) return false;
    std::array<std::uint8_t, 4096> characters{};
    std::uint32_t bits = 0;
    std::size_t filled = 0;
    std::uint64_t begin = 0;  // of `characters`, in the file
    std::size_t held = 0;
    // A group of four characters has three bytes.
    for (std::uint64_t at = offset / 3 * 4; filled < into.size(); ++at) {
      const std::uint64_t here = place_of(at);
      if (here < begin || here >= begin + held) {
        begin = here;
        held = static_cast<std::size_t>(
            std::min<std::uint64_t>(characters.size(), file_.size() - std::min(here, file_.size())));
        if (held == 0 || !file_.read(begin, std::span(characters).first(held))) return false;
      }
      bits = (bits << 6) | (kDigits[characters[static_cast<std::size_t>(here - begin)]] & 63U);
      if (at % 4 == 0 || at / 4 * 3 + at % 4 - 1 < offset) continue;
      into[filled++] = static_cast<std::uint8_t>(bits >> (6 - 2 * (at % 4)));
    }
    return true;
  }
  [[nodiscard]] std::uint64_t at_hand(std::uint64_t offset) const noexcept override {
    return place_of(offset / 3 * 4 + offset % 3);
  }
  [[nodiscard]] std::string filter() const override { return "base64 -di"; }

 private:
  [[nodiscard]] std::uint64_t place_of(std::uint64_t character) const noexcept {
    return character / line_ * step_ + character % line_;
  }

  const Source& file_;
  std::uint64_t line_;
  std::uint64_t step_;
  std::uint64_t size_;
};

/// Finds base64 in lines of one length, without line ends or in CR LF or LF.
Explanations find_base64(const Source& source) {
  constexpr std::string_view kMagicInBase64 = "UEFSM";  // PAR1, up to the bits of the next byte
  const std::string start = text_at(source, 0, kLongestLine);
  if (!start.starts_with(kMagicInBase64)) return {};
  const std::size_t first_end = start.find('\n');
  const bool is_one_line = first_end == start.npos;
  const std::size_t end_bytes = is_one_line ? 0 : start[first_end - 1] == '\r' ? 2 : 1;
  const std::uint64_t line = is_one_line ? source.size() / 4 * 4 : first_end + 1 - end_bytes;
  const std::uint64_t step = line + end_bytes;
  if (line == 0 || line % 4 != 0) return {};
  std::uint64_t characters = 0;
  std::uint64_t padding = 0;
  const bool is_base64 = each_block(source, 0, source.size(), 0, [&](const View& bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::uint64_t at = bytes.base + i;
      const std::uint8_t byte = bytes.data()[i];
      const bool is_line_end = byte == '\n' || byte == '\r';
      const std::uint8_t digit = kDigits[byte];
      if (is_line_end && (at % step >= line || at + 2 >= source.size())) continue;
      if (digit > 64 || (digit < 64 && padding != 0) || at % step >= line) return false;
      ++characters;
      if (digit == 64) ++padding;
    }
    return true;
  });
  if (!is_base64 || characters % 4 != 0 || padding > 2) return {};
  return framed("base64", source.size(),
                fmt::format("its bytes are in {} of {}", counted((characters + line - 1) / line, "line"),
                            counted(std::min(line, characters), "character")),
                std::make_shared<Base64Source>(source, line, step, characters / 4 * 3 - padding));
}

bool is_http(std::string_view line) {
  return line.starts_with("HTTP/") || line.find(" HTTP/1.") != line.npos || line.find(" HTTP/2") != line.npos;
}

}  // namespace

Explanations find_framing(const Evidence& evidence) {
  const Source& source = evidence.source;
  if (has_magic(source, 0)) return {};
  if (Explanations base64 = find_base64(source); !base64.empty()) return base64;
  const std::optional<Line> first = line_at(source, 0);
  if (!first || first->text.empty()) return {};
  if (first->text.starts_with("--")) return find_part(source, *first);
  if (!is_http(first->text)) return find_chunks(source, 0);
  const std::optional<std::uint64_t> body = end_of_headers(source, first->end);
  if (!body) return {};
  if (!has_magic(source, *body)) return find_chunks(source, *body);
  return framed("HTTP headers", *body, fmt::format("it begins at byte {}", *body),
                made_of(source, {{*body, source.size(), 0}}));
}

}  // namespace parqproof
