#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "conformance/diagnosis/remains.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

/// The FileMetaData is looked for in so many bytes around the place that its length gives it.
constexpr std::uint64_t kAround = std::uint64_t{1} << 16;
/// Places that look like its first bytes, which are read on.
constexpr unsigned kMostPlaces = 64;
/// The root of its schema is in so many bytes.
constexpr std::size_t kRoom = 4096;

/// A FileMetaData that begins elsewhere than the footer length says. Offsets count in the file.
struct Misplaced {
  std::uint64_t begin = 0;
  std::uint64_t sound_to = 0;
  bool complete = false;  ///< then it ends there
};

Misplaced read_footer(View bytes, const Limits& limits) {
  FileMetaData meta;
  thrift::Reader reader(bytes, {}, limits);
  const bool complete = reader.read(meta) && reader.sound() && !reader.damaged();
  return {bytes.base, std::clamp(reader.offset(), bytes.base, bytes.end()), complete};
}

/// Bytes are between a complete footer and its length, which counts those of the footer alone: the file as it
/// was shows whether it does.
Explanation bytes_after(const Evidence& evidence, const Misplaced& footer, std::uint64_t length,
                        std::uint64_t end) {
  return inserted(
      evidence, {footer.sound_to, end},
      fmt::format(" between the footer, which begins at byte {} and has {} bytes, and the footer length",
                  footer.begin, length));
}

/// Bytes of the footer are missing, or others are among them.
Explanation bytes_within(const Misplaced& footer, std::uint64_t length, std::uint64_t end) {
  const std::uint64_t size = end - footer.begin;
  const bool missing = size < length;
  return {.cause =
              moved_finding(missing ? Rule::file_bytes_missing : Rule::file_bytes_inserted,
                            {footer.begin, end}, missing ? length - size : size - length,
                            fmt::format(" in the footer, which begins at byte {} and has {} bytes, where "
                                        "the footer length says {}; it can be read up to byte {}",
                                        footer.begin, size, length, footer.sound_to))};
}

}  // namespace

Explanations find_broken_footer(const Evidence& evidence) {
  const FileCheck& as_is = evidence.as_is;
  // A wrong length alone is reported already.
  if (as_is.outcome.findings.broke(Rule::file_footer_length)) return {};
  const Source& source = evidence.source;
  const std::uint64_t end = source.size();
  std::array<std::uint8_t, kFooterTailBytes> tail{};
  if (end < kMinFileBytes || !source.read(end - tail.size(), tail)) return {};
  const std::uint64_t length = stated_footer_length(tail).value_or(0);
  if (length < 4) return {};
  const std::uint64_t footer_end = end - tail.size();
  const std::uint64_t stated = footer_end - std::min(length, footer_end);
  const std::uint64_t from = std::max(stated, kAround + kMagicBytes) - kAround;
  const std::uint64_t to = std::min(footer_end, stated + kAround);
  if (from >= to || footer_end - from > as_is.options.limits.footer_bytes()) return {};
  Window window(source);
  const View bytes = window.view(from, footer_end - from);
  if (bytes.size() != footer_end - from) return {};
  // All bytes have lost their high bits, and so has the length.
  if (std::none_of(bytes.data(), bytes.data() + bytes.size(), [](std::uint8_t byte) { return byte >= 0x80; }))
    return {};
  std::optional<Misplaced> found;
  unsigned places = 0;
  for (std::uint64_t at = from; at + 4 < to; ++at) {
    const View here = bytes.from(static_cast<std::size_t>(at - from));
    if (!may_be_footer(here)) continue;
    if (++places > kMostPlaces) return {};
    const View beginning = here.part(0, std::min(here.size(), kRoom));
    if (!read_cut_footer(beginning, as_is.options.limits)) continue;
    if (found) return {};  // which of them is the footer is not known
    found = read_footer(here, as_is.options.limits);
  }
  if (!found || found->begin == stated) return {};
  return {found->complete ? bytes_after(evidence, *found, length, footer_end)
                          : bytes_within(*found, length, footer_end)};
}

}  // namespace parqproof
