#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codec/encoding/table.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/json_writer.hpp"

namespace parqproof::cli {
namespace {

void declare(Subcommand& sub, Format& format) {
  sub.format(format).footer(R"(
`decode`: check decodes it. `encode`: the library can write it. LEVEL means repetition and definition levels.

Examples:
  parqproof encodings
  parqproof encodings --format json | jq -r '.[] | select(.status == "current") | .name')");
}

/// Names of the types that the encoding supports; LEVEL is the last of them.
std::vector<std::string_view> types_of(const EncodingInfo& row) {
  std::vector<std::string_view> types;
  for (const thrift::EnumValue& type : kTypeEnum.values) {
    if (row.codec(static_cast<Type>(type.value)).exists()) types.push_back(type.name);
  }
  if (row.levels.exists()) types.push_back("LEVEL");
  return types;
}

/// Returns true if there is a codec; the table has decoders and encoders in pairs.
bool has_codec(const EncodingInfo& row) {
  return row.levels.exists() || std::ranges::any_of(row.types, &ValueCodec::exists);
}

void write_json(Out& out) {
  JsonWriter json(out, 1);
  json.begin_array();
  for (const EncodingInfo& row : all_encodings()) {
    json.object([&] {
      json.member("name", row.name());
      json.member("number", static_cast<int>(row.encoding));
      json.member("status", to_string(row.status));
      json.values("types", types_of(row));
      json.member("decode", has_codec(row));
      json.member("encode", has_codec(row));
    });
  }
  json.end();
}

void write_text(Out& out) {
  constexpr const char* form = "{:<24}  {:>6}  {:<10}  {:<6}  {:<6}  {}\n";
  out << fmt::format(form, "name", "number", "status", "decode", "encode", "types");
  for (const EncodingInfo& row : all_encodings()) {
    out << fmt::format(form, row.name(), static_cast<int>(row.encoding), to_string(row.status),
                       has_codec(row) ? "yes" : "no", has_codec(row) ? "yes" : "no",
                       fmt::join(types_of(row), " "));
  }
}

int run(const Format& format) {
  Out out(STDOUT_FILENO);
  format == Format::json ? write_json(out) : write_text(out);
  return finish(out, kFine);
}

}  // namespace

void add_encodings(CommandLine& line) {
  line.add<Format>("encodings",
                   "list the encodings: number, status, types, support for decoding and encoding", declare,
                   run);
}

}  // namespace parqproof::cli
