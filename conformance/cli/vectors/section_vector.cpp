#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "conformance/cli/section/section_input.hpp"
#include "conformance/cli/vectors/vectors.hpp"
#include "conformance/report/escape.hpp"
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
    return json_text([&](JsonWriter& values) {
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
    });
  }

  LoneSection section_;
  ValueList values_;
  std::uint64_t count_;
};

class Stream final : public VectorSubject {
 public:
  Stream(CompressionCodec codec, std::size_t size, std::vector<std::uint8_t> image)
      : codec_(codec), size_(size), image_(std::move(image)) {}

  [[nodiscard]] Outcome decode(std::span<const std::uint8_t> bytes) const override {
    Buffer room;
    Outcome outcome{expand_stream(codec_, bytes, size_, Limits(), room), {}};
    const bool sound = verdict_of(outcome.findings) == SectionVerdict::sound;
    if (sound && !std::ranges::equal(std::span(room.data(), size_), image_)) {
      outcome.difference = "the decompressed bytes differ";
    }
    return outcome;
  }

 private:
  CompressionCodec codec_;
  std::size_t size_;
  std::vector<std::uint8_t> image_;
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

MadeSubject stream_subject(Members& members) {
  const std::string name = members.text("codec");
  const std::uint64_t size = members.number("size").value_or(0);
  const std::string digits = members.text("image", false);
  if (!members.missing().empty()) return nullptr;
  const auto codec = std::ranges::find(kCompressionCodecEnum.values, name, &thrift::EnumValue::name);
  if (codec == kCompressionCodecEnum.values.end()) return std::unexpected("no codec is named '" + name + "'");
  if (!can_decompress(static_cast<CompressionCodec>(codec->value)))
    return std::unexpected(name + " is no compression");
  if (size > Limits().page_bytes) return std::unexpected("the size is larger than the page limit");
  std::vector<std::uint8_t> image;
  if (!read_hex(digits, image)) return std::unexpected("the image is not hex digits");
  return std::make_unique<Stream>(static_cast<CompressionCodec>(codec->value), size, std::move(image));
}

}  // namespace parqproof::cli
