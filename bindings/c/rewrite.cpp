#include "conformance/rewrite/rewrite.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/c/failure_text.hpp"
#include "bindings/c/file.hpp"
#include "codec/rules/rule.hpp"
#include "codec/write/sink.hpp"
#include "conformance/fault/apply.hpp"
#include "conformance/fault/fault_index.hpp"
#include "conformance/options/check_words.hpp"
#include "conformance/options/key_files.hpp"
#include "conformance/options/nearest.hpp"
#include "conformance/options/rewrite_words.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/rewrite/scrub/scrub.hpp"
#include "conformance/rewrite/shrink/shrink.hpp"

using namespace parqproof;  // NOLINT(google-build-using-namespace): C has none

namespace parqproof::c {

std::string failure_text(const ReadingFailure& failure) {
  const Finding* const finding = failure.finding();
  if (finding == nullptr) return failure.why();
  return std::string(info(finding->rule).id) + ": " + message(*finding) + " at " + bytes_text(*finding);
}

namespace {

/// A file at a path, which appears when it is complete, or bytes to a sink of the caller.
class Target final : public Sink {
 public:
  Target(const parqproof_target* given, const parqproof_file& input) {
    required(given, "target");
    const parqproof_target target = taken(given, parqproof_target{}, "target");
    if ((target.path == nullptr) == (target.sink == nullptr))
      fail(PARQPROOF_INVALID_ARGUMENT, "target needs either path or sink");
    if (target.sink != nullptr) {
      output_ = std::make_unique<Output>(target.sink, "target.sink");
      return;
    }
    std::expected<std::unique_ptr<FileSink>, std::string> file = FileSink::create(target.path, input.path);
    if (!file) fail(PARQPROOF_IO, file.error());
    file_ = *std::move(file);
  }

  [[nodiscard]] WriteStatus write(std::span<const std::uint8_t> bytes) override {
    if (file_ != nullptr) return file_->write(bytes);
    if (output_->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()})) return {};
    return std::unexpected("the sink has failed");
  }
  /// Writes a complete file, and ends it.
  void write_all(std::span<const std::uint8_t> bytes) {
    if (const WriteStatus status = write(bytes); !status && output_ == nullptr)
      fail(PARQPROOF_IO, status.error());
    commit();
  }
  /// Throws if the sink has failed.
  void require_sink() const {
    if (output_ != nullptr) output_->finish();
  }
  /// Ends the file.
  void commit() {
    require_sink();
    if (file_ == nullptr) return;
    if (const WriteStatus status = file_->commit(); !status) fail(PARQPROOF_IO, status.error());
  }

 private:
  std::unique_ptr<FileSink> file_;
  std::unique_ptr<Output> output_;
};

parqproof_rewrite_options rewrite_defaults() noexcept {
  parqproof_rewrite_options options{};
  options.size = sizeof options;
  options.statistics = options.page_index = options.checksums = -1;
  return options;
}

std::optional<bool> yes_or_no(std::int8_t value, const char* name) {
  if (value < -1 || value > 1) fail(PARQPROOF_INVALID_ARGUMENT, std::string(name) + " is not -1, 0 or 1");
  return value < 0 ? std::nullopt : std::optional<bool>(value == 1);
}

std::optional<std::uint64_t> positive(std::uint64_t value) {
  return value == 0 ? std::nullopt : std::optional(value);
}

Profile rewrite_profile(const parqproof_rewrite_options& given) {
  const Profile profile = value_of_word("profile", word(given.profile, "strict"), profiles_by_word());
  if (profile == Profile::interop)
    fail(PARQPROOF_INVALID_ARGUMENT, "profile: a rewrite has strict and historical");
  return profile;
}

RewriteOptions rewrite_options_of(const parqproof_rewrite_options& given) {
  RewriteOptions options;
  for (const std::string& text : strings(given.encodings, given.encoding_count, "encodings"))
    add_encoding("encodings", text, options);
  options.bloom_filters = strings(given.bloom_filters, given.bloom_filter_count, "bloom_filters");
  options.columns = strings(given.columns, given.column_count, "columns");
  if (given.compression != nullptr) set_compression("compression", given.compression, options);
  options.historical = rewrite_profile(given) == Profile::historical;
  if (given.encryption != nullptr) options.encryption = encryption_of_json(given.encryption, "encryption");
  options.page_bytes = positive(given.page_bytes);
  options.page_rows = positive(given.page_rows);
  options.row_group_rows = positive(given.row_group_rows);
  if (given.page_version > 2) fail(PARQPROOF_INVALID_ARGUMENT, "page_version is not 0, 1 or 2");
  if (given.page_version != 0) options.page_version = given.page_version;
  options.statistics = yes_or_no(given.statistics, "statistics");
  options.page_index = yes_or_no(given.page_index, "page_index");
  options.checksums = yes_or_no(given.checksums, "checksums");
  options.salvage = given.salvage != 0;
  if (given.schema_from != nullptr && !options.salvage)
    fail(PARQPROOF_INVALID_ARGUMENT, "schema_from is for salvage");
  if (given.schema_from != nullptr) options.schema_from = given.schema_from->source.get();
  options.limits = limits_of(given.limits);
  return options;
}

/// Fails if an option about the form is given, which `scrub` and `shrink` do not change.
void require_no_form(const parqproof_rewrite_options& given) {
  const parqproof_rewrite_options none = rewrite_defaults();
  const bool has_form = given.encoding_count != 0 || given.bloom_filter_count != 0 ||
                        given.column_count != 0 || given.compression != nullptr ||
                        given.encryption != nullptr || given.schema_from != nullptr ||
                        given.page_bytes != 0 || given.page_rows != 0 || given.row_group_rows != 0 ||
                        given.page_version != 0 || given.statistics != none.statistics ||
                        given.page_index != none.page_index || given.checksums != none.checksums ||
                        given.salvage != 0 || (given.scrub != 0 && given.shrink != nullptr);
  if (has_form) fail(PARQPROOF_INVALID_ARGUMENT, "scrub and shrink exclude all options about the form");
}

/// The bytes of a scrubbed or shrunk file.
std::vector<std::uint8_t> changed_bytes(const parqproof_rewrite_options& given, const Source& source,
                                        const std::atomic<bool>& cancelled, Notes& notes) {
  CheckOptions options;
  options.profile = rewrite_profile(given);
  options.limits = limits_of(given.limits);
  options.cancelled = &cancelled;
  if (given.scrub != 0) {
    std::expected<Scrubbed, std::string> scrubbed = scrub(source, options);
    if (!scrubbed) fail(PARQPROOF_UNSUPPORTED, scrubbed.error());
    notes.line(counted(scrubbed->names, "name") + " and " + counted(scrubbed->values, "value") + " replaced");
    return std::move(scrubbed->bytes);
  }
  const std::optional<Rule> rule = find_rule(given.shrink);
  if (!rule) fail(PARQPROOF_INVALID_ARGUMENT, "shrink: " + no_such_rule(given.shrink));
  options.advice = info(*rule).severity == Severity::info;
  std::expected<Shrunk, std::string> shrunk = shrink(source, {.rule = *rule, .check = options});
  if (!shrunk) fail(PARQPROOF_UNSUPPORTED, shrunk.error());
  notes.line(counted(shrunk->bytes.size(), "byte") + ", " + grouped(source.size()) + " before");
  return std::move(shrunk->bytes);
}

void require_rewritten(const RewriteOutcome& outcome, const ReadingFailure& failure) {
  switch (outcome.end) {
    case RewriteOutcome::End::complete:
    case RewriteOutcome::End::cancelled:
      return;
    case RewriteOutcome::End::failed:
      fail(failure.broken() ? PARQPROOF_BROKEN : PARQPROOF_UNSUPPORTED, failure_text(failure));
    case RewriteOutcome::End::refused:
      fail(PARQPROOF_INVALID_ARGUMENT, outcome.why);
    case RewriteOutcome::End::no_schema:
      fail(PARQPROOF_BROKEN, outcome.why);
    case RewriteOutcome::End::unwritten:
      fail(PARQPROOF_IO, outcome.why);
  }
}

/// Writes the rows of `file` to the target. Returns the result of a complete file.
RewriteOutcome rewrite_to(const parqproof_file& file, const parqproof_rewrite_options& given,
                          Target& target) {
  RewriteOptions options = rewrite_options_of(given);
  const std::unique_ptr<Folder> folder = file.folder();
  options.folder = folder.get();
  ReadingFailure failure;
  RewriteOutcome outcome;
  run_controlled(given.control, [&](const std::atomic<bool>& cancelled) {
    options.cancelled = &cancelled;
    outcome = rewrite(file.up_to_footer(), options, target, failure);
  });
  file.require_read();
  target.require_sink();
  require_rewritten(outcome, failure);
  target.commit();
  return outcome;
}

/// Describes what a complete file lacks, and fails if it lacks anything.
void require_all_rows(const RewriteOutcome& outcome, Notes& notes) {
  const bool is_in_doubt = !outcome.rebuilt.empty() || !outcome.left_out.contradicted.empty();
  if (!outcome.left_out.any() && !is_in_doubt) return;
  for (const std::string& line : outcome.rebuilt) notes.line(line);
  if (!outcome.unchecked.empty()) notes.line(unchecked_text(outcome));
  describe(outcome.left_out,
           [&](const std::string& line, bool is_part) { notes.line((is_part ? "  " : "") + line); });
  notes.finish();
  fail(outcome.left_out.is_broken || is_in_doubt ? PARQPROOF_BROKEN : PARQPROOF_UNSUPPORTED,
       outcome.left_out.any()     ? left_out_text(outcome.left_out)
       : !outcome.rebuilt.empty() ? outcome.rebuilt.front()
                                  : contradicted_text(outcome.left_out));
}

/// Writes the file with a fault; returns the changed place.
std::string write_faulty(const parqproof_file& file, const fault::Fault& wanted, std::uint64_t seed,
                         const Source& source, Target& to) {
  auto faulty = fault::apply(wanted, source, seed);
  file.require_read();
  if (!faulty) fail(PARQPROOF_UNSUPPORTED, std::string(wanted.name) + ": " + faulty.error());
  WriteStatus status;
  const bool is_written = faulty->write([&](std::span<const std::uint8_t> bytes) {
    status = to.write(bytes);
    return status.has_value();
  });
  file.require_read();
  to.require_sink();
  if (!is_written) fail(PARQPROOF_IO, status ? file.name + ": cannot be read" : status.error());
  return faulty->place;
}

}  // namespace
}  // namespace parqproof::c

void parqproof_rewrite_options_init(parqproof_rewrite_options* options) { *options = c::rewrite_defaults(); }

parqproof_status parqproof_rewrite(parqproof_file* file, const parqproof_rewrite_options* options,
                                   const parqproof_target* target, const parqproof_sink* notes,
                                   int32_t* written, parqproof_error* error) {
  if (written != nullptr) *written = 0;
  return c::guarded(error, [&] {
    c::required(file, "file");
    const parqproof_rewrite_options given = c::taken(options, c::rewrite_defaults(), "options");
    const bool is_changed = given.scrub != 0 || given.shrink != nullptr;
    if (is_changed) c::require_no_form(given);
    c::Notes lines(notes);
    c::Target to(target, *file);
    RewriteOutcome outcome;
    if (is_changed) {
      std::vector<std::uint8_t> bytes;
      c::run_controlled(given.control, [&](const std::atomic<bool>& cancelled) {
        bytes = c::changed_bytes(given, file->up_to_footer(), cancelled, lines);
      });
      file->require_read();
      to.write_all(bytes);
    } else {
      outcome = c::rewrite_to(*file, given, to);
    }
    if (written != nullptr) *written = 1;
    c::require_all_rows(outcome, lines);
    lines.finish();
  });
}

parqproof_status parqproof_faults_json(parqproof_file* file, uint64_t seed, const parqproof_control* control,
                                       const parqproof_sink* sink, parqproof_error* error) {
  return c::guarded(error, [&] {
    std::vector<fault::ListedFault> faults;
    c::run_controlled(control, [&](const std::atomic<bool>& cancelled) {
      if (file == nullptr) {
        faults = fault::list_faults(nullptr, seed);
      } else {
        const c::CancellableSource in(*file->source, cancelled);
        faults = fault::list_faults(&in, seed);
      }
    });
    if (file != nullptr) file->require_read();
    c::write_out(sink, [&](Out& out) { fault::write_faults_json(faults, file != nullptr, out); });
  });
}

parqproof_status parqproof_mutate(parqproof_file* file, const char* fault, uint64_t seed,
                                  const parqproof_control* control, const parqproof_target* target,
                                  const parqproof_sink* notes, parqproof_error* error) {
  return c::guarded(error, [&] {
    c::required(file, "file");
    const std::string name(&c::required(fault, "fault"));
    const fault::Fault* const wanted = fault::find_fault(name);
    if (wanted == nullptr) c::fail(PARQPROOF_INVALID_ARGUMENT, "there is no fault '" + name + "'");
    c::Notes lines(notes);
    c::Target to(target, *file);
    std::string place;
    c::run_controlled(control, [&](const std::atomic<bool>& cancelled) {
      place = c::write_faulty(*file, *wanted, seed, c::CancellableSource(*file->source, cancelled), to);
    });
    to.commit();
    lines.line(std::string(info(wanted->rule).id) + " in " + place);
    lines.finish();
  });
}
