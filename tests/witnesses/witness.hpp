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
  /// What it is called, for rules that look at the name.
  [[nodiscard]] std::string name() const { return sidecar.value("name", path); }
};

/// The reports of a witness, and of the files beside it that its chunks name.
[[nodiscard]] std::vector<parqproof::FileReport> reports_of(const Witness& witness,
                                                            const parqproof::CheckOptions& options);
/// The same, each held against the schema of reports.
[[nodiscard]] std::vector<parqproof::FileReport> judged_with_files(const Witness& witness,
                                                                   const parqproof::CheckOptions& options);
/// The first of them, its own.
[[nodiscard]] parqproof::FileReport judged(const Witness& witness, const parqproof::CheckOptions& options);

/// Those below a folder, which ends in a slash, in the order of their paths.
[[nodiscard]] std::vector<Witness> read_witnesses(const std::string& root);
/// All below corpus/witnesses.
[[nodiscard]] const std::vector<Witness>& witnesses();

/// What differs between promise and report, verdict included, in words; empty where nothing does.
[[nodiscard]] std::string difference(const Witness& witness, const parqproof::FileReport& report);
/// The same with its further files, which have reports behind the first.
[[nodiscard]] std::string difference(const Witness& witness,
                                     const std::vector<parqproof::FileReport>& reports);

}  // namespace support
