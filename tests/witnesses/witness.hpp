#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/check/check.hpp"

namespace support {

/// A file below corpus/witnesses and the content of its sidecar (corpus/witnesses/README.md).
struct Witness {
  std::string path;    ///< of the .parquet, from the source tree
  std::string folder;  ///< `area/name`
  bool fails = false;  ///< the name begins with fail-
  nlohmann::json sidecar;
  std::vector<std::uint8_t> bytes;

  [[nodiscard]] std::string rule() const { return sidecar.at("rule"); }
  /// The check options of the sidecar: all findings are listed.
  [[nodiscard]] parqproof::CheckOptions options() const;
  /// The name of the file, for rules about names.
  [[nodiscard]] std::string name() const { return sidecar.value("name", path); }
};

/// The bytes of a witness, with the keys of its sidecar.
[[nodiscard]] std::unique_ptr<parqproof::Source> source_of(const Witness& witness);
/// The reports of a witness, and of the files that its chunks name.
[[nodiscard]] std::vector<parqproof::FileReport> reports_of(const Witness& witness,
                                                            const parqproof::CheckOptions& options);
/// The same, each validated by the schema of reports.
[[nodiscard]] std::vector<parqproof::FileReport> judged_with_files(const Witness& witness,
                                                                   const parqproof::CheckOptions& options);
/// The first of them, that of the witness.
[[nodiscard]] parqproof::FileReport judged(const Witness& witness, const parqproof::CheckOptions& options);

/// Those below a folder, which ends in a slash, in the order of their paths.
[[nodiscard]] std::vector<Witness> read_witnesses(const std::string& root);
/// All below corpus/witnesses.
[[nodiscard]] const std::vector<Witness>& witnesses();

/// Describes the differences between sidecar and report, verdict included; empty if there are none.
[[nodiscard]] std::string difference(const Witness& witness, const parqproof::FileReport& report);
/// The same with its other files, whose reports follow the first.
[[nodiscard]] std::string difference(const Witness& witness,
                                     const std::vector<parqproof::FileReport>& reports);

}  // namespace support
