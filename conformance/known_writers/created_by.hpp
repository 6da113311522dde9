#pragma once

#include <compare>
#include <string_view>

namespace parqproof {

/// Who wrote a file, as far as created_by says it. Writers spell it in many ways: "parquet-mr version 1.8.1
/// (build ...)", "DuckDB version v1.2.0 (build ...)", "ClickHouse v24.8.4.13", "Polars".
struct CreatedBy {
  std::string_view software;  ///< what stands before the version, and before a parenthesis
  std::string_view version;   ///< without a `v`; begins with a digit, or is empty where none is named
};

[[nodiscard]] CreatedBy read_created_by(std::string_view text) noexcept;

/// Compares versions number by number; a missing number counts as 0. What is called SNAPSHOT, rc, alpha, beta
/// or dev comes before the version itself; any other addition (a vendor's) makes no difference.
[[nodiscard]] std::strong_ordering compare_versions(std::string_view a, std::string_view b) noexcept;

}  // namespace parqproof
