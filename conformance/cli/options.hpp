#pragma once

#include <concepts>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "codec/base/limits.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
}

/// The command line: subcommands, their options, and the words of a call. options.cpp alone includes the
/// parser behind it, CLI11, because it takes long to compile.
namespace parqproof::cli {

/// How a subcommand prints what it finds.
enum class Format : std::uint8_t { text, json };

/// Whether a call without the option is refused.
enum class Need : std::uint8_t { optional, required };

/// For a function that takes the value of an option: ends the parsing, because the value is wrong. `why` is
/// the complaint that the user sees.
[[noreturn]] void refuse(const std::string& why);

/// The options of one subcommand, in the order of its help. Each names its option as help shows it
/// ("--quiet",
/// "-j,--jobs"; without dashes it is an argument: "FILE"), then where the value goes, then the word that
/// stands for the value in help, then what it does. A line of a description that is too long is broken by \n.
/// References have to be good until the call has run. Values are taken in the order in which their options
/// are declared here.
class Subcommand {
 public:
  /// A function that gets the text of a value; it calls refuse() if that is wrong.
  using TakeText = std::function<void(const std::string&)>;
  using TakeNumber = std::function<void(std::uint64_t)>;

  explicit Subcommand(CLI::App& app) noexcept : app_(app) {}

  /// A second name of the subcommand.
  Subcommand& alias(const std::string& name);

  /// What help says behind the options: details, exit codes, examples.
  Subcommand& footer(const std::string& text);

  /// FILE: the path of one file, required; - is standard input.
  Subcommand& file(std::string& path);

  /// Any text. If the option is required, `shown` has to say so.
  Subcommand& text(const std::string& name, std::string& value, const std::string& shown,
                   const std::string& description, Need need = Need::optional);

  /// An argument that stands for one or more texts; for none too if it is not required.
  Subcommand& texts(const std::string& name, std::vector<std::string>& values, const std::string& shown,
                    const std::string& description, Need need = Need::optional);

  /// A text that `take` understands or refuses.
  Subcommand& parsed(const std::string& name, TakeText take, const std::string& shown,
                     const std::string& description);

  /// The same, for an option that may be given several times. Such options are taken before all others, in
  /// the order of the call.
  Subcommand& repeated(const std::string& name, TakeText take, const std::string& shown,
                       const std::string& description);

  /// A:B, from A on, up to but without B; either may be left out, and leaves its number as it is. `take` gets
  /// both.
  Subcommand& range(const std::string& name, std::function<void(std::uint64_t, std::uint64_t)> take,
                    const std::string& description);

  /// An option that may stand alone, and then gives an empty text, or with a word behind `=`.
  Subcommand& word_or_none(const std::string& name, TakeText take, const std::string& shown,
                           const std::string& description);

  /// True if the option is given.
  Subcommand& flag(const std::string& name, bool& value, const std::string& description);

  /// One of a few words, each of which stands for a value.
  template <typename Value>
  Subcommand& choice(const std::string& name, Value& value,
                     const std::type_identity_t<std::map<std::string, Value>>& values,
                     const std::string& description) {
    std::vector<std::string> words;
    for (const auto& choice : values) words.push_back(choice.first);
    const auto take = [&value, values](const std::string& word) { value = values.at(word); };
    return choice(name, words, take, description);
  }

  /// --format: text or json.
  Subcommand& format(Format& format);

  /// A whole number of 0 or more.
  Subcommand& number(const std::string& name, TakeNumber take, const std::string& shown,
                     const std::string& description, Need need = Need::optional);
  template <typename Value>
    requires std::assignable_from<Value&, std::uint64_t>
  Subcommand& number(const std::string& name, Value& value, const std::string& shown,
                     const std::string& description, Need need = Need::optional) {
    return number(name, TakeNumber([&value](std::uint64_t number) { value = number; }), shown, description,
                  need);
  }

  /// --footer-at: read with the footer that ends there.
  Subcommand& footer_at(std::optional<std::uint64_t>& offset) {
    return number("--footer-at", offset, "OFFSET",
                  "read with the footer whose last byte of magic ends there:\nan earlier footer of a damaged "
                  "file");
  }

  /// A whole number from 1 to `most`.
  Subcommand& number_up_to(std::uint64_t most, const std::string& name, std::uint64_t& value,
                           const std::string& description);

  /// A number of bytes: digits, then nothing, K, M, G, T or KiB, MiB, GiB, TiB (powers of 1024), or KB, MB,
  /// GB, TB (powers of 1000).
  Subcommand& size(const std::string& name, std::uint64_t& bytes, const std::string& description);

  /// --max-page, --max-memory, --max-work and --max-depth. `memory` describes the second of them, which means
  /// another thing to each subcommand.
  Subcommand& limits(Limits& limits, const std::string& memory);
  Subcommand& work(Limits& limits, const std::string& description);

 private:
  Subcommand& choice(const std::string& name, const std::vector<std::string>& words, TakeText take,
                     const std::string& description);

  CLI::App& app_;
};

/// What a call of the program asks for.
struct Call {
  std::function<int()>
      run;           ///< the subcommand, with its options; gives the exit code. Empty if there is text
  std::string text;  ///< help, or the version, to be printed
};

/// The program with its subcommands.
class CommandLine {
 public:
  /// `footer`: what help says behind the list of subcommands. `version`: what --version prints.
  CommandLine(const std::string& name, const std::string& description, const std::string& footer,
              const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Adds a subcommand. `Command` holds what its options say: `declare` names the options, `run` does the
  /// work and gives the exit code of the program.
  template <typename Command>
  void add(const std::string& name, const std::string& description,
           void (*declare)(Subcommand& sub, Command& command), int (*run)(const Command& command)) {
    const auto command = std::make_shared<Command>();
    Subcommand sub = add(name, description, [command, run] { return run(*command); });
    declare(sub, *command);
  }

  /// What the arguments of main() ask for, or what is wrong with them.
  [[nodiscard]] std::expected<Call, std::string> parse(int argc, const char* const* argv);

 private:
  Subcommand add(const std::string& name, const std::string& description, std::function<int()> run);

  std::unique_ptr<CLI::App> app_;
  std::map<std::string, std::function<int()>> runs_;  // by name of subcommand
};

}  // namespace parqproof::cli
