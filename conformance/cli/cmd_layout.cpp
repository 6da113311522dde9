#include <unistd.h>

#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/bytes/annotate.hpp"
#include "conformance/report/bytes/layout_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof::cli {
namespace {

/// Runs that are shown before and behind the one that --at names.
constexpr std::size_t kAround = 8;

struct ByteMap {
  std::string path;
  std::optional<std::uint64_t> footer_at;
  Format format = Format::text;
  bool hex = false;         ///< the bytes too
  bool decompress = false;  ///< and those of compressed bodies
  std::optional<Mark> at;   ///< the structure with this byte alone
  std::optional<std::uint64_t> row_group;
  std::optional<std::uint64_t> page;
  std::string column;  ///< a dotted path, or the ordinal of a leaf; empty: any

  [[nodiscard]] bool by_place() const { return row_group || page || !column.empty(); }
  [[nodiscard]] bool lists_bytes() const { return hex || decompress || at; }
};

/// Takes a number off the front of `text`: decimal, as texts group its digits too, or 0x and hex digits.
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

/// OFFSET, or `page HEADER + OFFSET`; what a finding says behind it may stand there.
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
      .flag("--hex", map.hex, "print the bytes too, each run with the name and the value of what it is")
      .flag("--decompress", map.decompress,
            "print the bytes of compressed pages as their image: offsets\ncount from its first byte, as "
            "findings "
            "count them")
      .parsed(
          "--at",
          [&map](const std::string& text) {
            map.at = place_of(text);
            if (!map.at) refuse("--at: '" + text + "' is neither OFFSET nor 'page HEADER + OFFSET'");
          },
          "PLACE",
          "the structure with this byte alone, and its bytes around\nit: OFFSET, or 'page HEADER + OFFSET' "
          "as "
          "findings print it")
      .number("--row-group", map.row_group, "R", "what belongs to this row group alone, counted from 0")
      .text("--column", map.column, "C",
            "what belongs to this column alone: its dotted path, or the\nordinal of its leaf")
      .number("--page", map.page, "N", "these pages alone, counted from 0 in each column chunk")
      .footer(R"(
Kinds: magic, page-header, page-body, column-metadata, column-index, offset-index, bloom-filter-header,
bloom-filter-bitset, footer, footer-length, and gap for bytes that no structure owns.
It exits with 1 if the footer, or a structure that it points at, cannot be read.

Examples:
  parqproof layout a.parquet
  parqproof layout --hex small.parquet | less
  parqproof layout --at 'page 6 + 2479' a.parquet
  parqproof layout --row-group 0 --column a.b --page 2 --decompress a.parquet)");
}

/// Bytes behind the footer that was asked for belong to nothing.
void add_rest(Layout& layout, std::uint64_t size) {
  if (layout.size == size) return;
  if (layout.segments.empty() || layout.segments.back().kind != SegmentKind::gap)
    layout.segments.push_back({.offset = layout.size, .place = {}});
  layout.segments.back().length += size - layout.size;
  layout.size = size;
}

/// Leaves the segments that were asked for; false where there is none.
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

/// Where the column chunks are that are not in the file.
std::string elsewhere(const Layout& layout) {
  if (layout.other_files.empty()) return {};
  const std::size_t more = layout.other_files.size() - 1;
  return "; column chunks are in " + printable(layout.other_files.front().path) +
         (more == 0 ? "" : " and in " + counted(more, "more file"));
}

/// What is listed of the chosen segments. A page that is not compressed has no image: a place in its image is
/// one in the file.
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
  if (map.at && map.by_place()) {
    complain("--at is a place of its own: without --row-group, --column and --page");
    return kCouldNotRun;
  }
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
  if (map.at || map.by_place()) {
    if (!choose(map, layout)) {
      complain(map.path + ": nothing in the file has this place" + elsewhere(layout));
      return kCouldNotRun;
    }
    layout.other_files.clear();
  }
  const ByteListing listing = listing_of(map, whole, layout);
  if (map.format == Format::json) {
    write_layout_json(whole, layout, map.path, map.lists_bytes() ? &listing : nullptr, out);
  } else if (map.lists_bytes()) {
    write_annotated_bytes(whole, layout, listing, out);
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
