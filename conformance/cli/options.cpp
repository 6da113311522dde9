#include "conformance/cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <tuple>

#include "conformance/options/check_words.hpp"
#include "conformance/options/nearest.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof::cli {
namespace {

bool parse_size(const std::string& text, std::uint64_t& bytes) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return false;
  std::string unit(rest, end);
  std::uint64_t factor = 1;
  if (!unit.empty() && unit != "B") {
    const std::size_t power = std::string_view("KMGT").find(unit[0]);
    if (power == std::string_view::npos) return false;
    const std::string_view tail = std::string_view(unit).substr(1);
    if (!tail.empty() && tail != "iB" && tail != "B") return false;
    for (std::size_t i = 0; i <= power; ++i) factor *= tail == "B" ? 1000 : 1024;
  }
  return !__builtin_mul_overflow(number, factor, &bytes);
}

std::uint64_t parse_number(const std::string& name, const std::string& text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) {
    refuse(name + ": '" + text + "' is not a whole number of 0 or more");
  }
  return number;
}

/// The message about a call with an unknown word.
std::string complaint_of(const CLI::App& app, const std::exception& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> unknown = command.remaining();
  unknown.erase(std::ranges::find(unknown, "--"), unknown.end());  // words after it are no options
  if (unknown.empty()) return error.what();
  const std::string& word = unknown.front();
  if (word.starts_with('-')) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    const std::string name = word.substr(0, word.find('='));
    return "there is no option " + name + did_you_mean(name, names);
  }
  if (!chosen.empty()) return error.what();
  std::error_code none;
  if (std::filesystem::exists(word, none))
    return "'" + word + "' is not a subcommand; to check it, type `parqproof check " + word + "`";
  std::vector<std::string> names;
  for (const CLI::App* subcommand : app.get_subcommands({})) {
    names.push_back(subcommand->get_name());
    for (const std::string& alias : subcommand->get_aliases()) names.push_back(alias);
  }
  return "there is no subcommand '" + word + "'" + did_you_mean(word, names);
}

}  // namespace

Subcommand& Subcommand::alias(const std::string& name) {
  app_.alias(name);
  return *this;
}

Subcommand& Subcommand::footer(const std::string& text) {
  app_.footer(text);
  return *this;
}

Subcommand& Subcommand::record(std::vector<std::string>& given) {
  given_ = &given;
  return *this;
}

CLI::Option& Subcommand::option(const std::string& name, TakeText take, const std::string& shown,
                                const std::string& description) {
  const auto take_text = [name, given = given_, take = std::move(take)](const std::string& text) {
    if (given != nullptr) given->push_back(name);
    take(text);
  };
  return *app_.add_option_function<std::string>(name, take_text, description)->type_name(shown);
}

Subcommand& Subcommand::file(std::string& path) {
  return text("FILE", path, "FILE|-", "a file; - is standard input", Need::required);
}

Subcommand& Subcommand::text(const std::string& name, std::string& value, const std::string& shown,
                             const std::string& description, Need need) {
  app_.add_option(name, value, description)->required(need == Need::required)->option_text(shown);
  return *this;
}

Subcommand& Subcommand::texts(const std::string& name, std::vector<std::string>& values,
                              const std::string& shown, const std::string& description, Need need) {
  app_.add_option(name, values, description)->required(need == Need::required)->option_text(shown);
  return *this;
}

Subcommand& Subcommand::parsed(const std::string& name, TakeText take, const std::string& shown,
                               const std::string& description) {
  option(name, std::move(take), shown, description);
  return *this;
}

Subcommand& Subcommand::repeated(const std::string& name, TakeText take, const std::string& shown,
                                 const std::string& description) {
  option(name, std::move(take), shown, description).trigger_on_parse();
  return *this;
}

Subcommand& Subcommand::range(const std::string& name, std::function<void(std::uint64_t, std::uint64_t)> take,
                              const std::string& description) {
  const auto take_text = [name, take = std::move(take)](const std::string& text) {
    const std::size_t colon = text.find(':');
    const auto bound = [](std::string_view part, std::uint64_t& number) {
      const auto [rest, error] = std::from_chars(part.data(), part.data() + part.size(), number);
      return part.empty() || (error == std::errc() && rest == part.data() + part.size());
    };
    std::uint64_t first = 0;
    std::uint64_t end = UINT64_MAX;
    const std::string_view all = text;
    if (colon == text.npos || !bound(all.substr(0, colon), first) || !bound(all.substr(colon + 1), end))
      refuse(name + ": '" + text + "' is not A:B, whole numbers of 0 or more");
    take(first, end);
  };
  return parsed(name, take_text, "A:B", description);
}

Subcommand& Subcommand::word_or_none(const std::string& name, TakeText take, const std::string& shown,
                                     const std::string& description) {
  // A flag takes no word after a blank, which would be the name of a file.
  const auto word = std::make_shared<std::string>();
  const auto take_word = [word, take = std::move(take)](const std::string& text) {
    take(text == "true" ? std::string() : text);
  };
  app_.add_flag(name, *word, description)->each(take_word)->option_text(shown);
  return *this;
}

Subcommand& Subcommand::flag(const std::string& name, bool& value, const std::string& description) {
  app_.add_flag(name, value, description);
  return *this;
}

Subcommand& Subcommand::choice(const std::string& name, const std::vector<std::string>& words, TakeText take,
                               const std::string& description) {
  return parsed(
      name,
      [name, words, take = std::move(take)](const std::string& word) {
        if (std::ranges::find(words, word) == words.end()) refuse_word(name, word, words);
        take(word);
      },
      "WORD", description);
}

Subcommand& Subcommand::format(Format& format) {
  return choice("--format", format, {{"text", Format::text}, {"json", Format::json}},
                "text (default) or json");
}

Subcommand& Subcommand::number(const std::string& name, TakeNumber take, const std::string& shown,
                               const std::string& description, Need need) {
  const auto take_text = [name, take = std::move(take)](const std::string& text) {
    take(parse_number(name, text));
  };
  option(name, take_text, shown, description).required(need == Need::required);
  return *this;
}

Subcommand& Subcommand::number_up_to(std::uint64_t most, const std::string& name, std::uint64_t& value,
                                     const std::string& description) {
  const TakeNumber take = [&value, name, most](std::uint64_t number) {
    if (number < 1 || number > most) {
      refuse(name + ": '" + std::to_string(number) + "' is not 1 to " + std::to_string(most));
    }
    value = number;
  };
  return number(name, take, "N", description);
}

Subcommand& Subcommand::size(const std::string& name, std::uint64_t& bytes, const std::string& description) {
  const auto take = [&bytes, name](const std::string& text) {
    if (!parse_size(text, bytes)) refuse(name + ": '" + text + "' is not a size; write 65536, 64M or 1GiB");
  };
  return parsed(name, take, "SIZE", description);
}

Subcommand& Subcommand::columns(std::vector<std::string>& paths) {
  const auto take = [&paths](const std::string& text) {
    std::istringstream parts(text + ",");
    for (std::string part; std::getline(parts, part, ',');) {
      if (part.empty()) refuse("--columns: '" + text + "' has an empty path");
      paths.push_back(part);
    }
  };
  return repeated("--columns", take, "PATHS",
                  "only these columns or groups: comma-separated dotted paths\n(may be repeated)");
}

Subcommand& Subcommand::work(Limits& limits, const std::string& description) {
  return number_up_to(1000, "--max-work", limits.work, description);
}

Subcommand& Subcommand::limits(Limits& limits, const std::string& memory) {
  return size("--max-page", limits.page_bytes, "max size of a page, stored or decompressed (default 2G)")
      .size("--max-memory", limits.memory_bytes, memory)
      .work(limits, "factor for the work allowed for a file of this size (default 1)")
      .number_up_to(Limits::kDeepestSchema, "--max-depth", limits.schema_depth,
                    "max nodes from the root of a schema down to a leaf\n(default 1000)");
}

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& footer,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->get_formatter()->column_width(28);
  app_->footer(footer);
}

CommandLine::~CommandLine() = default;

Subcommand CommandLine::add(const std::string& name, const std::string& description,
                            std::function<int()> run) {
  runs_[name] = std::move(run);
  return Subcommand(*app_->add_subcommand(name, description));
}

std::expected<Call, std::string> CommandLine::parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
  } catch (const OptionError& error) {
    return std::unexpected(complaint_of(*app_, error));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return std::unexpected(complaint_of(*app_, error));
    std::ostringstream text;
    std::ignore = app_->exit(error, text, text);
    return Call{.run = {}, .text = text.str()};
  }
  return Call{.run = runs_.at(app_->get_subcommands().front()->get_name()), .text = {}};
}

}  // namespace parqproof::cli
