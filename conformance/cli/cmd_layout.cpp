#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/layout_report.hpp"

namespace parqproof::cli {
namespace {

struct ByteMap {
  std::string path;
  std::optional<std::uint64_t> footer_at;
  Format format = Format::text;
  bool hex = false;  ///< the bytes too
};

void declare(Subcommand& sub, ByteMap& map) {
  sub.file(map.path)
      .format(map.format)
      .footer_at(map.footer_at)
      .flag("--hex", map.hex, "print the bytes too, each run with the name and the value of what it is")
      .footer(R"(
Kinds: magic, page-header, page-body, column-metadata, column-index, offset-index, bloom-filter-header,
bloom-filter-bitset, footer, footer-length, and gap for bytes that no structure owns.
It exits with 1 if the footer, or a structure that it points at, cannot be read.

Examples:
  parqproof layout a.parquet
  parqproof layout --hex small.parquet | less)");
}

/// Bytes behind the footer that was asked for belong to nothing.
void add_rest(Layout& layout, std::uint64_t size) {
  if (layout.size == size) return;
  if (layout.segments.empty() || layout.segments.back().kind != SegmentKind::gap)
    layout.segments.push_back({.offset = layout.size, .place = {}});
  layout.segments.back().length += size - layout.size;
  layout.size = size;
}

int run(const ByteMap& map) {
  std::string why;
  const FooterInput input = open_input(map.path, map.footer_at, why);
  if (input.whole == nullptr) {
    complain(map.path + ": " + why);
    return kCouldNotRun;
  }
  Out out(STDOUT_FILENO);
  const Source& whole = *input.whole;
  Layout layout = read_layout(input.source());
  add_rest(layout, whole.size());
  if (map.format == Format::json) {
    write_layout_json(whole, layout, map.path, map.hex, out);
  } else if (map.hex) {
    write_annotated_bytes(whole, layout, {}, out);
  } else {
    write_layout_text(whole, layout, map.path, out);
  }
  if (layout.failed) complain(map.path + ": the file could not be read");
  if (layout.encrypted) complain(map.path + ": some of it is encrypted, and could not be taken apart");
  if (layout.failed || layout.encrypted) return finish(out, kCouldNotRun);
  return finish(out, layout.unread.empty() ? kFine : kBroken);
}

}  // namespace

void add_layout(CommandLine& line) {
  line.add("layout", "the byte map: which structure each byte of the file belongs to", declare, run);
}

}  // namespace parqproof::cli
