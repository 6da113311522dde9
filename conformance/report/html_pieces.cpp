#include "conformance/report/html_pieces.hpp"

#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

/// What stands around a piece in the page.
constexpr std::size_t kAround = 60;

}  // namespace

std::string html_text(std::string_view bytes, std::size_t most) {
  std::string text = printable(bytes.substr(0, most + 1));
  if (text.size() <= most) return text;
  const auto is_inside_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  std::size_t end = most;
  while (end > 0 && is_inside_character(text[end])) --end;
  return text.substr(0, end) + "...";
}

void HtmlPieces::keep(HtmlPart part, std::string name, std::string json) {
  bytes_ += json.size() + kAround;
  pieces_[static_cast<std::size_t>(part)].push_back({std::move(name), std::move(json)});
  keep_within(most_);
}

void HtmlPieces::keep_within(std::size_t most) {
  most_ = most;
  for (std::size_t least = kHtmlParts; least-- > 0 && bytes_ > most_;) {
    std::vector<HtmlPiece>& pieces = pieces_[least];
    while (!pieces.empty() && bytes_ > most_) {
      bytes_ -= pieces.back().json.size() + kAround;
      pieces.pop_back();
      ++left_out_[least];
    }
  }
}

}  // namespace parqproof
