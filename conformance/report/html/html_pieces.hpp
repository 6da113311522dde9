#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/report/json_writer.hpp"

/// Keeps the pieces of JSON of the HTML report until its end, as many as fit.
namespace parqproof {

/// JSON for the content of <script>: without any `<`, so that it cannot end the element. `write` writes one
/// value.
template <typename Write>
[[nodiscard]] std::string script_json(Write&& write);
/// The same for an object; `write` writes its members.
template <typename Write>
[[nodiscard]] std::string script_object(Write&& write);

/// Priority of a piece: if there is too much, the last kinds of this list are dropped first.
enum class HtmlPart : std::uint8_t {
  flawed_file,   ///< the line of a file with findings, or that is not conforming
  causes,        ///< causes of a file that is not conforming, and their first places
  other_file,    ///< the line of any other file
  other_causes,  ///< the same of a conforming file
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

/// Keeps pieces of at most `most` bytes in total.
class HtmlPieces {
 public:
  explicit HtmlPieces(std::size_t most) noexcept : most_(most) {}

  void keep(HtmlPart part, std::string name, std::string json);
  /// Changes the limit, and drops pieces that exceed it.
  void keep_within(std::size_t most);
  [[nodiscard]] const std::vector<HtmlPiece>& of(HtmlPart part) const noexcept {
    return pieces_[static_cast<std::size_t>(part)];
  }
  /// Number of dropped pieces of this kind.
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
