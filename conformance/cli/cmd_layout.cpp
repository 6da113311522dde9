#include <unistd.h>

#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/input/keys_file.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/bytes/annotate.hpp"
#include "conformance/report/bytes/layout_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof::cli {
namespace {

/// Number of runs shown before and after the one that --at names.
constexpr std::size_t kAround = 8;

struct ByteMap {
  std::string path;
  std::optional<std::uint64_t> footer_at;
  Keys keys;
  Format format = Format::text;
  bool hex = false;         ///< print bytes
  bool decompress = false;  ///< print compressed bodies as their image
  std::optional<Mark> at;   ///< print only the structure with this byte
  std::optional<std::uint64_t> row_group;
  std::optional<std::uint64_t> page;
  std::string column;  ///< dotted path or ordinal of a leaf; empty: any

  [[nodiscard]] bool by_place() const { return row_group || page || !column.empty(); }
  [[nodiscard]] bool lists_bytes() const { return hex || decompress || at; }
};

/// Removes a number from the front of `text`: decimal, with or without grouped digits, or 0x and hex digits.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  std::string digits;
  const auto is_digit = [&text](std::size_t at) {
    return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  while (is_digit(0) || (text.starts_with(',') && is_digit(1))) {
    if (text.front() != ',') digits += text.front();
    text.remove_prefix(1);
  }
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, is_hex ? 16 : 10);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// Parses OFFSET or `page HEADER + OFFSET`, which may be followed by more of the text that findings print.
std::optional<Mark> place_of(std::string_view text) {
  const auto skip = [&text](std::string_view word) {
    const bool there = text.starts_with(word);
    if (there) text.remove_prefix(word.size());
    return there;
  };
  skip("at ");
  const bool in_page = skip("page ");
  if (!in_page) skip("byte ");
  const std::optional<std::uint64_t> first = take_number(text);
  if (!first) return std::nullopt;
  if (in_page) {
    if (!skip(" + ") && !skip("+")) return std::nullopt;
    const std::optional<std::uint64_t> offset = take_number(text);
    if (!offset || (!text.empty() && text.front() != ',' && text.front() != ':')) return std::nullopt;
    return Mark{*offset, 1, *first};
  }
  if (!text.empty() && text.front() != ',' && !text.starts_with(" (")) return std::nullopt;
  return Mark{*first, 1};
}

void declare(Subcommand& sub, ByteMap& map) {
  sub.file(map.path)
      .format(map.format)
      .footer_at(map.footer_at)
      .keys([&map](const std::string& path) { map.keys = read_keys(path); })
      .flag("--hex", map.hex, "print the bytes, each run with the name and value of its field")
      .flag("--decompress", map.decompress,
            "print the decompressed image of compressed pages: offsets\n"
            "count from its first byte, as in findings")
      .parsed(
          "--at",
          [&map](const std::string& text) {
            map.at = place_of(text);
            if (!map.at) refuse("--at: '" + text + "' is neither OFFSET nor 'page HEADER + OFFSET'");
          },
          "PLACE",
          "only the structure with this byte, and its bytes around it:\n"
          "OFFSET, or 'page HEADER + OFFSET' as in findings")
      .number("--row-group", map.row_group, "R", "only this row group, counted from 0")
      .text("--column", map.column, "C", "only this column: its dotted path, or the ordinal of its\nleaf")
      .number("--page", map.page, "N", "only these pages, counted from 0 in each column chunk")
      .footer(R"(
Kinds: magic, page-header, page-body, column-metadata, column-index, offset-index, bloom-filter-header,
bloom-filter-bitset, footer, footer-length, and gap for bytes that no structure owns.
A part that is encrypted is a module: --hex shows its length, nonce, ciphertext and tag, and with --keys the fields
of what was decrypted, which have the offsets of their ciphertext. Without a key, modules are found by their lengths.
Exit code 1: the footer, or a structure that it references, cannot be read.

Examples:
  parqproof layout a.parquet
  parqproof layout --hex small.parquet | less
  parqproof layout --at 'page 6 + 2479' a.parquet
  parqproof layout --row-group 0 --column a.b --page 2 --decompress a.parquet)");
}

/// Removes all but the requested segments; false if none is left.
bool choose(const ByteMap& map, Layout& layout) {
  const auto is_meant = [&](const Segment& segment) {
    if (map.at && map.at->page)
      return segment.kind == SegmentKind::page_body && segment.page_header == *map.at->page;
    if (map.at) return segment.offset <= map.at->offset && map.at->offset < segment.end();
    const Place& place = segment.place;
    const auto is = [](std::int32_t number, const std::optional<std::uint64_t>& wanted) {
      return !wanted || (number >= 0 && static_cast<std::uint64_t>(number) == *wanted);
    };
    const bool column =
        map.column.empty() ||
        (place.leaf >= 0 && (layout.column(place) == map.column || std::to_string(place.leaf) == map.column));
    return is(place.row_group, map.row_group) && is(place.page, map.page) && column;
  };
  std::erase_if(layout.segments, [&](const Segment& segment) { return !is_meant(segment); });
  layout.overlaps.clear();
  return !layout.segments.empty();
}

/// Names the other files that contain column chunks.
std::string elsewhere(const Layout& layout) {
  if (layout.other_files.empty()) return {};
  const std::size_t more = layout.other_files.size() - 1;
  return "; column chunks are in " + printable(layout.other_files.front().path) +
         (more == 0 ? "" : " and in " + counted(more, "more file"));
}

/// Selects the bytes to list of the chosen segments. An uncompressed page has no image: a place in it is a
/// place in the file.
ByteListing listing_of(const ByteMap& map, const Source& source, const Layout& layout) {
  ByteListing listing{.images = map.decompress};
  if (!map.at) return listing;
  if (!map.hex) listing.around = kAround;
  Mark mark = *map.at;
  if (mark.page) {
    std::string why;
    listing.images = true;
    if (Annotator(source, layout).open_image(layout.segments.front(), why).empty() && why.empty())
      mark = {layout.segments.front().offset + mark.offset, 1};
  }
  listing.marks.push_back(mark);
  return listing;
}

int run(const ByteMap& map) {
  if (map.at && map.by_place()) return could_not_run("--at excludes --row-group, --column and --page");
  std::string why;
  const FooterInput input = open_input(map.path, map.footer_at, map.keys, why);
  if (input.file == nullptr) return could_not_run(map.path + ": " + why);
  Out out(STDOUT_FILENO);
  const Source& file = *input.file;
  Layout layout = read_layout(input.source());
  add_rest(layout, file.size());
  if (map.at || map.by_place()) {
    if (!choose(map, layout))
      return could_not_run(map.path + ": no structure of the file has this byte" + elsewhere(layout));
    layout.other_files.clear();
  }
  const ByteListing listing = listing_of(map, file, layout);
  if (map.format == Format::json) {
    write_layout_json(file, layout, map.path, map.lists_bytes() ? &listing : nullptr, out);
  } else if (map.lists_bytes()) {
    write_annotated_bytes(file, layout, listing, out);
  } else {
    write_layout_text(file, layout, map.path, out);
  }
  if (layout.failed) complain(map.path + ": the file could not be read");
  if (layout.encrypted) complain(map.path + ": encrypted parts could not be parsed without their keys");
  if (layout.failed || layout.encrypted) return finish(out, kCouldNotRun);
  return finish(out, layout.unread.empty() ? kFine : kBroken);
}

}  // namespace

void add_layout(CommandLine& line) {
  line.add<ByteMap>("layout", "print the byte map: the structure of each byte of the file", declare, run);
}

}  // namespace parqproof::cli
