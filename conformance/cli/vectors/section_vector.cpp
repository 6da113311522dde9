#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "conformance/cli/section/section_words.hpp"
#include "conformance/cli/section/value_list.hpp"
#include "conformance/cli/vectors/vector_subject.hpp"
#include "conformance/report/value_json.hpp"

namespace parqproof::cli {
namespace {

constexpr std::uint64_t kShown = 16;  // max number of values shown if they differ

class Section final : public VectorSubject {
 public:
  Section(const LoneSection& section, ValueList values, std::uint64_t count)
      : section_(section), values_(std::move(values)), count_(count) {}

  [[nodiscard]] Outcome decode(std::span<const std::uint8_t> bytes) const override {
    const std::uint32_t width = fixed_width(section_.type, section_.type_length);
    ValueList values;
    std::uint64_t count = 0;
    Findings findings = decode_section(section_, bytes, {}, [&](const ValueBatch& batch) {
      values.append(batch, width, count_ - std::min(count, count_));
      count += batch.count;
      return true;
    });
    std::string difference;
    if (count != count_) {
      difference = fmt::format("number of values is {}; expected {}", count, count_);
    } else if (values != values_) {
      difference = "the values begin with " + first_values(bytes);
    }
    return {std::move(findings), std::move(difference)};
  }

 private:
  /// The first values of the section, as JSON.
  [[nodiscard]] std::string first_values(std::span<const std::uint8_t> bytes) const {
    std::string text;
    Out out(text);
    JsonWriter values(out);
    values.begin_array();
    std::uint64_t left = kShown;
    std::ignore = decode_section(section_, bytes, {}, [&](const ValueBatch& batch) {
      ValueBatch part = batch;
      part.count = std::min(batch.count, left);
      write_values(part, section_.type, section_.type_length, values);
      left -= part.count;
      return left > 0;
    });
    values.end();
    text.pop_back();  // the end of the line
    return text;
  }

  LoneSection section_;
  ValueList values_;
  std::uint64_t count_;
};

}  // namespace

MadeSubject section_subject(Members& members) {
  SectionWords words;
  words.encoding = members.text("encoding");
  words.type = members.text("type");
  words.type_length = members.number("type_length", false);
  words.bit_width = members.number("bit_width", false);
  words.count = members.number("count").value_or(0);
  words.selector = members.text("selector", false);
  const bool length_word = members.flag("length_word");
  const nlohmann::json* const values = members.find("values", false);
  if (!members.missing().empty()) return nullptr;

  std::expected<LoneSection, std::string> section = section_of(words);
  if (!section) return std::unexpected(section.error());
  if (length_word && !(section->levels && section->encoding == Encoding::RLE)) {
    return std::unexpected("only RLE levels have a length word");
  }
  section->length_word = length_word;
  auto list = read_values(values == nullptr ? nlohmann::json::array() : *values, section->type,
                          section->type_length, section->levels || section->indices());
  if (!list) return std::unexpected(list.error());
  return std::make_unique<Section>(*section, std::move(*list), values == nullptr ? 0 : values->size());
}

}  // namespace parqproof::cli
