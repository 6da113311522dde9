#include <algorithm>

#include "conformance/cli/vectors/vector_subject.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/section/value_section.hpp"

namespace parqproof::cli {
namespace {

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
