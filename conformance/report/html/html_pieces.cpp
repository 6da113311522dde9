#include "conformance/report/html/html_pieces.hpp"

namespace parqproof {
namespace {

/// Bytes of markup around a piece in the page.
constexpr std::size_t kAround = 60;

}  // namespace

void HtmlPieces::keep(HtmlPart part, std::string name, std::string json) {
  bytes_ += json.size() + kAround;
  pieces_[static_cast<std::size_t>(part)].push_back({std::move(name), std::move(json)});
  keep_within(most_);
}

void HtmlPieces::keep_within(std::size_t most) {
  most_ = most;
  for (std::size_t part = kHtmlParts; part-- > 0 && bytes_ > most_;) {
    std::vector<HtmlPiece>& pieces = pieces_[part];
    while (!pieces.empty() && bytes_ > most_) {
      bytes_ -= pieces.back().json.size() + kAround;
      pieces.pop_back();
      ++left_out_[part];
    }
  }
}

}  // namespace parqproof
