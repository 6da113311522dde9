#include <map>
#include <optional>
#include <string>

#include "bindings/c/failure_text.hpp"
#include "bindings/c/file.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/options/check_words.hpp"
#include "conformance/report/bytes/layout_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/metadata/metadata.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/rows/rows.hpp"

using namespace parqproof;  // NOLINT(google-build-using-namespace): C has none

namespace parqproof::c {
namespace {

parqproof_row_options row_defaults() noexcept {
  parqproof_row_options options{};
  options.size = sizeof options;
  options.end_row = PARQPROOF_NONE;
  options.limit = PARQPROOF_NONE;
  return options;
}

RowOptions row_options_of(const parqproof_row_options& given) {
  static const std::map<std::string, DamagedRows> kDamaged = {
      {"end", DamagedRows::end}, {"left-out", DamagedRows::left_out}, {"null", DamagedRows::with_null}};
  RowOptions options;
  options.view = given.physical != 0 ? RowView::physical : RowView::logical;
  options.columns = strings(given.columns, given.column_count, "columns");
  options.first = given.first_row;
  options.end = given.end_row;
  options.limit = given.limit;
  options.damaged = value_of_word("damaged", word(given.damaged, "end"), kDamaged);
  options.ignore_crc = given.ignore_crc != 0;
  options.limits = limits_of(given.limits);
  if (given.lookup != nullptr) {
    options.lookup = given.lookup;
    const std::size_t split = options.lookup.find('=');
    if (split == 0 || split == std::string::npos)
      fail(PARQPROOF_INVALID_ARGUMENT, "lookup: '" + options.lookup + "' is not COLUMN=VALUE");
    if (options.damaged != DamagedRows::end)
      fail(PARQPROOF_INVALID_ARGUMENT, "lookup and damaged exclude each other");
  }
  return options;
}

/// Ends a call by the result of reading rows.
void require_rows(const RowsOutcome& outcome, const ReadingFailure& failure, DamagedRows damaged) {
  switch (outcome.end) {
    case RowsEnd::complete:
    case RowsEnd::cancelled:
      break;
    case RowsEnd::no_column:
      fail(PARQPROOF_INVALID_ARGUMENT, "no column or group is named '" + printable(outcome.column) + "'");
    case RowsEnd::no_lookup:
      fail(PARQPROOF_UNSUPPORTED, outcome.why);
    case RowsEnd::failed:
      fail(failure.broken() ? PARQPROOF_BROKEN : PARQPROOF_UNSUPPORTED,
           "the rows end here: " + failure_text(failure));
  }
  const LeftOut& left_out = outcome.left_out;
  const bool is_contradicted = damaged != DamagedRows::end && !left_out.contradicted.empty();
  if (!left_out.any() && !is_contradicted) return;
  fail(left_out.is_broken || is_contradicted ? PARQPROOF_BROKEN : PARQPROOF_UNSUPPORTED,
       left_out.any() ? left_out_text(left_out) : contradicted_text(left_out));
}

/// Ends a call by the result of showing a footer.
void require_shown(const parqproof_file& file, const ShownFooter& shown) {
  file.require_read();
  if (shown.end == DumpEnd::complete) return;
  fail(exit_code(shown) == 1 ? PARQPROOF_BROKEN : PARQPROOF_UNSUPPORTED, file.name + ": " + shown.why);
}

/// Writes a footer by one of the functions of metadata.hpp.
template <typename Show>
parqproof_status show_footer(parqproof_file* file, const parqproof_control* control,
                             const parqproof_sink* sink, parqproof_error* error, Show&& show) {
  return guarded(error, [&] {
    required(file, "file");
    ShownFooter shown;
    run_controlled(control, [&](const std::atomic<bool>& cancelled) {
      const CancellableSource source(file->up_to_footer(), cancelled);
      write_out(sink, [&](Out& out) { shown = show(source, out); });
    });
    require_shown(*file, shown);
  });
}

}  // namespace
}  // namespace parqproof::c

void parqproof_row_options_init(parqproof_row_options* options) { *options = c::row_defaults(); }

parqproof_status parqproof_rows(parqproof_file* file, const parqproof_row_options* options,
                                const parqproof_sink* sink, const parqproof_sink* notes,
                                parqproof_error* error) {
  return c::guarded(error, [&] {
    c::required(file, "file");
    const parqproof_row_options given = c::taken(options, c::row_defaults(), "options");
    RowOptions taken = c::row_options_of(given);
    c::Notes lines(notes);
    taken.on_lookup = [&lines](const std::string& line) { lines.line("lookup: " + line); };
    const std::unique_ptr<Folder> folder = file->folder();
    taken.folder = folder.get();
    ReadingFailure failure;
    RowsOutcome outcome;
    c::Output output(sink, "sink");
    c::run_controlled(given.control, [&](const std::atomic<bool>& cancelled) {
      taken.cancelled = &cancelled;
      Out out(output.writer());
      outcome = write_rows(file->up_to_footer(), taken, out, failure);
    });
    if (outcome.wrong_checksums != 0)
      lines.line("read " + counted(outcome.wrong_checksums, "page") + " despite a wrong checksum");
    describe(outcome.left_out,
             [&](const std::string& line, bool is_part) { lines.line((is_part ? "  " : "") + line); });
    output.finish();
    lines.finish();
    file->require_read();
    c::require_rows(outcome, failure, taken.damaged);
  });
}

parqproof_status parqproof_layout_json(parqproof_file* file, int32_t with_bytes,
                                       const parqproof_control* control, const parqproof_sink* sink,
                                       parqproof_error* error) {
  return c::guarded(error, [&] {
    c::required(file, "file");
    Layout layout;
    c::run_controlled(control, [&](const std::atomic<bool>& cancelled) {
      layout = read_layout(c::CancellableSource(file->up_to_footer(), cancelled));
      add_rest(layout, file->source->size());
      const ByteListing listing;
      const c::CancellableSource source(*file->source, cancelled);
      c::write_out(sink, [&](Out& out) {
        write_layout_json(source, layout, file->name, with_bytes != 0 ? &listing : nullptr, out);
      });
    });
    file->require_read();
    if (layout.failed) c::fail(PARQPROOF_IO, file->name + ": the file could not be read");
    if (layout.encrypted)
      c::fail(PARQPROOF_UNSUPPORTED, file->name + ": encrypted parts could not be parsed without their keys");
    if (!layout.unread.empty())
      c::fail(PARQPROOF_BROKEN,
              file->name + ": " + counted(layout.unread.size(), "structure") + " could not be read");
  });
}

parqproof_status parqproof_meta_json(parqproof_file* file, const parqproof_control* control,
                                     const parqproof_sink* sink, parqproof_error* error) {
  return c::show_footer(file, control, sink, error, [&](const Source& source, Out& out) {
    return dump_footer_json(source, file->name, out);
  });
}

parqproof_status parqproof_schema_json(parqproof_file* file, const parqproof_control* control,
                                       const parqproof_sink* sink, parqproof_error* error) {
  return c::show_footer(file, control, sink, error, [&](const Source& source, Out& out) {
    return write_schema_json(source, file->name, out);
  });
}

parqproof_status parqproof_schema_text(parqproof_file* file, const parqproof_control* control,
                                       const parqproof_sink* sink, parqproof_error* error) {
  return c::show_footer(file, control, sink, error, [](const Source& source, Out& out) {
    return write_schema_text(source, SchemaDetail::message, out);
  });
}
