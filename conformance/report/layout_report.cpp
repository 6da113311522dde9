#include "conformance/report/layout_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codec/base/text.hpp"
#include "conformance/report/annotate.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/report/wording.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kBytesInLine = 8;
constexpr std::size_t kHexColumns = 3 * kBytesInLine - 1;
/// Bytes of a run that are read at a time.
constexpr std::uint64_t kPiece = 1 << 16;

std::string segment_place(const Layout& layout, const Segment& segment) {
  std::string text = place_text(segment.place, layout.column(segment.place));
  if (segment.page_type >= 0) text += ", " + page_type_text(segment.page_type);
  return text;
}

void write_notes(const Layout& layout, Out& out) {
  for (const Overlap& overlap : layout.overlaps) {
    out << fmt::format(
        "overlap: {} at byte {} belong to {} and to {}\n", counted(overlap.length, "byte"),
        offset_text(overlap.offset),
        fmt::format("{} ({})", to_string(overlap.first.kind), segment_place(layout, overlap.first)),
        fmt::format("{} ({})", to_string(overlap.second.kind), segment_place(layout, overlap.second)));
  }
  for (const Unread& unread : layout.unread) {
    const std::string place = place_text(unread.place, layout.column(unread.place));
    out << fmt::format("cannot be read: {} at byte {}{}\n", unread.what, offset_text(unread.offset),
                       place.empty() ? "" : ", " + place);
  }
}

bool touches(const Run& run, const std::vector<Mark>& marks) {
  return std::ranges::any_of(marks, [&run](const Mark& mark) {
    const std::uint64_t end = mark.offset + std::max<std::uint64_t>(mark.length, 1);
    return run.length != 0 && mark.offset < run.offset + run.length && run.offset < end;
  });
}

void write_run(Window& window, const Run& run, bool marked, Out& out) {
  const char* mark = marked ? ">" : " ";
  const std::string indent(2 * run.depth, ' ');
  const std::string name = run.value.empty() ? run.name : run.name + ": " + run.value;
  if (run.length == 0) {
    out << fmt::format("{:<{}}{}{}\n", "", 13 + kHexColumns, indent, name);
    return;
  }
  for (std::uint64_t at = 0; at < run.length && !out.closed(); at += kBytesInLine) {
    const std::uint64_t count = std::min(kBytesInLine, run.length - at);
    const View bytes = window.view(run.offset + at, count, std::min(kPiece, run.length - at - count));
    const std::string digits = hex(bytes.bytes, " ");
    if (at == 0) {
      out << fmt::format("{}{:>8}  {:<{}}  {}{}\n", mark, run.offset, digits, kHexColumns, indent, name);
    } else {
      out << fmt::format("{}{:>8}  {}\n", mark, run.offset + at, digits);
    }
  }
}

void write_json_place(JsonWriter& json, const Layout& layout, const Place& place) {
  if (place.row_group >= 0) json.member("row_group", place.row_group);
  if (place.leaf >= 0) {
    json.member("column", layout.column(place));
    json.member("leaf", place.leaf);
  }
  if (place.page >= 0) json.member("page", place.page);
}

void write_json_segment(JsonWriter& json, const Layout& layout, const Segment& segment) {
  json.member("offset", segment.offset);
  json.member("length", segment.length);
  json.member("kind", to_string(segment.kind));
  write_json_place(json, layout, segment.place);
  if (segment.page_type >= 0) json.member("page_type", page_type_text(segment.page_type));
}

void write_json_run(JsonWriter& json, Window& window, const Run& run) {
  json.begin_object();
  json.member("offset", run.offset);
  json.member("length", run.length);
  json.member("depth", run.depth);
  json.member("name", run.name);
  if (!run.value.empty()) json.member("value", run.value);
  json.member("bytes", hex(window.view(run.offset, run.length).bytes));
  json.end();
}

}  // namespace

void write_layout_text(const Source& source, const Layout& layout, const std::string& path, Out& out) {
  out << fmt::format("{}: {}\n\n", printable(path), counted(source.size(), "byte"));
  out << fmt::format("{:>12}  {:>12}  kind\n", "offset", "length");
  for (const Segment& segment : layout.segments) {
    const std::string place = segment_place(layout, segment);
    out << fmt::format("{:>12}  {:>12}  {}", segment.offset, segment.length,
                       place.empty() ? std::string(to_string(segment.kind))
                                     : fmt::format("{:<19}  {}", to_string(segment.kind), place))
        << "\n";
    if (out.closed()) return;
  }
  if (!layout.overlaps.empty() || !layout.unread.empty()) out << "\n";
  write_notes(layout, out);
}

void write_annotated_bytes(const Source& source, const Layout& layout, const std::vector<Mark>& marks,
                           Out& out) {
  Annotator annotator(source, layout);
  Window window(source);
  bool first = true;
  for (const Segment& segment : layout.segments) {
    const std::string place = segment_place(layout, segment);
    out << (first ? "" : "\n") << to_string(segment.kind) << (place.empty() ? "" : " of " + place) << "\n";
    first = false;
    annotator.annotate(segment, [&](const Run& run) {
      write_run(window, run, touches(run, marks), out);
      return !out.closed();
    });
    if (out.closed()) return;
  }
  if (!layout.overlaps.empty() || !layout.unread.empty()) out << "\n";
  write_notes(layout, out);
}

void write_layout_json(const Source& source, const Layout& layout, const std::string& path, bool bytes,
                       Out& out) {
  Annotator annotator(source, layout);
  Window window(source);
  JsonWriter json(out, bytes ? 4 : 2);
  json.begin_object();
  json.member("path", path);
  json.member("size", layout.size);
  json.key("segments");
  json.begin_array();
  for (const Segment& segment : layout.segments) {
    if (out.closed()) return;
    json.begin_object();
    write_json_segment(json, layout, segment);
    if (bytes) {
      json.key("runs");
      json.begin_array();
      annotator.annotate(segment, [&](const Run& run) {
        write_json_run(json, window, run);
        return !out.closed();
      });
      json.end();
    }
    json.end();
  }
  json.end();
  json.key("overlaps");
  json.begin_array();
  for (const Overlap& overlap : layout.overlaps) {
    json.begin_object();
    json.member("offset", overlap.offset);
    json.member("length", overlap.length);
    for (const auto& [name, segment] :
         {std::pair("first", &overlap.first), std::pair("second", &overlap.second)}) {
      json.key(name);
      json.begin_object();
      json.member("kind", to_string(segment->kind));
      write_json_place(json, layout, segment->place);
      json.end();
    }
    json.end();
  }
  json.end();
  if (!layout.unread.empty()) {
    json.key("unread");
    json.begin_array();
    for (const Unread& unread : layout.unread) {
      json.begin_object();
      json.member("offset", unread.offset);
      json.member("what", unread.what);
      write_json_place(json, layout, unread.place);
      json.end();
    }
    json.end();
  }
  json.end();
}

}  // namespace parqproof
