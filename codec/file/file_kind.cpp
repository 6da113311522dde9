#include "codec/file/file_kind.hpp"

#include <algorithm>
#include <cstddef>

#include "codec/base/bits.hpp"

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

constexpr std::uint8_t lower(std::uint8_t c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<std::uint8_t>(c - 'A' + 'a') : c;
}

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
    return lower(stored) == static_cast<std::uint8_t>(wanted);
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

}  // namespace parqproof
