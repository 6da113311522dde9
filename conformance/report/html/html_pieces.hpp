#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/report/json_writer.hpp"

/// What the HTML report keeps until its end: pieces of JSON, as many as there is room for.
namespace parqproof {

/// JSON as it may stand inside of <script>: without any `<`, by which alone the element could be ended.
/// `write` writes one value.
template <typename Write>
[[nodiscard]] std::string script_json(Write&& write);
/// The same of an object, of which `write` writes the members.
template <typename Write>
[[nodiscard]] std::string script_object(Write&& write);

/// How much a piece matters: where there is too much, those at the end of this list go first.
enum class HtmlPart : std::uint8_t {
  flawed_file,   ///< the line of a file with findings, or that is not conforming
  causes,        ///< what is wrong with a file that is not conforming, and its first places
  other_file,    ///< the line of any other file
  other_causes,  ///< likewise, of a conforming file
  first_bytes,   ///< the bytes at fault at the first places of a file
  map,           ///< the byte map of a file with findings
  places,        ///< the places of findings beyond the first
  other_bytes,   ///< the bytes at fault at further places
  map_of_sound,  ///< the byte map of a file without findings
};
inline constexpr std::size_t kHtmlParts = static_cast<std::size_t>(HtmlPart::map_of_sound) + 1;

/// A piece: its name, and its JSON.
struct HtmlPiece {
  std::string name;
  std::string json;
};

/// Keeps pieces of `most` bytes in all.
class HtmlPieces {
 public:
  explicit HtmlPieces(std::size_t most) noexcept : most_(most) {}

  void keep(HtmlPart part, std::string name, std::string json);
  /// From now on there is room for this much.
  void keep_within(std::size_t most);
  [[nodiscard]] const std::vector<HtmlPiece>& of(HtmlPart part) const noexcept {
    return pieces_[static_cast<std::size_t>(part)];
  }
  /// Pieces of this kind that there was no room for.
  [[nodiscard]] std::uint64_t left_out(HtmlPart part) const noexcept {
    return left_out_[static_cast<std::size_t>(part)];
  }

 private:
  std::size_t most_;
  std::size_t bytes_ = 0;
  std::array<std::vector<HtmlPiece>, kHtmlParts> pieces_;
  std::array<std::uint64_t, kHtmlParts> left_out_{};
};

template <typename Write>
std::string script_json(Write&& write) {
  const std::string text = json_text(write);
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    if (letter == '<') {
      safe += "\\u003c";
    } else if (letter != '\n') {
      safe += letter;
    }
  }
  return safe;
}

template <typename Write>
std::string script_object(Write&& write) {
  return script_json([&](JsonWriter& json) {
    json.begin_object();
    write(json);
    json.end();
  });
}

}  // namespace parqproof
