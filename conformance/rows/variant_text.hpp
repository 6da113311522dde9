#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/variant/assembly.hpp"
#include "conformance/report/variant_json.hpp"

namespace parqproof {

/// The values of a Variant as JSON, put together from its columns.
class VariantText {
 public:
  /// `group` must outlive it.
  VariantText(const variant::Group& group, const Limits& limits);

  enum class End : std::uint8_t {
    complete,
    unreadable,  ///< the metadata or a value cannot be read, or is nested deeper than the limit
    too_long,    ///< the row would be longer than the limit
    no_column,   ///< a column could not be advanced
    disagree,    ///< the columns have lists of different lengths
  };

  /// Appends the value at the current entries, and goes past them unless a column fails.
  [[nodiscard]] End append(std::string& row, variant::Columns& columns);
  /// Call it when a column goes to another chunk or part of one.
  void forget() noexcept { assembly_.forget(); }

 private:
  [[nodiscard]] End append_stored(std::string& row, variant::Columns& columns);
  [[nodiscard]] End append_assembled(std::string& row, variant::Columns& columns);
  [[nodiscard]] End write(std::string& row, const variant::Metadata& metadata,
                          std::span<const std::uint8_t> value);

  const variant::Group* group_;
  std::uint64_t most_;  // bytes of a row
  variant::Assembly assembly_;
  variant::Builder builder_;
  VariantJson json_;
  std::vector<std::uint8_t> metadata_bytes_;
  std::vector<std::uint8_t> value_;
  variant::Metadata metadata_;
};

}  // namespace parqproof
