#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/encoding/min_max.hpp"
#include "codec/record/dictionary.hpp"
#include "codec/record/entries.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "codec/write/bounds.hpp"
#include "codec/write/geospatial_builder.hpp"
#include "codec/write/index/bloom_filter_builder.hpp"
#include "codec/write/page_buffer.hpp"

namespace parqproof {

/// What a chunk collects from each of its values; null: nothing.
struct ValueObservers {
  BloomFilterBuilder* bloom_filter = nullptr;
  GeospatialBuilder* geospatial = nullptr;
};

/// The data page that entries go to: what is counted of them, and their min and max.
class OpenPage {
 public:
  /// `width`: fixed_width() of the type.
  OpenPage(const Node& leaf, Order order, std::uint32_t width);

  void begin();
  void end() noexcept { is_open_ = false, ++ordinal_, body_.reset(); }
  /// Counts entries, but not the bytes of their values. They are INT32_MAX at most.
  void add(const Entries& entries) { counts_.add(entries, leaf_); }

  /// Takes values into the min and max. They are not indices.
  void observe(const ValueBatch& values, GeospatialBuilder* geospatial);
  /// Counts an entry of the dictionary that is being built.
  void observe(std::uint32_t index, std::span<const std::uint8_t> value, GeospatialBuilder* geospatial);
  /// Counts indices of the dictionary that the chunk has from another file.
  void observe(const ValueBatch& indices, const Dictionary& dictionary, const ValueObservers& observers);

  [[nodiscard]] bool is_open() const noexcept { return is_open_; }
  [[nodiscard]] std::uint64_t ordinal() const noexcept { return ordinal_; }
  [[nodiscard]] const PageCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] const MinMax& values() const noexcept { return values_; }
  /// Bytes of the values so far, in PLAIN.
  [[nodiscard]] std::uint64_t plain_bytes() const noexcept {
    return leaf_.type == Type::BOOLEAN ? counts_.stored / 8 : plain_bytes_;
  }

  /// The page has these bytes and no other entries.
  void set_body(const CopiedBody& body) { body_ = body; }
  [[nodiscard]] const std::optional<CopiedBody>& body() const noexcept { return body_; }

 private:
  void observe_entry(std::uint64_t& last, std::span<const std::uint8_t> value,
                     const ValueObservers& observers);

  const Node& leaf_;
  Order order_;
  std::uint32_t width_;
  bool is_open_ = false;
  std::uint64_t ordinal_ = 0;
  PageCounts counts_;
  MinMax values_;
  std::uint64_t plain_bytes_ = 0;
  std::vector<std::uint64_t> last_seen_;  // by index: 1 + ordinal of the last page with it
  std::optional<CopiedBody> body_;
};

}  // namespace parqproof
