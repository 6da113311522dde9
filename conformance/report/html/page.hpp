#pragma once

#include <string_view>

namespace parqproof {

/// The page of the HTML report, which page.html, page.css and page.js are built into: what stands before its
/// data, and what behind it.
struct HtmlPage {
  std::string_view before;
  std::string_view behind;
};
[[nodiscard]] HtmlPage html_page() noexcept;

}  // namespace parqproof
