#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace parqproof {

/// Origin of a byte offset.
enum class Space : std::uint8_t {
  file,      ///< the first byte of the file
  page,      ///< the first byte of the uncompressed image of a page
  metadata,  ///< the first byte of the file whose metadata describes the bytes of another
  module,    ///< the first byte of the file; the bytes are those of a decrypted module, at the place of their
             ///< ciphertext, which has the same length
};

/// Bytes with their position: `base` is the offset of bytes[0] in `space`.
struct View {
  std::span<const std::uint8_t> bytes;
  std::uint64_t base = 0;
  Space space = Space::file;

  [[nodiscard]] std::size_t size() const noexcept { return bytes.size(); }
  [[nodiscard]] bool empty() const noexcept { return bytes.empty(); }
  [[nodiscard]] const std::uint8_t* data() const noexcept { return bytes.data(); }
  [[nodiscard]] std::uint64_t end() const noexcept { return base + bytes.size(); }

  /// The part [offset, offset + count). The caller has checked that it is inside the view.
  [[nodiscard]] View part(std::size_t offset, std::size_t count) const noexcept {
    return {bytes.subspan(offset, count), base + offset, space};
  }
  [[nodiscard]] View from(std::size_t offset) const noexcept { return part(offset, size() - offset); }
};

/// A variable-length value: a pointer into bytes that the ByteArray does not own.
struct ByteArray {
  const std::uint8_t* data = nullptr;
  std::uint32_t size = 0;
};

/// The characters as bytes. The text must outlive them.
[[nodiscard]] inline std::span<const std::uint8_t> bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The same as a view of no place in a file.
[[nodiscard]] inline View view_of(std::string_view text) noexcept { return {bytes_of(text), 0, Space::file}; }

/// The bytes as characters.
[[nodiscard]] inline std::string_view text_of(std::span<const std::uint8_t> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
[[nodiscard]] inline std::string_view text_of(const View& view) noexcept { return text_of(view.bytes); }

}  // namespace parqproof
