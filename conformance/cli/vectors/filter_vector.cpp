#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "codec/file/bloom_filter.hpp"
#include "codec/file/bloom_filter_extent.hpp"
#include "codec/format/bloom_filter_header.hpp"
#include "conformance/cli/section/section_input.hpp"
#include "conformance/cli/vectors/vectors.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof::cli {
namespace {

using nlohmann::json;

/// A value to look up, with the expected answer.
struct Ask {
  std::string hash;         ///< hash of the value, as a number in hex
  std::uint64_t block = 0;  ///< block selected by the hash
  bool found = false;
};

class Filter final : public VectorSubject {
 public:
  Filter(ValueList values, Type type, std::uint32_t type_length, std::vector<Ask> asks)
      : values_(std::move(values)), type_(type), type_length_(type_length), asks_(std::move(asks)) {}

  [[nodiscard]] Outcome decode(std::span<const std::uint8_t> bytes) const override {
    Outcome outcome{Findings{RuleSet().set()}, {}};
    const Limits limits;
    const MemorySource source(bytes);
    PageReader reader(source, limits, 0);
    const BloomFilterExtent extent =
        read_bloom_filter_extent(reader, 0, bytes.size(), {&outcome.findings, {}, {}});
    if (!extent.sound || !extent.num_bytes) return outcome;
    const std::size_t rest = bytes.size() - extent.header;
    if (*extent.num_bytes <= 0 || *extent.bitset != rest || rest % BloomBlock::kBytes != 0) {
      // bloom-filter/num-bytes
      FindingSite{outcome.findings, {}, View{bytes}, BloomFilterHeader::kType}.report(
          Rule::bloom_filter_num_bytes, "numBytes", contrast(*extent.num_bytes, rest));
      return outcome;
    }
    outcome.difference = look_up(BloomFilter(bytes.subspan(extent.header)));
    return outcome;
  }

 private:
  /// Looks all values up; returns the first difference in words, or nothing.
  [[nodiscard]] std::string look_up(const BloomFilter& filter) const {
    std::vector<ByteArray> windows;
    const ValueBatch batch = values_.batch(type_, type_length_, false, windows);
    const std::uint32_t width = fixed_width(type_, type_length_);
    std::vector<bool> found(asks_.size(), true);
    filter.for_each_missing(batch, width, [&](std::uint64_t i, std::uint64_t) { found[i] = false; });
    for (std::size_t i = 0; i < asks_.size(); ++i) {
      const std::uint64_t hash = batch.form == ValueBatch::Form::byte_arrays
                                     ? bloom_hash({batch.byte_arrays[i].data, batch.byte_arrays[i].size})
                                     : bloom_hash({batch.fixed + i * width, width});
      const std::uint64_t block = bloom_block(hash, filter.blocks());
      if (fmt::format("{:016x}", hash) != asks_[i].hash || block != asks_[i].block)
        return fmt::format("value {} has the hash {:016x} and belongs to block {}", i, hash, block);
      if (found[i] != asks_[i].found || filter.finds(hash) != asks_[i].found)
        return fmt::format("value {} is {}", i, found[i] ? "found" : "not found");
    }
    return {};
  }

  ValueList values_;
  Type type_;
  std::uint32_t type_length_;
  std::vector<Ask> asks_;
};

}  // namespace

MadeSubject filter_subject(Members& members) {
  const json* const object = members.find("filter");
  const json* const answers = members.find("answers", false);
  if (!members.missing().empty()) return nullptr;
  if (!object->is_object()) return std::unexpected("the filter is not an object");
  Members filter(*object);
  SectionWords words;
  words.encoding = "PLAIN";
  words.type = filter.text("type");
  words.type_length = filter.number("type_length", false);
  const json* const asks = filter.find("asks");
  if (!filter.missing().empty()) return std::unexpected("the filter has no proper " + filter.missing());
  const std::expected<LoneSection, std::string> section = section_of(words);
  if (!section) return std::unexpected(section.error());

  json values = json::array();
  std::vector<Ask> expected;
  for (const json& one : *asks) {
    if (!one.is_object()) return std::unexpected("a lookup of the filter is not an object");
    Members ask(one);
    const json* const value = ask.find("value");
    expected.push_back({ask.text("hash"), ask.number("block").value_or(0), false});
    if (!ask.missing().empty())
      return std::unexpected("a lookup of the filter has no proper " + ask.missing());
    values.push_back(*value);
  }
  if (answers != nullptr) {
    if (!answers->is_array() || answers->size() != expected.size())
      return std::unexpected("there is not one answer for each value");
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i].found = (*answers)[i].is_boolean() && (*answers)[i].get<bool>();
  }
  auto list = read_values(values, section->type, section->type_length, false);
  if (!list) return std::unexpected(list.error());
  return std::make_unique<Filter>(std::move(*list), section->type, section->type_length, std::move(expected));
}

}  // namespace parqproof::cli
