#include <algorithm>

#include "conformance/rewrite/rewrite.hpp"

namespace parqproof {

std::string unchecked_text(const RewriteOutcome& outcome) {
  constexpr std::size_t kListed = 10;
  std::string text = "no checksum covers the pages of the columns ";
  for (std::size_t i = 0; i < std::min(kListed, outcome.unchecked.size()); ++i)
    text += (i == 0 ? "" : ", ") + outcome.unchecked[i];
  if (outcome.unchecked.size() > kListed)
    text += " and " + std::to_string(outcome.unchecked.size() - kListed) + " more";
  return text + ": damage to their values alone leaves no trace";
}

std::string salvage_text(const RewriteOutcome& outcome) {
  std::string text;
  for (const std::string& line : outcome.rebuilt) text += line + "\n";
  text += left_out_text(outcome.left_out);
  for (const LeftOutPart& part : outcome.left_out.parts) text += "\n" + left_out_text(part);
  if (outcome.left_out.more != 0) text += "\nand " + std::to_string(outcome.left_out.more) + " more";
  if (!outcome.left_out.contradicted.empty()) text += "\n" + contradicted_text(outcome.left_out);
  for (const LeftOutPart& part : outcome.left_out.contradicted) text += "\n" + left_out_text(part);
  if (!outcome.unchecked.empty()) text += "\n" + unchecked_text(outcome);
  return text;
}

}  // namespace parqproof
