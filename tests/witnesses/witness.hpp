#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/check/check.hpp"

namespace support {

/// A file below corpus/witnesses and what its sidecar says of it (corpus/witnesses/README.md).
struct Witness {
  std::string path;    ///< of the .parquet, from the source tree
  std::string folder;  ///< `area/name`
  bool fails = false;  ///< it is called fail-*
  nlohmann::json sidecar;
  std::vector<std::uint8_t> bytes;

  [[nodiscard]] std::string rule() const { return sidecar.at("rule"); }
  /// How the sidecar wants it checked: all findings are listed.
  [[nodiscard]] parqproof::CheckOptions options() const;
};

/// All of them, in the order of their paths.
[[nodiscard]] const std::vector<Witness>& witnesses();

/// Findings as lines of text, sorted: severity, rule and place.
using Lines = std::vector<std::string>;

/// The findings that the sidecar promises.
[[nodiscard]] Lines expected_lines(const Witness& witness);

/// Those of a report: its errors and warnings, and with advice the infos of the witness's own rule.
[[nodiscard]] Lines lines_of(const parqproof::FileReport& report, const Witness& witness);

/// What differs between promise and report, verdict included, in words; empty where nothing does.
[[nodiscard]] std::string difference(const Witness& witness, const parqproof::FileReport& report);

}  // namespace support
