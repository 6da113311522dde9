#include "codec/thrift/value_path.hpp"

namespace parqproof::thrift {

std::uint64_t ValuePath::innermost_field(std::uint64_t otherwise) const noexcept {
  for (std::uint32_t i = size_; i-- > 0;) {
    if (steps_[i].index < 0) return steps_[i].header;
  }
  return otherwise;
}

std::string ValuePath::text(std::string_view prefix) const {
  std::string text(prefix);
  for (std::uint32_t i = base_; i < size_; ++i) {
    const Step& step = steps_[i];
    if (step.index >= 0) {
      text += "[" + std::to_string(step.index) + "]";
      continue;
    }
    if (!text.empty() && text.back() != '.') text += '.';
    text += step.field != nullptr ? std::string(step.field->name) : std::to_string(step.unknown_id);
  }
  return text;
}

}  // namespace parqproof::thrift
