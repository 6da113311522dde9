#include "codec/file/other_format.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/compression/beginning.hpp"
#include "codec/file/file_kind.hpp"

namespace parqproof {
namespace {

using Bytes = std::span<const std::uint8_t>;
using namespace std::string_view_literals;

/// Bytes of the beginning that are examined.
constexpr std::size_t kExaminedBytes = 4096;
constexpr std::string_view kMagic = "PAR1";

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// A file in an archive.
struct Entry {
  std::string name;
  std::string beginning;  ///< its first bytes, if they can be read
};

/// Returns the first file of a ZIP archive.
Entry first_of_zip(Bytes head) {
  constexpr std::size_t kHeader = 30;
  if (head.size() < kHeader) return {};
  const std::size_t name = load_le<std::uint16_t>(head.data() + 26);
  const std::size_t body = kHeader + name + load_le<std::uint16_t>(head.data() + 28);
  if (body >= head.size()) return {};
  const std::uint16_t method = load_le<std::uint16_t>(head.data() + 8);
  const Bytes stored = head.subspan(body);
  Entry entry{std::string(text_of(head.subspan(kHeader, name))), {}};
  if (method == 0) entry.beginning = text_of(stored.first(std::min<std::size_t>(stored.size(), 16)));
  if (method == 8) entry.beginning = beginning_of_deflate(stored);
  return entry;
}

/// Returns the first file of a tar archive.
Entry first_of_tar(Bytes head) {
  constexpr std::size_t kBlock = 512;
  constexpr std::size_t kName = 100;
  if (head.size() < kBlock) return {};
  const std::string_view name = text_of(head.first(kName));
  Entry entry{std::string(name.substr(0, name.find('\0'))), {}};
  if (head.size() >= kBlock + kMagic.size()) entry.beginning = text_of(head.subspan(kBlock, kMagic.size()));
  return entry;
}

bool begins_parquet(std::string_view bytes) { return bytes.starts_with(kMagic); }

/// Returns the advice for a compressed file.
std::string unpack(const std::string& beginning, std::string_view command) {
  const std::string how = "`" + std::string(command) + "` unpacks it";
  return begins_parquet(beginning) ? "; its content begins with PAR1: " + how : "; " + how;
}

std::string take_out(const Entry& entry, std::string_view command) {
  if (entry.name.empty()) return {};
  std::string text = "; its first entry is " + entry.name;
  if (begins_parquet(entry.beginning)) text += ", which begins with PAR1";
  return text + ": `" + std::string(command) + "` extracts it";
}

OtherFormat packed(std::string_view kind, Bytes head) {
  OtherFormat out{std::string(kind), {}};
  if (kind == "a gzip stream") out.advice = unpack(beginning_of_gzip(head), "gzip -dc F > G");
  if (kind == "a Zstandard stream") out.advice = unpack(beginning_of_zstd(head), "zstd -dc F > G");
  if (kind == "a bzip2 stream") out.advice = unpack({}, "bzip2 -dc F > G");
  if (kind == "an XZ stream") out.advice = unpack({}, "xz -dc F > G");
  if (kind == "an LZ4 frame") out.advice = unpack({}, "lz4 -dc F > G");
  if (kind == "a ZIP archive") out.advice = take_out(first_of_zip(head), "unzip F");
  if (kind == "a tar archive") out.advice = take_out(first_of_tar(head), "tar -xf F");
  if (kind == "an Arrow IPC file" || kind == "an Arrow IPC stream" || kind == "a Feather file (version 1)")
    out.advice = "; pyarrow reads it, and writes its rows as Parquet";
  if (kind == "an HTML page" || kind == "an XML document" || kind == "JSON")
    out.advice = "; a server may have sent it instead of the requested file";
  if (kind == "UTF-16 text")
    out.advice = "; a shell in text mode converts bytes so: fetch the file again as binary";
  if (kind == "a Git LFS pointer in place of the file") out.advice = "; `git lfs pull` fetches the file";
  return out;
}

bool is_one_of(char c, std::string_view more) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         more.find(c) != more.npos;
}

/// Returns how often the character occurs in the line.
std::ptrdiff_t count(std::string_view line, char c) { return std::ranges::count(line, c); }

/// Returns the advice for delimited text: the first lines have the same number of columns.
std::string separated(std::string_view text) {
  const std::size_t first = text.find('\n');
  const std::size_t second = first == text.npos ? text.npos : text.find('\n', first + 1);
  if (second == text.npos) return {};
  const std::string_view one = text.substr(0, first);
  const std::string_view two = text.substr(first + 1, second - first - 1);
  for (const char separator : ",\t;|"sv) {
    const std::ptrdiff_t separators = count(one, separator);
    if (separators == 0 || separators != count(two, separator)) continue;
    return "; its lines have " + std::to_string(separators + 1) + " fields each: convert its rows to Parquet";
  }
  return {};
}

OtherFormat of_text(std::string_view text) {
  const auto all = [&](std::string_view more) {
    return std::ranges::all_of(text, [&](char c) { return is_one_of(c, more); });
  };
  if (text.starts_with("UEFSM") && all("+/=\r\n"))
    return {"Base64 text", "; it encodes bytes that begin with PAR1: `base64 -d F > G` decodes it"};
  if (text.starts_with("50415231") && all("\r\n"))
    return {"hexadecimal text", "; it encodes bytes that begin with PAR1: `xxd -r -p F > G` decodes it"};
  if (std::string fields = separated(text); !fields.empty() && text.front() != '{' && text.front() != '[')
    return {"CSV text", std::move(fields)};
  return {"text", {}};
}

bool is_zero(const Source& source, std::uint64_t end) {
  Window window(source);
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 16;
  for (std::uint64_t at = 0; at < end; at += kBlock) {
    const View bytes = window.view(at, std::min(kBlock, end - at));
    if (bytes.empty() || std::ranges::any_of(bytes.bytes, [](std::uint8_t byte) { return byte != 0; }))
      return false;
  }
  return true;
}

}  // namespace

std::optional<OtherFormat> other_format(const Source& source, std::uint64_t end) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(kExaminedBytes, end)));
  if (bytes.empty() || !source.read(0, bytes)) return std::nullopt;
  const Bytes head(bytes);
  const std::string_view kind = file_kind(head);
  if (kind.empty()) return std::nullopt;
  if (kind == "zero bytes") {
    if (!is_zero(source, end)) return std::nullopt;
    return OtherFormat{"zero bytes throughout", "; nothing was written to it, or its blocks were lost"};
  }
  if (kind == "text") return of_text(text_of(head));
  if (kind == "JSON" && text_of(head).find("}\n{") != std::string_view::npos)
    return OtherFormat{"JSON Lines", "; each line is an object: convert its rows to Parquet"};
  return packed(kind, head);
}

}  // namespace parqproof
