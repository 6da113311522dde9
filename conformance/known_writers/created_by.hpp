#pragma once

#include <compare>
#include <string_view>

namespace parqproof {

/// The writer in created_by. Writers use many forms: "parquet-mr version 1.8.1 (build ...)", "DuckDB version
/// v1.2.0 (build ...)", "ClickHouse v24.8.4.13", "Polars".
struct CreatedBy {
  std::string_view software;  ///< text before the version and before a parenthesis
  std::string_view version;   ///< without a `v`; begins with a digit, or is empty if there is none
};

[[nodiscard]] CreatedBy read_created_by(std::string_view text) noexcept;

/// Compares versions number by number; a missing number is 0. A version with SNAPSHOT, rc, alpha, beta or dev
/// comes before the release; any other suffix, such as that of a vendor, is ignored.
[[nodiscard]] std::strong_ordering compare_versions(std::string_view a, std::string_view b) noexcept;

}  // namespace parqproof
