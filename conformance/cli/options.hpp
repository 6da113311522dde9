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
#include "conformance/options/refuse.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name of the library
class App;
class Option;
}  // namespace CLI

/// The command line: subcommands, their options, and the words of a call. Only options.cpp includes the
/// parser, CLI11, because it takes long to compile.
namespace parqproof::cli {

/// Form in which a subcommand prints its result.
enum class Format : std::uint8_t { text, json };

/// Presence of an option: a call without a required one is refused.
enum class Need : std::uint8_t { optional, required };

/// Declares the options of one subcommand, in the order of its help. Each declaration has the option as help
/// shows it ("--quiet", "-j,--jobs"; "FILE", without dashes, is an argument), the destination of the value,
/// the word for the value in help, and the description. Long descriptions are broken by \n. References must
/// stay valid until the call has run. Values are stored in the order of the declarations.
class Subcommand {
 public:
  /// Receives the text of a value, and calls refuse() if that is wrong.
  using TakeText = std::function<void(const std::string&)>;
  using TakeNumber = std::function<void(std::uint64_t)>;

  explicit Subcommand(CLI::App& app) noexcept : app_(app) {}

  /// Adds a second name of the subcommand.
  Subcommand& alias(const std::string& name);

  /// Sets the end of the help: details, exit codes, examples.
  Subcommand& footer(const std::string& text);

  /// Adds the names of the options declared after this call to `given`, as they are parsed.
  Subcommand& record(std::vector<std::string>& given);

  /// FILE: the path of one file, required; - is standard input.
  Subcommand& file(std::string& path);

  /// Any text. If the option is required, `shown` must state that.
  Subcommand& text(const std::string& name, std::string& value, const std::string& shown,
                   const std::string& description, Need need = Need::optional);

  /// An argument that takes one or more texts, or none if it is not required.
  Subcommand& texts(const std::string& name, std::vector<std::string>& values, const std::string& shown,
                    const std::string& description, Need need = Need::optional);

  /// A text that `take` parses or refuses.
  Subcommand& parsed(const std::string& name, TakeText take, const std::string& shown,
                     const std::string& description);

  /// As above, for an option that may be repeated. Such options are taken before all others, in the order of
  /// the call.
  Subcommand& repeated(const std::string& name, TakeText take, const std::string& shown,
                       const std::string& description);

  /// A:B, from A on, up to but without B; either may be left out, which leaves its number unchanged. `take`
  /// receives both.
  Subcommand& range(const std::string& name, std::function<void(std::uint64_t, std::uint64_t)> take,
                    const std::string& description);

  /// An option that may be given without a value, as an empty text, or with a word after `=`.
  Subcommand& word_or_none(const std::string& name, TakeText take, const std::string& shown,
                           const std::string& description);

  /// Sets `value` to true if the option is given.
  Subcommand& flag(const std::string& name, bool& value, const std::string& description);

  /// One of a few words, each of which selects a value.
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

  /// --footer-at: reads with the footer that ends at this offset.
  Subcommand& footer_at(std::optional<std::uint64_t>& offset) {
    return number("--footer-at", offset, "OFFSET",
                  "read with the footer that ends, with its magic, at OFFSET: an\n"
                  "earlier footer of a damaged file");
  }

  /// --keys: `take` reads the file, or calls refuse().
  Subcommand& keys(TakeText take) {
    return parsed("--keys", std::move(take), "FILE",
                  "decrypt with the keys in this JSON file: {\"footer_key\":\n"
                  "KEY, \"column_keys\": {\"a.b\": KEY}, \"keys\": {\"key\n"
                  "metadata\": KEY}, \"master_keys\": {\"id\": KEY},\n"
                  "\"aad_prefix\": \"text\"}; KEY is hex, base64:... or text:...");
  }

  /// --columns: comma-separated dotted paths of leaves or groups; each option adds its paths.
  Subcommand& columns(std::vector<std::string>& paths);

  /// A whole number from 1 to `most`.
  Subcommand& number_up_to(std::uint64_t most, const std::string& name, std::uint64_t& value,
                           const std::string& description);

  /// A number of bytes: digits, then nothing, K, M, G, T or KiB, MiB, GiB, TiB (powers of 1024), or KB, MB,
  /// GB, TB (powers of 1000).
  Subcommand& size(const std::string& name, std::uint64_t& bytes, const std::string& description);

  /// --max-page, --max-memory, --max-work and --max-depth. `memory` describes --max-memory, which differs
  /// between subcommands.
  Subcommand& limits(Limits& limits, const std::string& memory);
  Subcommand& work(Limits& limits, const std::string& description);

 private:
  Subcommand& choice(const std::string& name, const std::vector<std::string>& words, TakeText take,
                     const std::string& description);
  /// Adds an option whose text goes to a function.
  CLI::Option& option(const std::string& name, TakeText take, const std::string& shown,
                      const std::string& description);

  CLI::App& app_;
  std::vector<std::string>* given_ = nullptr;
};

/// A parsed call of the program.
struct Call {
  std::function<int()>
      run;  ///< runs the subcommand with its options, and returns the exit code; empty if `text` is set
  std::string text;  ///< help or version to print
};

/// The program with its subcommands.
class CommandLine {
 public:
  /// `footer` is the end of the help, after the list of subcommands. `version` is printed by --version.
  CommandLine(const std::string& name, const std::string& description, const std::string& footer,
              const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Adds a subcommand. `Command` has the values of its options; `declare` declares the options, and `run`
  /// does the work and returns the exit code of the program.
  template <typename Command>
  void add(const std::string& name, const std::string& description,
           void (*declare)(Subcommand& sub, Command& command), int (*run)(const Command& command)) {
    const auto command = std::make_shared<Command>();
    Subcommand sub = add(name, description, [command, run] { return run(*command); });
    declare(sub, *command);
  }

  /// Parses the arguments of main(); the error is the complaint.
  [[nodiscard]] std::expected<Call, std::string> parse(int argc, const char* const* argv);

 private:
  Subcommand add(const std::string& name, const std::string& description, std::function<int()> run);

  std::unique_ptr<CLI::App> app_;
  std::map<std::string, std::function<int()>> runs_;  // by name of subcommand
};

}  // namespace parqproof::cli
