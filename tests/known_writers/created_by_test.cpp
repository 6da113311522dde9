#include "conformance/known_writers/created_by.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string_view>

namespace parqproof {
namespace {

TEST_CASE("software and version are read from created_by, however it is spelled") {
  struct Case {
    std::string_view text;
    std::string_view software;
    std::string_view version;
  };
  for (const Case& one : {
           Case{"parquet-mr version 1.8.1 (build 4aba4dae7bb0d4edbcf7923ae1339f28fd3f7fcf)", "parquet-mr",
                "1.8.1"},
           Case{"parquet-mr", "parquet-mr", ""},
           Case{"parquet-mr (build 32c46643845ea8a705c35d4ec8fc654cc8ff816d)", "parquet-mr", ""},
           Case{"parquet-cpp-arrow version 4.0.0", "parquet-cpp-arrow", "4.0.0"},
           Case{"parquet-cpp version 1.5.1-SNAPSHOT", "parquet-cpp", "1.5.1-SNAPSHOT"},
           Case{"impala version 2.9.0-cdh5.12.0 (build 0)", "impala", "2.9.0-cdh5.12.0"},
           Case{"DuckDB", "DuckDB", ""},
           Case{"DuckDB version v0.9.1 (build 401c8061c6)", "DuckDB", "0.9.1"},
           Case{"Polars (python) version 2.1.0 (build 7f902bd3)", "Polars", "2.1.0"},
           Case{"ClickHouse v25.9.1.1-testing", "ClickHouse", "25.9.1.1-testing"},
           Case{"Parquet.Net v4.4.6", "Parquet.Net", "4.4.6"},
           Case{"github.com/parquet-go/parquet-go version 0.32.0(build )", "github.com/parquet-go/parquet-go",
                "0.32.0"},
           Case{"parquet-go version latest", "parquet-go version latest", ""},
           Case{"Arrow2 - Native Rust implementation of Arrow",
                "Arrow2 - Native Rust implementation of Arrow", ""},
           Case{"a version b version 3", "a version b version 3", ""},
           Case{"v1.0", "v1.0", ""},
           Case{" x  version  2 ", "x", "2"},
           Case{"", "", ""},
           Case{" ", "", ""},
           Case{" version ", "version", ""},
           Case{"(build 1)", "(build 1)", ""},
       }) {
    INFO(one.text);
    const CreatedBy read = read_created_by(one.text);
    CHECK(read.software == one.software);
    CHECK(read.version == one.version);
  }
}

TEST_CASE("versions are compared number by number") {
  for (const auto& [less, more] : {
           std::pair<std::string_view, std::string_view>{"1.9.0", "1.10.0"},
           {"1.8.0rc3", "1.8.0"},
           {"1.8.0-SNAPSHOT", "1.8.0"},
           {"1.0.1-dev5504", "1.0.1"},
           {"", "0.1"},
           {"0.9.2", "v1"},
           {"25.9.1.1", "25.10"},
           {"99999999999999999999999.1", "99999999999999999999999.2"},
       }) {
    const std::string_view greater = more.starts_with('v') ? more.substr(1) : more;
    INFO(less << " < " << greater);
    CHECK(compare_versions(less, greater) < 0);
    CHECK(compare_versions(greater, less) > 0);
  }
  for (const auto& [one, same] : {
           std::pair<std::string_view, std::string_view>{"1.8", "1.8.0"},
           {"2.9.0-cdh5.12.0", "2.9.0"},
           {"1.8.1-drill-r0", "1.8.1"},
           {"01.2", "1.2"},
           {"1.2.", "1.2"},
           {"", ""},
       }) {
    INFO(one << " = " << same);
    CHECK(compare_versions(one, same) == 0);
  }
}

}  // namespace
}  // namespace parqproof
