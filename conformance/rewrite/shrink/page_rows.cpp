#include "conformance/rewrite/shrink/page_rows.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/encoding/table.hpp"
#include "codec/format/page_header.hpp"
#include "codec/model/page_image.hpp"
#include "codec/model/page_levels.hpp"
#include "codec/record/entries.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;
using LevelList = std::vector<std::uint32_t>;
using model::Tree;

struct IndexRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A data page whose levels are decoded.
class DecodedPage {
 public:
  DecodedPage(const Tree& header, const Node& leaf, const model::PageImage& image, const Limits& limits)
      : header_(header),
        leaf_(leaf),
        image_(image),
        limits_(limits),
        is_v2_(header.find("data_page_header_v2").has_value()) {}

  /// Decodes the levels; false if they cannot be read.
  [[nodiscard]] bool open() {
    const auto stated =
        header_.number(is_v2_ ? "data_page_header_v2.num_values" : "data_page_header.num_values");
    if (!stated || *stated < 0 || *stated > static_cast<std::int64_t>(model::kMostLevels)) return false;
    entries_ = static_cast<std::uint64_t>(*stated);
    return read(image_.repetition, repetition_encoding(), leaf_.max_repetition, repetition_) &&
           read(image_.definition, definition_encoding(), leaf_.max_definition, definition_);
  }

  [[nodiscard]] bool is_v2() const noexcept { return is_v2_; }
  /// Entries, rows and nulls of a range of entries.
  [[nodiscard]] PageSums sums(IndexRange range) const {
    const std::uint64_t entries = range.end - range.begin;
    const std::uint64_t rows = leaf_.max_repetition == 0 ? entries : count(repetition_, range, 0);
    return {static_cast<std::int64_t>(entries), static_cast<std::int64_t>(rows),
            static_cast<std::int64_t>(entries - stored(range))};
  }
  [[nodiscard]] IndexRange all() const noexcept { return {0, entries_}; }
  /// The entries of the rows [first, end). Entries before the first row of the page are of none.
  [[nodiscard]] IndexRange entries_of(std::uint64_t first, std::uint64_t end) const {
    if (leaf_.max_repetition == 0) return {std::min(first, entries_), std::min(end, entries_)};
    IndexRange range{entries_, entries_};
    std::uint64_t row = 0;
    for (std::uint64_t i = 0; i < entries_; ++i) {
      if (repetition_[i] != 0) continue;
      if (row == first) range.begin = i;
      if (row == end) {
        range.end = i;
        break;
      }
      ++row;
    }
    return range;
  }

  /// The sections of the page without a range of entries; nullopt if a section cannot be read to its end.
  [[nodiscard]] std::optional<model::PageImage> without(IndexRange range) const {
    model::PageImage out;
    out.repetition = write(repetition_, range, repetition_encoding(), leaf_.max_repetition);
    out.definition = write(definition_, range, definition_encoding(), leaf_.max_definition);
    const std::uint64_t before = stored({0, range.begin});
    const IndexRange values{before, before + stored(range)};
    return write_values(values, stored(all()), out.values) ? std::optional(std::move(out)) : std::nullopt;
  }

  /// The encoding of the values.
  [[nodiscard]] Encoding encoding() const {
    return static_cast<Encoding>(
        header_.number(is_v2_ ? "data_page_header_v2.encoding" : "data_page_header.encoding").value_or(-1));
  }
  /// The number of values.
  [[nodiscard]] std::uint64_t stored() const { return stored(all()); }

 private:
  [[nodiscard]] Encoding encoding_of(std::string_view v1_field) const {
    const auto number = is_v2_ ? std::nullopt : header_.number(v1_field);
    return static_cast<Encoding>(number.value_or(static_cast<std::int64_t>(Encoding::RLE)));
  }
  [[nodiscard]] Encoding repetition_encoding() const {
    return encoding_of("data_page_header.repetition_level_encoding");
  }
  [[nodiscard]] Encoding definition_encoding() const {
    return encoding_of("data_page_header.definition_level_encoding");
  }
  [[nodiscard]] static std::uint64_t count(const LevelList& levels, IndexRange range, std::uint32_t level) {
    const auto begin = levels.begin();
    return static_cast<std::uint64_t>(std::count(begin + static_cast<std::ptrdiff_t>(range.begin),
                                                 begin + static_cast<std::ptrdiff_t>(range.end), level));
  }
  /// Number of values of a range of entries.
  [[nodiscard]] std::uint64_t stored(IndexRange range) const {
    return leaf_.max_definition == 0 ? range.end - range.begin
                                     : count(definition_, range, leaf_.max_definition);
  }

  [[nodiscard]] bool read(const Bytes& bytes, Encoding encoding, std::uint32_t max, LevelList& out) const {
    if (max == 0) return true;
    auto levels = model::decode_levels(encoding, View{bytes}, bit_width_for(max), entries_);
    if (!levels || std::ranges::any_of(*levels, [max](std::uint32_t level) { return level > max; }))
      return false;
    out = std::move(*levels);
    return true;
  }
  [[nodiscard]] static Bytes write(LevelList levels, IndexRange range, Encoding encoding, std::uint32_t max) {
    if (max == 0) return {};
    levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(range.begin),
                 levels.begin() + static_cast<std::ptrdiff_t>(range.end));
    return model::encode_levels(encoding, bit_width_for(max), levels);
  }

  /// Appends the `count` values of the page without a range of them.
  [[nodiscard]] bool write_values(IndexRange range, std::uint64_t count, Bytes& out) const {
    ValueSpec spec;
    spec.encoding = encoding();
    spec.type = leaf_.type;
    spec.type_length = static_cast<std::uint32_t>(std::max(leaf_.type_length, 0));
    spec.count = count;
    spec.dictionary_size = UINT64_MAX;  // the check looks at the indices
    if (!can_decode(spec.encoding, spec.type)) return false;
    if (range.begin == range.end) {
      out = image_.values;
      return true;
    }
    EncodeOptions options;
    if (is_dictionary_encoding(spec.encoding) && !image_.values.empty())
      options.bit_width = image_.values.front();
    Budget budget(limits_.work);
    budget.earn(image_.values.size());
    Notes notes;
    ValueDecoder decoder;
    ValueEncoder encoder;
    if (!decoder.open(View{image_.values}, spec, limits_, budget, notes) ||
        !encoder.open(spec.encoding, {spec.type, spec.type_length, options, out}))
      return false;
    const std::uint32_t width = fixed_width(spec.type, spec.type_length);
    const auto add = [&](const ValueBatch& batch, std::uint64_t from, std::uint64_t to) {
      return from >= to || encoder.add(part_of(batch, from, to - from, width));
    };
    std::uint64_t at = 0;
    for (;;) {
      const Result<ValueBatch> batch = decoder.next();
      if (!batch) return false;
      if (batch->count == 0) return decoder.end() && encoder.finish();
      const std::uint64_t begin = std::clamp(range.begin, at, at + batch->count) - at;
      const std::uint64_t end = std::clamp(range.end, at, at + batch->count) - at;
      if (!add(*batch, 0, begin) || !add(*batch, end, batch->count)) return false;
      at += batch->count;
    }
  }

  const Tree& header_;
  const Node& leaf_;
  const model::PageImage& image_;
  const Limits& limits_;
  bool is_v2_;
  std::uint64_t entries_ = 0;
  LevelList repetition_;
  LevelList definition_;
};

}  // namespace

std::optional<PageSums> count_rows(model::Model& model, model::SegmentId page, const Node& leaf,
                                   CompressionCodec codec, const Limits& limits) {
  const Tree* const header = model.tree(page);
  if (header == nullptr) return std::nullopt;
  // Without levels no body is needed, which may not be readable.
  const bool has_levels = leaf.max_definition != 0 || leaf.max_repetition != 0;
  const auto image = has_levels ? model::open_image(model, page, leaf, codec, limits) : model::PageImage();
  if (!image) return std::nullopt;
  DecodedPage decoded(*header, leaf, *image, limits);
  return decoded.open() ? std::optional(decoded.sums(decoded.all())) : std::nullopt;
}

std::optional<PageSums> remove_rows(model::Model& model, model::SegmentId page, const Node& leaf,
                                    CompressionCodec codec, std::uint64_t first, std::uint64_t end,
                                    const Limits& limits) {
  Tree* const header = model.tree(page);
  const auto image = header == nullptr ? std::nullopt : model::open_image(model, page, leaf, codec, limits);
  if (!image) return std::nullopt;
  DecodedPage decoded(*header, leaf, *image, limits);
  if (!decoded.open()) return std::nullopt;
  const IndexRange entries = decoded.entries_of(first, end);
  auto without = decoded.without(entries);
  if (!without || !model::set_image(model, page, leaf, codec, *without)) return std::nullopt;
  const PageSums removed = decoded.sums(entries);
  if (decoded.is_v2()) {
    header->add(header->find("data_page_header_v2.num_values"), -removed.entries);
    header->add(header->find("data_page_header_v2.num_nulls"), -removed.nulls);
    header->add(header->find("data_page_header_v2.num_rows"), -removed.rows);
    header->add(header->find("data_page_header_v2.statistics.null_count"), -removed.nulls);
  } else {
    header->add(header->find("data_page_header.num_values"), -removed.entries);
    header->add(header->find("data_page_header.statistics.null_count"), -removed.nulls);
  }
  return removed;
}

std::optional<std::vector<std::uint32_t>> read_indices(model::Model& model, model::SegmentId page,
                                                       const Node& leaf, CompressionCodec codec,
                                                       const Limits& limits) {
  const Tree* const header = model.tree(page);
  const auto image = header == nullptr ? std::nullopt : model::open_image(model, page, leaf, codec, limits);
  if (!image) return std::nullopt;
  DecodedPage decoded(*header, leaf, *image, limits);
  if (!is_dictionary_encoding(decoded.encoding()) || !decoded.open()) return std::nullopt;
  if (decoded.stored() == 0) return LevelList();
  if (image->values.empty()) return std::nullopt;
  return model::decode_levels(Encoding::RLE, View{image->values}.from(1), image->values[0], decoded.stored());
}

bool write_indices(model::Model& model, model::SegmentId page, const Node& leaf, CompressionCodec codec,
                   const std::vector<std::uint32_t>& indices, unsigned bit_width, const Limits& limits) {
  auto image = model::open_image(model, page, leaf, codec, limits);
  if (!image) return false;
  image->values = model::encode_levels(Encoding::RLE, bit_width, indices);
  image->values.insert(image->values.begin(), static_cast<std::uint8_t>(bit_width));
  return model::set_image(model, page, leaf, codec, *image);
}

}  // namespace parqproof
