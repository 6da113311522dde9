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

/// .parqproof.toml: what a project wants `check` to do, wherever it is called.
namespace parqproof::cli {

/// The name of a configuration that is looked for.
inline constexpr const char* kConfigName = ".parqproof.toml";

/// The verdicts that may be tolerated: nothing broken was found.
inline constexpr std::array kTolerable = {Verdict::unsupported, Verdict::limit};

/// An entry of `ignores`: findings that are known and accepted.
struct ConfiguredIgnore {
  std::string rule;                  ///< a pattern
  std::vector<std::string> paths;    ///< patterns of path_fits(); empty: all files
  std::vector<std::string> writers;  ///< patterns of text_fits(); empty: all writers
  std::string reason;
  std::uint64_t line = 0;
};

/// What a configuration says.
struct Config {
  std::string path;  ///< of the configuration
  std::vector<ConfiguredIgnore> ignores;
  std::vector<RuleChange> severities;  ///< those of whole areas first
  std::optional<Profile> profile;
  std::vector<Verdict> tolerated;
};

/// The nearest configuration, from the working directory upwards; empty where there is none.
[[nodiscard]] std::string find_config();

/// Reads a configuration; or says what is wrong with it, with its path and line.
[[nodiscard]] std::expected<Config, std::string> read_config(const std::string& path);

/// Whether a file is meant by an entry. Patterns of paths are about the path below the folder of the
/// configuration; where the file is elsewhere, about that below the one of `searched` (with a slash at the
/// end) that it was found in, or else about its path as it was given. Those of writers are about created_by,
/// the application and version in it, or the application alone.
[[nodiscard]] bool is_meant(const ConfiguredIgnore& ignore, const Config& config,
                            const std::vector<std::string>& searched, const std::string& path,
                            const std::optional<std::string>& created_by);

/// What the configuration switches, for the report; `profile` and `tolerated` only where no option beats
/// them.
[[nodiscard]] std::vector<Change> changes_of(const Config& config, bool profile, bool tolerated);

}  // namespace parqproof::cli
