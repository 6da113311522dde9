#include "codec/file/file_kind.hpp"

#include <algorithm>
#include <cstddef>

namespace parqproof {
namespace {

struct Kind {
  std::string_view begins;  ///< letters in lower case
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
    {"\x28\xb5\x2f\xfd"sv, "a Zstandard stream"},
    {"pk\x03\x04"sv, "a ZIP archive"},
    {"orc"sv, "an ORC file"},
    {"obj\x01"sv, "an Avro file"},
    {"arrow1"sv, "an Arrow IPC file"},
    {"sqlite format 3"sv, "an SQLite database"},
    {"\x89hdf"sv, "an HDF5 file"},
    {"%pdf"sv, "a PDF document"},
};

constexpr std::uint8_t lower(std::uint8_t c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<std::uint8_t>(c - 'A' + 'a') : c;
}

bool is_text(std::uint8_t c) noexcept {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0x7F);
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
  if (std::ranges::all_of(head, [](std::uint8_t c) { return c == 0; })) return "zero bytes";
  if (!std::ranges::all_of(head, is_text)) return {};
  return head.front() == '{' || head.front() == '[' ? "JSON" : "text";
}

}  // namespace parqproof
