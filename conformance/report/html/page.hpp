#pragma once

#include <string_view>

namespace parqproof {

/// The page of the HTML report, built from page.html, page.css and the scripts: the parts before and after
/// its data.
struct HtmlPage {
  std::string_view before;
  std::string_view after;
};
[[nodiscard]] HtmlPage html_page() noexcept;

}  // namespace parqproof
