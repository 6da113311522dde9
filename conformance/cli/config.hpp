#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/check/check.hpp"
#include "conformance/report/run_summary.hpp"

/// .parqproof.toml: the options of `check` for a project, in whatever folder it runs.
namespace parqproof::cli {

/// Name of the configuration file.
inline constexpr const char* kConfigName = ".parqproof.toml";

/// Verdicts that may be tolerated: those without a broken rule.
inline constexpr std::array kTolerable = {Verdict::unsupported, Verdict::limit};

/// An entry of `ignores`: findings that are known and accepted.
struct ConfiguredIgnore {
  std::string rule;                  ///< a pattern
  std::vector<std::string> paths;    ///< patterns of path_fits(); empty: all files
  std::vector<std::string> writers;  ///< patterns of text_fits(); empty: all writers
  std::string reason;
  std::uint64_t line = 0;
};

/// A parsed configuration.
struct Config {
  std::string path;  ///< path of the configuration
  std::vector<ConfiguredIgnore> ignores;
  std::vector<RuleChange> severities;  ///< patterns of areas first
  std::optional<Profile> profile;
  std::optional<Edition> edition;
  std::vector<Verdict> tolerated;
};

/// Path of the nearest configuration, from the working directory upwards; empty if there is none.
[[nodiscard]] std::string find_config();

/// Reads a configuration; the error is a message with its path and line.
[[nodiscard]] std::expected<Config, std::string> read_config(const std::string& path);

/// Returns true if an entry applies to a file. Path patterns match the path relative to the folder of the
/// configuration; for a file elsewhere, the path relative to the one of `searched` (which end with a slash)
/// that contains it, or else the path as given. Writer patterns match created_by, its application and
/// version, or the application.
[[nodiscard]] bool is_meant(const ConfiguredIgnore& ignore, const Config& config,
                            const std::vector<std::string>& searched, const std::string& path,
                            const std::optional<std::string>& created_by);

/// Which settings of the configuration apply: those that no option overrides.
struct Applied {
  bool profile = true;
  bool edition = true;
  bool tolerated = true;
};

/// Changes of the configuration for the report.
[[nodiscard]] std::vector<Change> changes_of(const Config& config, const Applied& applied);

}  // namespace parqproof::cli
