#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parqproof {

/// The bytes that may replace a byte: a range that has it. Fixed bytes have a range of their own.
struct OtherBytes {
  std::uint8_t low = 0;
  std::uint8_t high = 0;
  friend bool operator==(const OtherBytes&, const OtherBytes&) = default;
};

/// What bytes mean, and so which of them may change. The range of a byte depends only on the bytes before it
/// and on itself, so values with a common prefix have common ranges there.
enum class TextForm : std::uint8_t {
  text,    ///< letters, digits and characters beyond ASCII; invalid UTF-8 stays so
  json,    ///< likewise, but what the grammar needs is fixed
  bson,    ///< contents of elements; names and strings as text
  binary,  ///< all bytes change, except their highest bits
  number,  ///< likewise, but 0x00 and 0xFF stay
};

/// Returns the range of each byte.
[[nodiscard]] std::vector<OtherBytes> byte_ranges(std::span<const std::uint8_t> value, TextForm form);

/// Replaces letters by x and X, digits by 1, and characters beyond ASCII, each by one that takes as many
/// bytes.
void blank_text(std::span<std::uint8_t> bytes, TextForm form = TextForm::text);
/// The same in runs of four or more printable characters, in bytes that may have any other contents.
void blank_text_runs(std::span<std::uint8_t> bytes);

/// Replaces the text in bytes that are written in base64, such as names in an Arrow schema.
[[nodiscard]] std::string blank_base64(std::string_view text);

/// The names of a file, each with another one. The same name gets the same new one, and names that differ in
/// upper and lower case do so again. Signs stay.
class NameMap {
 public:
  [[nodiscard]] std::string of(std::string_view name);
  /// The parts of a path, separated by /.
  [[nodiscard]] std::string of_path(std::string_view path);
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }

 private:
  std::map<std::string, std::string, std::less<>> names_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> alike_;  // ordinal and number of variants
};

}  // namespace parqproof
