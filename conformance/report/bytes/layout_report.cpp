#include "conformance/report/bytes/layout_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <span>
#include <utility>

#include "codec/base/text.hpp"
#include "conformance/report/bytes/annotate.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kBytesInLine = 8;
constexpr std::size_t kHexColumns = 3 * kBytesInLine - 1;
/// Bytes of a run that are read at a time.
constexpr std::uint64_t kPiece = 1 << 16;

std::string segment_place(const Layout& layout, const Segment& segment) {
  std::string text = place_text(segment.place, layout.column(segment.place));
  if (segment.page_type >= 0) text += ", " + page_type_text(segment.page_type);
  if (segment.module) text += ", encrypted";
  return text;
}

/// Max number of other files that the text names; further ones are counted.
constexpr std::size_t kFilesNamed = 20;

void write_notes(const Layout& layout, Out& out) {
  if (!layout.overlaps.empty() || !layout.unread.empty() || !layout.other_files.empty()) out << "\n";
  std::size_t named = 0;
  for (const OtherFile& file : layout.other_files) {
    if (named++ == kFilesNamed) {
      out << fmt::format("elsewhere: column chunks in {}\n",
                         counted(layout.other_files.size() - kFilesNamed, "more file"));
      break;
    }
    out << fmt::format("elsewhere: {} in {}\n", counted(file.chunks, "column chunk"), printable(file.path));
  }
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

/// Returns true if a mark touches the run, which is in the file, or in the image of `page`.
bool touches(const Run& run, const std::vector<Mark>& marks, std::optional<std::uint64_t> page) {
  return std::ranges::any_of(marks, [&](const Mark& mark) {
    const std::uint64_t end = mark.offset + std::max<std::uint64_t>(mark.length, 1);
    return mark.page == page && run.length != 0 && mark.offset < run.offset + run.length && run.offset < end;
  });
}

/// Writes one line of a run; `label` describes the run in the first line.
void write_line(Out& out, bool marked, std::uint64_t offset, std::span<const std::uint8_t> bytes,
                const std::string& label) {
  const std::string digits = hex(bytes, " ");
  const char* const mark = marked ? ">" : " ";
  if (label.empty()) {
    out << fmt::format("{}{:>8}  {}\n", mark, offset, digits);
  } else {
    out << fmt::format("{}{:>8}  {:<{}}  {}\n", mark, offset, digits, kHexColumns, label);
  }
}

/// Description of a run, indented by its depth.
std::string label_of(const Run& run) {
  return std::string(2 * run.depth, ' ') + run.name + (run.value.empty() ? "" : ": " + run.value);
}

/// A run without bytes is a heading.
void write_heading(Out& out, const Run& run) {
  out << fmt::format("{:<{}}{}\n", "", 13 + kHexColumns, label_of(run));
}

void write_gap(Out& out) { out << fmt::format("{:>9}\n", "..."); }

/// In a listing around marks: lines of a long run that are shown before and after each marked line, and at
/// the start.
constexpr std::uint64_t kLinesAround = 4;

/// Writes a run in lines of a few bytes; `>` precedes the lines that marks touch.
class RunLines {
 public:
  RunLines(const Source& bytes, const ByteListing& listing, std::optional<std::uint64_t> page, Out& out)
      : window_(bytes), listing_(listing), page_(page), out_(out) {}

  void write(const Run& run) {
    if (run.length == 0) return write_heading(out_, run);
    bool gap = false;
    for (std::uint64_t at = 0; at < run.length && !out_.closed(); at += kBytesInLine) {
      if (!is_shown(run, at)) {
        if (!gap) write_gap(out_);
        gap = true;
        at = next_shown(run, at) - kBytesInLine;
        continue;
      }
      gap = false;
      const std::uint64_t count = std::min(kBytesInLine, run.length - at);
      const View bytes = window_.view(run.offset + at, count, std::min(kPiece, run.length - at - count));
      write_line(out_, touches({run.offset + at, count, 0, {}, {}}, listing_.marks, page_), run.offset + at,
                 bytes.bytes, at == 0 ? label_of(run) : std::string());
    }
  }

 private:
  /// The lines shown because of a mark: bytes [first, last) of the run.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> shown_by(const Mark& mark, const Run& run) const {
    const std::uint64_t end = mark.offset + std::max<std::uint64_t>(mark.length, 1);
    if (mark.page != page_ || mark.offset >= run.offset + run.length || end <= run.offset) return {0, 0};
    const std::uint64_t first = (mark.offset - std::min(mark.offset, run.offset)) / kBytesInLine;
    const std::uint64_t last = (std::min(end, run.offset + run.length) - 1 - run.offset) / kBytesInLine;
    return {(first - std::min(first, kLinesAround)) * kBytesInLine, (last + 1 + kLinesAround) * kBytesInLine};
  }
  [[nodiscard]] bool is_shown(const Run& run, std::uint64_t at) const {
    if (!listing_.around || at < kLinesAround * kBytesInLine) return true;
    return std::ranges::any_of(listing_.marks, [&](const Mark& mark) {
      const auto [first, last] = shown_by(mark, run);
      return first <= at && at < last;
    });
  }
  /// Offset of the next line to show after the skipped one at `at`, or the end of the run.
  [[nodiscard]] std::uint64_t next_shown(const Run& run, std::uint64_t at) const {
    std::uint64_t next = (run.length + kBytesInLine - 1) / kBytesInLine * kBytesInLine;
    for (const Mark& mark : listing_.marks) {
      const std::uint64_t first = shown_by(mark, run).first;
      if (first > at) next = std::min(next, first);
    }
    return next;
  }

  Window window_;
  const ByteListing& listing_;
  std::optional<std::uint64_t> page_;
  Out& out_;
};

/// Selects the runs of a listing: all, or those around marks, with "..." for the others.
class Around {
 public:
  using Write = std::function<void(const Run&, bool marked)>;

  /// `skip` is called at each gap between the selected runs.
  Around(const ByteListing& listing, std::optional<std::uint64_t> page, Write write,
         std::function<void()> skip)
      : listing_(listing), page_(page), write_(std::move(write)), skip_(std::move(skip)) {}

  void run(const Run& run) {
    const bool marked = touches(run, listing_.marks, page_);
    if (!listing_.around) return write_(run, marked);
    if (marked) {
      if (left_out_ > before_.size()) skip_();
      for (const Run& one : before_) write_(one, false);
      before_.clear();
      left_out_ = 0;
      write_(run, true);
      after_ = *listing_.around;
    } else if (after_ > 0) {
      --after_;
      write_(run, false);
    } else {
      ++left_out_;
      before_.push_back(run);
      if (before_.size() > *listing_.around) before_.pop_front();
    }
  }
  void end() {
    if (left_out_ != 0) skip_();
  }

 private:
  const ByteListing& listing_;
  std::optional<std::uint64_t> page_;
  Write write_;
  std::function<void()> skip_;
  std::deque<Run> before_;
  std::size_t after_ = 0;     // number of runs after a mark still to be written
  std::size_t left_out_ = 0;  // number of runs skipped since the last written one
};

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
  if (segment.module) json.member("encrypted", true);
}

/// Members of a run.
void write_json_run(JsonWriter& json, Window& window, const Run& run, bool marked) {
  json.member("offset", run.offset);
  json.member("length", run.length);
  json.member("depth", run.depth);
  if (marked) json.member("marked", true);
  json.member("name", run.name);
  if (!run.value.empty()) json.member("value", run.value);
  json.member("bytes", hex(window.view(run.offset, run.length).bytes));
}

/// `annotate` emits the runs of the file or of the image of `page`.
void write_json_runs(JsonWriter& json, Window& window, const ByteListing& listing,
                     std::optional<std::uint64_t> page, const std::function<void(const RunSink&)>& annotate) {
  json.key("runs");
  json.begin_array();
  const auto write = [&](const Run& run, bool marked) {
    json.object([&] { write_json_run(json, window, run, marked); });
  };
  Around around(listing, page, write, [] {});
  annotate([&](const Run& run) {
    around.run(run);
    return !json.closed();
  });
  json.end();
}

/// Writes the image of a compressed body as a member of its segment.
void write_json_image(JsonWriter& json, Annotator& annotator, const Segment& segment,
                      const ByteListing& listing) {
  std::string why;
  const auto image = annotator.open_image(segment, why);
  if (image.empty() && why.empty()) return;
  json.object("image", [&] {
    if (!why.empty()) json.member("why", why);
    if (image.empty()) return;
    json.member("length", image.size());
    const MemorySource bytes(image);
    Window window(bytes);
    write_json_runs(json, window, listing, segment.page_header,
                    [&](const RunSink& sink) { annotator.annotate_image(sink); });
  });
}

/// Bytes in memory at their place in a file.
class PlacedBytes final : public Source {
 public:
  explicit PlacedBytes(View bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_.end(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    if (offset < bytes_.base || offset - bytes_.base > bytes_.size() || into.size() > bytes_.end() - offset)
      return false;
    std::copy_n(bytes_.data() + (offset - bytes_.base), into.size(), into.data());
    return true;
  }

 private:
  View bytes_;
};

/// Writes what an encrypted segment has, decrypted, as a member of it.
void write_json_module(JsonWriter& json, Annotator& annotator, const Segment& segment,
                       const ByteListing& listing) {
  std::string why;
  const View bytes = annotator.open_module(segment, why);
  if (bytes.empty() && why.empty()) return;
  json.object("decrypted", [&] {
    if (!why.empty()) return json.member("why", why);
    json.member("space", "module");
    json.member("offset", bytes.base);
    json.member("length", bytes.size());
    const PlacedBytes placed(bytes);
    Window window(placed);
    write_json_runs(json, window, listing, std::nullopt,
                    [&](const RunSink& sink) { annotator.annotate_module(segment, sink); });
  });
}

/// The title of a segment; `image` is the size of the uncompressed page shown instead of its body, or 0.
std::string segment_title(const Layout& layout, const Segment& segment, std::uint64_t image) {
  const std::string place = segment_place(layout, segment);
  std::string title = std::string(to_string(segment.kind)) + (place.empty() ? "" : " of " + place);
  if (image != 0)
    title += fmt::format(", uncompressed: {}, offsets count from the first", counted(image, "byte"));
  return title;
}

/// Some bytes of a run, with `>` at the finding.
void write_shown_run(const ShownRun& shown, const Finding& finding, Out& out) {
  if (shown.run.length == 0) return write_heading(out, shown.run);
  const std::vector<Mark> marks = {{finding.offset, finding.length}};
  for (std::uint64_t at = 0; at < shown.bytes.size(); at += kBytesInLine) {
    const std::uint64_t count = std::min<std::uint64_t>(kBytesInLine, shown.bytes.size() - at);
    write_line(out, touches({shown.from + at, count, 0, {}, {}}, marks, std::nullopt), shown.from + at,
               std::span(shown.bytes).subspan(at, count), at == 0 ? label_of(shown.run) : std::string());
  }
}

constexpr std::uint64_t kMarked = 64;  ///< max marked bytes of a finding
constexpr ShownExtent kExtent = {.around = 1, .at_fault = kMarked, .bytes = kMarked};

std::string excerpt(const Layout& layout, const Finding& finding, const FindingBytes& bytes) {
  if (bytes.runs.empty()) return {};
  std::string text;
  Out out(text);
  out << segment_title(layout, bytes.segment, bytes.image) << "\n";
  std::uint64_t at = bytes.image != 0 ? 0 : bytes.segment.offset;  // end of what is written
  for (const ShownRun& shown : bytes.runs) {
    if (at < shown.from) write_gap(out);
    write_shown_run(shown, finding, out);
    at = shown.from + shown.bytes.size();
  }
  if (at < (bytes.image != 0 ? bytes.image : bytes.segment.end())) write_gap(out);
  out.flush();
  return text;
}

/// Writes the bytes of an encrypted segment once more, decrypted.
void write_module_bytes(const Layout& layout, const Segment& segment, const ByteListing& listing,
                        Annotator& annotator, Out& out) {
  std::string why;
  const View bytes = annotator.open_module(segment, why);
  if (bytes.empty() && why.empty()) return;
  Segment decrypted = segment;
  decrypted.module.reset();
  out << segment_title(layout, decrypted, 0) << ", decrypted" << (why.empty() ? "" : ": " + why) << "\n";
  if (bytes.empty()) return;
  const PlacedBytes placed(bytes);
  RunLines lines(placed, listing, std::nullopt, out);
  Around around(
      listing, std::nullopt, [&](const Run& run, bool /*marked*/) { lines.write(run); },
      [&] { write_gap(out); });
  annotator.annotate_module(segment, [&](const Run& run) {
    around.run(run);
    return !out.closed();
  });
  around.end();
}

/// Writes one segment with its bytes.
void write_segment_bytes(const Source& source, const Layout& layout, const Segment& segment,
                         const ByteListing& listing, Annotator& annotator, Out& out) {
  std::string why;
  const auto image = listing.images ? annotator.open_image(segment, why) : std::span<const std::uint8_t>();
  const MemorySource image_source(image);
  const bool has_image = !image.empty();
  out << segment_title(layout, segment, image.size()) << (why.empty() ? "" : ": " + why) << "\n";
  const auto page = has_image ? std::optional(segment.page_header) : std::nullopt;
  RunLines lines(has_image ? static_cast<const Source&>(image_source) : source, listing, page, out);
  Around around(
      listing, page, [&](const Run& run, bool /*marked*/) { lines.write(run); }, [&] { write_gap(out); });
  const RunSink sink = [&](const Run& run) {
    around.run(run);
    return !out.closed();
  };
  if (has_image) {
    annotator.annotate_image(sink);
  } else {
    annotator.annotate(segment, sink);
  }
  around.end();
  if (!has_image) write_module_bytes(layout, segment, listing, annotator, out);
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
  write_notes(layout, out);
}

void write_annotated_bytes(const Source& source, const Layout& layout, const ByteListing& listing, Out& out) {
  Annotator annotator(source, layout);
  for (const Segment& segment : layout.segments) {
    if (&segment != &layout.segments.front()) out << "\n";
    write_segment_bytes(source, layout, segment, listing, annotator, out);
    if (out.closed()) return;
  }
  write_notes(layout, out);
}

void write_layout_json(const Source& source, const Layout& layout, const std::string& path,
                       const ByteListing* listing, Out& out) {
  Annotator annotator(source, layout);
  Window window(source);
  JsonWriter json(out, listing != nullptr ? 4 : 2);
  json.begin_object();
  json.member("path", path);
  json.member("size", layout.size);
  json.key("segments");
  json.begin_array();
  for (const Segment& segment : layout.segments) {
    if (out.closed()) return;
    json.begin_object();
    write_json_segment(json, layout, segment);
    if (listing != nullptr) {
      write_json_runs(json, window, *listing, std::nullopt,
                      [&](const RunSink& sink) { annotator.annotate(segment, sink); });
      write_json_module(json, annotator, segment, *listing);
      if (listing->images) write_json_image(json, annotator, segment, *listing);
    }
    json.end();
  }
  json.end();
  json.objects("overlaps", layout.overlaps, [&](const Overlap& overlap) {
    json.member("offset", overlap.offset);
    json.member("length", overlap.length);
    const auto part = [&](const Segment& segment) {
      json.member("kind", to_string(segment.kind));
      write_json_place(json, layout, segment.place);
    };
    json.object("first", [&] { part(overlap.first); });
    json.object("second", [&] { part(overlap.second); });
  });
  if (!layout.other_files.empty()) {
    json.objects("other_files", layout.other_files, [&](const OtherFile& file) {
      json.member("path", file.path);
      json.member("column_chunks", file.chunks);
    });
  }
  if (!layout.unread.empty()) {
    json.objects("unread", layout.unread, [&](const Unread& unread) {
      json.member("offset", unread.offset);
      json.member("what", unread.what);
      write_json_place(json, layout, unread.place);
    });
  }
  json.end();
}

std::vector<std::string> excerpts(const Source& source, const Layout& layout,
                                  const std::vector<const Finding*>& findings) {
  std::vector<Finding> marked;
  std::vector<const Finding*> pointers;
  marked.reserve(findings.size());
  pointers.reserve(findings.size());
  for (const Finding* finding : findings) {
    marked.push_back(*finding);
    marked.back().length = std::min(finding->length, kMarked);
    pointers.push_back(&marked.back());
  }
  const std::vector<FindingBytes> bytes = read_finding_bytes(source, layout, pointers, kExtent);
  std::vector<std::string> texts;
  texts.reserve(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) texts.push_back(excerpt(layout, marked[i], bytes[i]));
  return texts;
}

void add_excerpts(const Source& source, FileReport& report) {
  if (std::ranges::none_of(report.causes, &Cause::listed)) return;
  std::vector<ReportedFinding*> listed;
  std::vector<const Finding*> findings;
  for (Cause& cause : report.causes) {
    if (!cause.listed) continue;
    for (ReportedFinding& one : cause.first) {
      listed.push_back(&one);
      findings.push_back(&one.finding);
    }
  }
  std::vector<std::string> texts = excerpts(source, read_layout(source), findings);
  for (std::size_t i = 0; i < listed.size(); ++i) listed[i]->excerpt = std::move(texts[i]);
}

}  // namespace parqproof
