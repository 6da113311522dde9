#include "codec/write/open_page.hpp"

#include <cstddef>

#include "codec/encoding/pack.hpp"

namespace parqproof {
namespace {

using Form = ValueBatch::Form;

}  // namespace

OpenPage::OpenPage(const Node& leaf, Order order, std::uint32_t width)
    : leaf_(leaf), order_(order), width_(width), counts_(leaf) {}

void OpenPage::begin() {
  is_open_ = true;
  counts_ = PageCounts(leaf_);
  values_ = MinMax(order_, leaf_.type, width_);
  plain_bytes_ = 0;
}

void OpenPage::observe(const ValueBatch& values, GeospatialBuilder* geospatial) {
  if (order_ != Order::none) values_.add(values);
  plain_bytes_ += values.count * width_;
  if (values.form != Form::byte_arrays) return;
  if (geospatial != nullptr) geospatial->add(values);
  const std::uint64_t bytes = total_size(values);
  counts_.byte_array_bytes += bytes;
  plain_bytes_ += bytes + values.count * 4;
}

/// Takes the value of an entry of the dictionary into the min and max of the page once; NaNs are counted, so
/// each is.
void OpenPage::observe_entry(std::uint64_t& last, std::span<const std::uint8_t> value,
                             const ValueObservers& observers) {
  if (last == 0 && observers.bloom_filter != nullptr) observers.bloom_filter->insert(value);
  if (last == 0 && observers.geospatial != nullptr) observers.geospatial->add(value);
  if (order_ != Order::none) values_.add(value);
  if (order_ == Order::none || !is_nan(order_, value)) last = ordinal_ + 1;
}

void OpenPage::observe(std::uint32_t index, std::span<const std::uint8_t> value,
                       GeospatialBuilder* geospatial) {
  plain_bytes_ += value.size();
  if (leaf_.type == Type::BYTE_ARRAY) {
    counts_.byte_array_bytes += value.size();
    plain_bytes_ += 4;
  }
  if (index >= last_seen_.size()) last_seen_.resize(std::size_t{index} * 2 + 16);
  std::uint64_t& last = last_seen_[index];
  if (last != ordinal_ + 1) observe_entry(last, value, {nullptr, geospatial});
}

void OpenPage::observe(const ValueBatch& indices, const Dictionary& dictionary,
                       const ValueObservers& observers) {
  if (last_seen_.size() < dictionary.size()) last_seen_.resize(static_cast<std::size_t>(dictionary.size()));
  const std::uint64_t now = ordinal_ + 1;
  const auto is_of_bytes = leaf_.type == Type::BYTE_ARRAY;
  const bool is_run = indices.form == Form::index_run;
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < indices.count; ++i) {
    const std::uint32_t index = is_run ? indices.run : indices.indices[i];
    if (is_of_bytes) bytes += dictionary[index].size;
    std::uint64_t& last = last_seen_[index];
    if (last == now) continue;
    const ByteArray entry = dictionary[index];
    observe_entry(last, {entry.data, entry.size}, observers);
  }
  counts_.byte_array_bytes += bytes;
  plain_bytes_ += bytes + indices.count * (is_of_bytes ? 4 : width_);
}

}  // namespace parqproof
