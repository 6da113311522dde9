#include "codec/file/frame.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/file/file_kind.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

constexpr std::uint32_t kPlain = 0x31524150;      // PAR1
constexpr std::uint32_t kEncrypted = 0x45524150;  // PARE
/// First bytes by which the kind of a file is told.
constexpr std::size_t kHead = 32;

/// Its four bytes as they stand in the file: as text, or in hex if they are none.
std::string bytes_of(std::uint32_t magic) {
  std::array<std::uint8_t, sizeof magic> bytes{};
  std::memcpy(bytes.data(), &magic, sizeof magic);
  const bool text = std::ranges::all_of(bytes, [](std::uint8_t c) { return c > 0x20 && c < 0x7F; });
  return text ? std::string(bytes.begin(), bytes.end()) : hex(bytes, " ");
}

bool known(std::uint32_t magic) { return magic == kPlain || magic == kEncrypted; }

void add(Findings& findings, Rule rule, std::uint64_t offset, std::uint64_t length, std::string found,
         std::string expected, std::string detail = {}) {
  Finding finding;
  finding.rule = rule;
  finding.offset = offset;
  finding.length = length;
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  finding.detail = std::move(detail);
  findings.add(std::move(finding));
}

/// What a file that does not end in the magic looks like.
std::string looks_like(const Source& source, std::uint64_t end, bool has_head_magic) {
  constexpr std::uint64_t kBlock = 4096;
  constexpr std::uint64_t kSector = 512;
  if (!has_head_magic) {
    std::array<std::uint8_t, kHead> head{};
    const std::span<std::uint8_t> bytes(head.data(), std::min<std::uint64_t>(head.size(), end));
    const std::string_view kind = source.read(0, bytes) ? file_kind(bytes) : "";
    return "; it does not begin with PAR1 either" +
           (kind.empty() ? "" : ": it looks like " + std::string(kind));
  }
  for (const std::uint64_t size : {kBlock, kSector}) {
    if (end % size == 0) {
      return "; its size is a multiple of " + std::to_string(size) +
             ", as of a file that was cut off while it was written or copied";
    }
  }
  return {};
}

}  // namespace

Frame read_frame(const Source& source, std::uint64_t end, const Limits& limits, Findings& findings) {
  Frame frame;
  frame.end = end;
  if (end < kMinFileBytes) {
    add(findings, Rule::file_min_size, 0, end, std::to_string(end), std::to_string(kMinFileBytes));
    return frame;
  }
  std::array<std::uint8_t, kMagicBytes> head{};
  std::array<std::uint8_t, kFooterTailBytes> tail{};
  if (!source.read(0, head) || !source.read(end - tail.size(), tail)) {
    frame.state = Frame::State::unreadable;
    return frame;
  }
  const auto head_magic = load_le<std::uint32_t>(head.data());
  const auto tail_magic = load_le<std::uint32_t>(tail.data() + 4);
  const std::uint64_t length = load_le<std::uint32_t>(tail.data());
  if (!known(head_magic) && known(tail_magic)) {
    add(findings, Rule::file_head_magic, 0, kMagicBytes, bytes_of(head_magic), bytes_of(kPlain));
  }
  if (!known(tail_magic)) {
    add(findings, Rule::file_tail_magic, end - kMagicBytes, kMagicBytes, bytes_of(tail_magic),
        bytes_of(kPlain), looks_like(source, end, known(head_magic)));
    return frame;
  }
  if (known(head_magic) && head_magic != tail_magic) {
    add(findings, Rule::file_magic_agree, 0, kMagicBytes, bytes_of(head_magic), bytes_of(tail_magic));
  }
  const std::uint64_t room = end - kMagicBytes - kFooterTailBytes;
  if (length == 0 || length > room) {
    add(findings, Rule::file_footer_length, end - kFooterTailBytes, 4, std::to_string(length),
        "1 to " + std::to_string(room));
    return frame;
  }
  frame.footer_offset = end - kFooterTailBytes - length;
  if (tail_magic == kEncrypted) {
    add(findings, Rule::file_encrypted_footer, end - kMagicBytes, kMagicBytes, "PARE", "PAR1");
    frame.state = Frame::State::encrypted;
    return frame;
  }
  if (length > limits.footer_bytes()) {
    add(findings, Rule::limit_footer_size, end - kFooterTailBytes, 4, std::to_string(length),
        std::to_string(limits.footer_bytes()));
    frame.state = Frame::State::limit;
    return frame;
  }
  frame.bytes.reset(static_cast<std::uint8_t*>(allocate_large(static_cast<std::size_t>(length))));
  if (frame.bytes == nullptr) {
    add(findings, Rule::limit_footer_size, end - kFooterTailBytes, 4, std::to_string(length), "less memory");
    frame.state = Frame::State::limit;
    return frame;
  }
  const std::span<std::uint8_t> bytes(frame.bytes.get(), static_cast<std::size_t>(length));
  if (!source.read(frame.footer_offset, bytes)) {
    frame.state = Frame::State::unreadable;
    return frame;
  }
  frame.footer = {bytes, frame.footer_offset, Space::file};
  frame.state = Frame::State::footer;
  return frame;
}

}  // namespace parqproof
