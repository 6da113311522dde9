#include "codec/file/frame.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/encryption/file_keys.hpp"
#include "codec/file/file_kind.hpp"
#include "codec/rules/editions.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

/// Its four bytes as they are in the file.
FindingValue::Bytes bytes_of(std::uint32_t magic) {
  FindingValue::Bytes out{{}, sizeof magic, true};
  std::memcpy(out.bytes.data(), &magic, sizeof magic);
  return out;
}

/// The magic of the proposal for a footer with features and a checksum.
constexpr std::uint32_t kParxMagic = 0x58524150;

bool known(std::uint32_t magic) { return magic == kPlainMagic || magic == kEncryptedMagic; }

void add(Findings& findings, Rule rule, std::uint64_t offset, std::uint64_t length, FindingValue found,
         FindingValue expected, std::string detail = {}) {
  Finding finding;
  finding.rule = rule;
  finding.offset = offset;
  finding.length = length;
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  finding.detail = std::move(detail);
  findings.add(std::move(finding));
}

/// Explains from its size why a file begins with the magic but does not end with it: files are written and
/// copied in blocks whose sizes are powers of two.
std::string cut_at_block(std::uint64_t end) {
  constexpr std::uint64_t kSector = 512;
  constexpr std::uint64_t kMaxBlockBytes = std::uint64_t{1} << 30;
  if (end == 0 || end % kSector != 0) return {};
  const std::uint64_t block = std::min(end & (~end + 1), kMaxBlockBytes);
  const std::uint64_t blocks = end / block;
  return "; its size is " + (blocks == 1 ? "" : std::to_string(blocks) + " times ") + std::to_string(block) +
         " bytes, so it was likely cut off while it was written or copied block by block";
}

/// Explains why a file does not end with the magic.
std::string looks_like(std::uint64_t end, bool has_head_magic) {
  return has_head_magic ? cut_at_block(end) : "; it does not begin with PAR1 either";
}

/// Decrypts an encrypted footer, if there is a key for it.
void open_encrypted(Frame& frame, std::span<std::uint8_t> bytes, const Source& source, const Limits& limits,
                    Findings& findings) {
  using State = encryption::FileKeys::State;
  encryption::FileKeys* const keys = source.keys();
  const State state = keys == nullptr ? State::no_key
                                      : keys->open_encrypted_footer(bytes, frame.footer_offset, source,
                                                                    limits, findings, frame.footer);
  switch (state) {
    case State::opened:
      frame.state = Frame::State::footer;
      break;
    case State::failed:
      frame.state = Frame::State::sealed;
      break;
    case State::no_key:
    case State::unknown_algorithm:
      add(findings, Rule::file_encrypted_footer, frame.end - kMagicBytes, kMagicBytes, "PARE", "PAR1",
          state == State::no_key && keys != nullptr ? "; " + keys->why_no_footer_key() : std::string());
      frame.state = Frame::State::encrypted;
      break;
  }
}

}  // namespace

bool has_magic(const Source& source, std::uint64_t offset) {
  std::array<std::uint8_t, kMagicBytes> bytes{};
  if (source.size() < kMagicBytes || offset > source.size() - kMagicBytes || !source.read(offset, bytes))
    return false;
  return known(load_le<std::uint32_t>(bytes.data()));
}

std::array<std::uint8_t, kFooterTailBytes> footer_tail(std::uint64_t length) noexcept {
  const std::uint64_t number = std::uint64_t{kPlainMagic} << 32 | length;
  std::array<std::uint8_t, kFooterTailBytes> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(number >> (8 * i));
  return out;
}

std::optional<std::uint64_t> stated_footer_length(std::span<const std::uint8_t> tail) noexcept {
  if (tail.size() != kFooterTailBytes || load_le<std::uint32_t>(tail.data() + 4) != kPlainMagic)
    return std::nullopt;
  return load_le<std::uint32_t>(tail.data());
}

Frame read_frame(const Source& source, std::uint64_t end, const Limits& limits, Findings& findings,
                 std::uint64_t most_zeros) {
  Frame frame;
  frame.end = end;
  if (end < kMinFileBytes) {
    add(findings, Rule::file_min_size, 0, end, end, kMinFileBytes);
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
    add(findings, Rule::file_head_magic, 0, kMagicBytes, bytes_of(head_magic), bytes_of(kPlainMagic));
  }
  // Where the proposal has a checksum, the length of a footer is behind a magic of which one byte is damaged.
  const std::uint64_t room = end - kMagicBytes - kFooterTailBytes;
  if (tail_magic == kParxMagic && (head_magic == kParxMagic || length > room)) {
    Contrast is = undefined(Addition::parx_footer);
    add(findings, Rule::edition_undefined, end - kMagicBytes, kMagicBytes, std::move(is.found),
        std::move(is.expected));
    frame.state = Frame::State::proposed;
    return frame;
  }
  if (!known(tail_magic)) {
    if (!known(head_magic) && findings.wants(Rule::file_other_format)) {
      if (std::optional<OtherFormat> other = other_format(source, end, most_zeros)) {
        add(findings, Rule::file_other_format, 0, kMagicBytes, std::move(other->name), "a Parquet file",
            std::move(other->advice));
        return frame;
      }
    }
    add(findings, Rule::file_tail_magic, end - kMagicBytes, kMagicBytes, bytes_of(tail_magic),
        bytes_of(kPlainMagic), looks_like(end, known(head_magic)));
    return frame;
  }
  if (known(head_magic) && head_magic != tail_magic) {
    add(findings, Rule::file_magic_agree, 0, kMagicBytes, bytes_of(head_magic), bytes_of(tail_magic));
  }
  if (length == 0 || length > room) {
    add(findings, Rule::file_footer_length, end - kFooterTailBytes, 4, length, between(1, room));
    return frame;
  }
  frame.footer_offset = end - kFooterTailBytes - length;
  if (length > limits.footer_bytes()) {
    add(findings, Rule::limit_footer_size, end - kFooterTailBytes, 4, length, limits.footer_bytes());
    frame.state = Frame::State::limit;
    return frame;
  }
  frame.bytes.reset(static_cast<std::uint8_t*>(allocate_large(static_cast<std::size_t>(length))));
  if (frame.bytes == nullptr) {
    add(findings, Rule::limit_footer_size, end - kFooterTailBytes, 4, length, "less memory");
    frame.state = Frame::State::limit;
    return frame;
  }
  const std::span<std::uint8_t> bytes(frame.bytes.get(), static_cast<std::size_t>(length));
  if (!source.read(frame.footer_offset, bytes)) {
    frame.state = Frame::State::unreadable;
    return frame;
  }
  encryption::FileKeys* const keys = source.keys();
  if (tail_magic == kEncryptedMagic) {
    frame.crypto = {bytes, frame.footer_offset, Space::file};
    open_encrypted(frame, bytes, source, limits, findings);
  } else {
    frame.footer = {bytes, frame.footer_offset, Space::file};
    frame.state = Frame::State::footer;
    if (keys != nullptr) keys->open_plaintext_footer(bytes, frame.footer_offset, source, limits, findings);
  }
  if (keys != nullptr) frame.opened = keys->opened();
  return frame;
}

}  // namespace parqproof
