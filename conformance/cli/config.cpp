#include "conformance/cli/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include "codec/rules/rule.hpp"
#include "conformance/cli/input/file_search.hpp"
#include "conformance/options/nearest.hpp"
#include "conformance/policy/policy.hpp"

namespace parqproof::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array kProfiles = {Profile::strict, Profile::historical, Profile::interop};

/// An error in the configuration, with its line.
struct Complaint {
  std::uint64_t line;
  std::string text;
};

[[noreturn]] void complain_at(const toml::source_region& at, std::string text) {
  throw Complaint{at.begin.line, std::move(text)};
}

std::string text_of(const toml::node& node, std::string_view name) {
  const toml::value<std::string>* const text = node.as_string();
  if (text == nullptr || text->get().find_first_not_of(" \t\n") == std::string::npos)
    complain_at(node.source(), fmt::format("'{}' takes a string that is not empty", name));
  return text->get();
}

std::vector<std::string> texts_of(const toml::node& node, std::string_view name) {
  const toml::array* const list = node.as_array();
  if (list == nullptr || list->empty())
    complain_at(node.source(), fmt::format("'{}' takes a list of strings that is not empty", name));
  std::vector<std::string> texts;
  for (const toml::node& one : *list) texts.push_back(text_of(one, name));
  return texts;
}

std::string rule_of(const toml::source_region& at, const std::string& pattern) {
  if (!names_a_rule(pattern)) complain_at(at, no_such_rule(pattern));
  return pattern;
}

/// The one of `values` with this name.
template <typename Values>
auto named(const toml::node& node, std::string_view name, const Values& values) {
  const std::string text = text_of(node, name);
  std::vector<std::string> words;
  for (const auto value : values) {
    words.emplace_back(to_string(value));
    if (words.back() == text) return value;
  }
  complain_at(node.source(), fmt::format("'{}': '{}' is not one of {}{}", name, text, fmt::join(words, ", "),
                                         did_you_mean(text, words)));
}

[[noreturn]] void unknown_key(const toml::key& key, const std::vector<std::string>& known) {
  complain_at(key.source(),
              fmt::format("the key '{}' is unknown{}", key.str(), did_you_mean(key.str(), known)));
}

ConfiguredIgnore ignore_of(const toml::node& node) {
  const toml::table* const table = node.as_table();
  if (table == nullptr) complain_at(node.source(), "'ignores' takes tables: [[ignores]]");
  ConfiguredIgnore ignore;
  ignore.line = node.source().begin.line;
  for (const auto& [key, value] : *table) {
    if (key == "rule") {
      ignore.rule = rule_of(value.source(), text_of(value, key.str()));
    } else if (key == "paths") {
      ignore.paths = texts_of(value, key.str());
    } else if (key == "writers") {
      ignore.writers = texts_of(value, key.str());
    } else if (key == "reason") {
      ignore.reason = text_of(value, key.str());
    } else {
      unknown_key(key, {"rule", "paths", "writers", "reason"});
    }
  }
  if (ignore.rule.empty()) complain_at(node.source(), "an entry of 'ignores' needs a 'rule'");
  if (ignore.reason.empty())
    complain_at(node.source(), fmt::format("the entry of 'ignores' for {} needs a 'reason'", ignore.rule));
  return ignore;
}

std::vector<RuleChange> severities_of(const toml::node& node) {
  const toml::table* const table = node.as_table();
  if (table == nullptr) complain_at(node.source(), "'severities' is a table: [severities]");
  std::vector<RuleChange> severities;
  for (const auto& [key, value] : *table) {
    const std::string level = text_of(value, key.str());
    if (std::ranges::find(kLevels, level) == kLevels.end())
      complain_at(value.source(), fmt::format("'{}' is not one of {}", level, fmt::join(kLevels, ", ")));
    severities.push_back({rule_of(key.source(), std::string(key.str())), level, true});
  }
  std::ranges::stable_partition(severities,
                                [](const RuleChange& one) { return one.pattern.ends_with("/*"); });
  return severities;
}

Config config_of(const toml::table& table) {
  Config config;
  for (const auto& [key, value] : table) {
    if (key == "profile") {
      config.profile = named(value, key.str(), kProfiles);
    } else if (key == "edition") {
      config.edition = named(value, key.str(), kJudgedEditions);
    } else if (key == "tolerate") {
      const toml::array* const list = value.as_array();
      if (list == nullptr) complain_at(value.source(), "'tolerate' takes a list of strings");
      for (const toml::node& one : *list) config.tolerated.push_back(named(one, key.str(), kTolerable));
    } else if (key == "severities") {
      config.severities = severities_of(value);
    } else if (key == "ignores") {
      const toml::array* const list = value.as_array();
      if (list == nullptr) complain_at(value.source(), "'ignores' takes tables: [[ignores]]");
      for (const toml::node& one : *list) config.ignores.push_back(ignore_of(one));
    } else {
      unknown_key(key, {"profile", "edition", "tolerate", "severities", "ignores"});
    }
  }
  return config;
}

/// The path relative to a folder; empty if it is not below the folder.
std::string below(const std::string& path, const fs::path& folder) {
  std::error_code none;
  const fs::path absolute = fs::absolute(path, none).lexically_normal();
  const fs::path relative = absolute.lexically_relative(fs::absolute(folder, none).lexically_normal());
  return relative.empty() || *relative.begin() == ".." || relative == "." ? "" : relative.string();
}

}  // namespace

std::string find_config() {
  std::error_code none;
  for (fs::path folder = fs::current_path(none); !folder.empty(); folder = folder.parent_path()) {
    const fs::path path = folder / kConfigName;
    if (fs::is_regular_file(path, none)) return path.string();
    if (folder == folder.parent_path()) break;
  }
  return {};
}

std::expected<Config, std::string> read_config(const std::string& path) {
  try {
    Config config = config_of(toml::parse_file(path));
    config.path = path;
    return config;
  } catch (const toml::parse_error& error) {
    const std::uint64_t line = error.source().begin.line;
    return std::unexpected(path + (line == 0 ? "" : ":" + std::to_string(line)) + ": " +
                           std::string(error.description()));
  } catch (const Complaint& complaint) {
    return std::unexpected(path + ":" + std::to_string(complaint.line) + ": " + complaint.text);
  }
}

bool is_meant(const ConfiguredIgnore& ignore, const Config& config, const std::vector<std::string>& searched,
              const std::string& path, const std::optional<std::string>& created_by) {
  if (!ignore.paths.empty()) {
    std::string plain = below(path, fs::path(config.path).parent_path());
    for (const std::string& folder : searched) {
      if (plain.empty() && path.starts_with(folder)) plain = path.substr(folder.size());
    }
    if (plain.empty()) plain = fs::path(path).lexically_normal().string();
    const auto fits = [&plain](const std::string& pattern) { return path_fits(pattern, plain); };
    if (std::ranges::none_of(ignore.paths, fits)) return false;
  }
  if (ignore.writers.empty()) return true;
  if (!created_by) return false;
  const std::string names[] = {*created_by, writer_name(*created_by),
                               created_by->substr(0, created_by->find(" version "))};
  return std::ranges::any_of(ignore.writers, [&names](const std::string& pattern) {
    return std::ranges::any_of(names,
                               [&pattern](const std::string& name) { return text_fits(pattern, name); });
  });
}

std::vector<Change> changes_of(const Config& config, const Applied& applied) {
  constexpr const char* kBy = "configuration";
  std::vector<Change> changes;
  if (applied.profile && config.profile)
    changes.push_back({.by = kBy, .profile = to_string(*config.profile)});
  if (applied.edition && config.edition)
    changes.push_back({.by = kBy, .edition = std::string(to_string(*config.edition))});
  for (const Verdict verdict : applied.tolerated ? config.tolerated : std::vector<Verdict>())
    changes.push_back({.by = kBy, .tolerate = to_string(verdict)});
  for (const RuleChange& change : config.severities)
    changes.push_back({.by = kBy, .rule = change.pattern, .severity = change.severity});
  for (const ConfiguredIgnore& ignore : config.ignores) {
    changes.push_back({.by = kBy,
                       .rule = ignore.rule,
                       .severity = "off",
                       .paths = ignore.paths,
                       .writers = ignore.writers,
                       .reason = ignore.reason});
  }
  return changes;
}

}  // namespace parqproof::cli
