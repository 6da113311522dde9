#include "codec/file/file_kind.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/base/each_block.hpp"
#include "codec/base/text.hpp"
#include "codec/compression/beginning.hpp"

namespace parqproof {
namespace {

struct Kind {
  std::string_view begins;  ///< first bytes, letters in lower case
  std::string_view name;
};

using namespace std::string_view_literals;

constexpr Kind kKinds[] = {
    {"<!doctype html"sv, "an HTML page"},
    {"<html"sv, "an HTML page"},
    {"<?xml"sv, "an XML document"},
    {"version https://git-lfs"sv, "a Git LFS pointer in place of the file"},
    {"\x1f\x8b"sv, "a gzip stream"},
    {"bzh"sv, "a bzip2 stream"},
    {"\xfd"
     "7zxz\0"sv,
     "an XZ stream"},
    {"\x04\x22m\x18"sv, "an LZ4 frame"},
    {"\xff\x06\0\0snappy"sv, "a framed Snappy stream"},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive"},
    {"rar!\x1a\x07"sv, "a RAR archive"},
    {"\x28\xb5\x2f\xfd"sv, "a Zstandard stream"},
    {"pk\x03\x04"sv, "a ZIP archive"},
    {"pk\x05\x06"sv, "an empty ZIP archive"},
    {"orc"sv, "an ORC file"},
    {"obj\x01"sv, "an Avro file"},
    {"arrow1"sv, "an Arrow IPC file"},
    {"fea1"sv, "a Feather file (version 1)"},
    {"seq\x06"sv, "a Hadoop sequence file"},
    {"rcf\x01"sv, "an RCFile"},
    {"sqlite format 3"sv, "an SQLite database"},
    {"\x89hdf"sv, "an HDF5 file"},
    {"%pdf"sv, "a PDF document"},
    {"\x89png"sv, "a PNG picture"},
    {"\xff\xfe"sv, "UTF-16 text"},
};

/// Returns true for UTF-8 text, whose last character may be truncated.
bool is_text(std::span<const std::uint8_t> head) noexcept {
  constexpr std::uint8_t kContinued = 0x80;
  constexpr std::uint8_t kTopBits = 0xC0;
  for (std::size_t i = 0; i < head.size();) {
    const std::uint8_t first = head[i++];
    if (first == '\t' || first == '\n' || first == '\r' || (first >= 0x20 && first < 0x7F)) continue;
    if (first < 0xC2 || first > 0xF4) return false;
    for (int left = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3; left > 0 && i < head.size(); --left, ++i) {
      if ((head[i] & kTopBits) != kContinued) return false;
    }
  }
  return true;
}

/// A tar archive has its magic after the fields of its first entry.
bool is_tar(std::span<const std::uint8_t> head) noexcept {
  constexpr std::size_t kOffset = 257;
  constexpr auto kName = "ustar"sv;
  return head.size() >= kOffset + kName.size() &&
         std::ranges::equal(head.subspan(kOffset, kName.size()), kName, {}, {},
                            [](char c) { return static_cast<std::uint8_t>(c); });
}

/// An Arrow IPC stream begins with four bytes FF and the length of a message, padded to eight bytes.
bool is_arrow_stream(std::span<const std::uint8_t> head) noexcept {
  constexpr std::uint32_t kMaxMetadataBytes = std::uint32_t{1} << 24;
  if (head.size() < 16 || !std::ranges::all_of(head.first(4), [](std::uint8_t c) { return c == 0xFF; }))
    return false;
  const auto length = load_le<std::uint32_t>(head.data() + 4);
  const auto root = load_le<std::uint32_t>(head.data() + 8);  // offset of the root table of a flatbuffer
  return length >= 8 && length < kMaxMetadataBytes && length % 8 == 0 && root >= 4 && root < length;
}

}  // namespace

std::string_view file_kind(std::span<const std::uint8_t> head) noexcept {
  const auto same = [](std::uint8_t stored, char wanted) {
    return to_lower(static_cast<char>(stored)) == wanted;
  };
  for (const Kind& kind : kKinds) {
    if (head.size() >= kind.begins.size() &&
        std::ranges::equal(head.first(kind.begins.size()), kind.begins, same))
      return kind.name;
  }
  if (head.empty()) return {};
  if (is_tar(head)) return "a tar archive";
  if (std::ranges::all_of(head, [](std::uint8_t c) { return c == 0; })) return "zero bytes";
  if (is_arrow_stream(head)) return "an Arrow IPC stream";
  if (!is_text(head)) return {};
  return head.front() == '{' || head.front() == '[' ? "JSON" : "text";
}

namespace {

using Bytes = std::span<const std::uint8_t>;
using namespace std::string_view_literals;

/// Bytes of the beginning that are examined.
constexpr std::size_t kExaminedBytes = 4096;
constexpr std::string_view kMagic = "PAR1";

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
    return std::ranges::all_of(text, [&](char c) { return is_alphanumeric(c, more); });
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
  return each_block(source, 0, end, 0, [](const View& bytes) {
    return std::ranges::all_of(bytes.bytes, [](std::uint8_t byte) { return byte == 0; });
  });
}

}  // namespace

std::optional<OtherFormat> other_format(const Source& source, std::uint64_t end, std::uint64_t most_zeros) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(kExaminedBytes, end)));
  if (bytes.empty() || !source.read(0, bytes)) return std::nullopt;
  const Bytes head(bytes);
  const std::string_view kind = file_kind(head);
  if (kind.empty()) return std::nullopt;
  if (kind == "zero bytes") {
    if (end > most_zeros || !is_zero(source, end)) return std::nullopt;
    return OtherFormat{"zero bytes throughout", "; nothing was written to it, or its blocks were lost"};
  }
  if (kind == "text") return of_text(text_of(head));
  if (kind == "JSON" && text_of(head).find("}\n{") != std::string_view::npos)
    return OtherFormat{"JSON Lines", "; each line is an object: convert its rows to Parquet"};
  return packed(kind, head);
}

}  // namespace parqproof
