#include "codec/rules/finding_value.hpp"

namespace parqproof {
namespace {

void cut(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  text.resize(most);
  text += "...";
}

}  // namespace

void FindingValue::shorten(std::size_t most) {
  if (auto* const phrase = std::get_if<Phrase>(&value_)) cut(phrase->text, most);
  if (auto* const literal = std::get_if<Literal>(&value_)) cut(literal->text, most);
}

}  // namespace parqproof
