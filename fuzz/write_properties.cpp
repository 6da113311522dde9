// Files that are written and rewritten: they break no rule but those that their options entail, and have
// the entries that were written.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include "codec/rules/rule.hpp"
#include "codec/write/file_writer.hpp"
#include "conformance/report/bytes/layout.hpp"
#include "conformance/rewrite/column_rows.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "conformance/rewrite/source_chunks.hpp"
#include "fuzz/drawn_file.hpp"
#include "fuzz/invariants.hpp"
#include "fuzz/property.hpp"

namespace parqproof::fuzz {
namespace {

using FileBytes = std::vector<std::uint8_t>;

/// The columns of each row group.
using RowGroups = std::vector<std::vector<ShreddedColumn>>;

struct Written {
  std::string fault;
  FileBytes bytes;
};

Written write(const DrawnSchema& schema, const WriteOptions& options, const RowGroups& groups,
              std::uint64_t cuts) {
  Written out;
  MemorySink sink(out.bytes);
  FileWriter writer(sink, options, schema.list());
  const auto failed = [&](const WriteStatus& status) {
    if (!status && out.fault.empty()) out.fault = status.error();
    return !status;
  };
  if (failed(writer.begin())) return out;
  for (const std::vector<ShreddedColumn>& columns : groups) {
    if (failed(writer.begin_row_group())) return out;
    for (const ShreddedColumn& column : columns) {
      const std::expected<ChunkWriter*, std::string> to = writer.next_column();
      if (!to) {
        out.fault = to.error();
        return out;
      }
      const Entries all = column.entries();
      const Node& leaf = schema.schema().leaf(static_cast<std::size_t>(&column - columns.data()));
      const std::uint32_t width =
          fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
      // In parts, which may end inside of rows.
      for (std::uint64_t done = 0, stored = 0; done < all.count;) {
        Entries part;
        part.count = std::min(all.count - done, 1 + cuts % 300);
        part.repetition = all.repetition.from(done);
        part.definition = all.definition.from(done);
        const std::uint64_t values = part.definition.count(leaf.max_definition, part.count);
        part.values = part_of(all.values, stored, values, width);
        if (failed((*to)->add(part))) return out;
        done += part.count;
        stored += values;
      }
    }
    if (failed(writer.end_row_group())) return out;
  }
  (void)failed(writer.finish());
  return out;
}

/// The entries of a file, or why they cannot be read.
std::string read(const Source& source, const Schema& expected, RowGroups& groups) {
  const Limits limits;
  ReadingFailure failure;
  const auto why = [&failure] {
    return failure.finding() != nullptr ? std::string(info(failure.finding()->rule).id) : failure.why();
  };
  RowFooter footer(source, limits, failure);
  if (!footer.read()) return "no footer: " + why();
  ReadingContext context{footer.schema(), limits};
  RowChunks chunks(source, nullptr, footer, failure, context);
  std::vector<std::size_t> leaves(expected.leaf_count());
  std::iota(leaves.begin(), leaves.end(), std::size_t{0});
  SourceChunks found(footer, chunks, leaves, limits, false);
  if (!found.read(failure)) return "no row groups: " + why();
  for (const SourceRowGroup& group : found.row_groups()) {
    std::vector<ShreddedColumn>& columns = groups.emplace_back();
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      ColumnCursor cursor(context, i, 0);
      ShreddedColumn& column = columns.emplace_back(expected.leaf(i));
      if (const PageResult<void> opened = cursor.open(group.chunks[i].stored); !opened)
        return "leaf " + std::to_string(i) + ": " + std::string(info(opened.error()->rule()).id);
      while (!cursor.at_end()) {
        const Entries entries = cursor.entries();
        column.add(entries);
        if (const PageResult<void> passed = cursor.pass(entries); !passed)
          return "leaf " + std::to_string(i) + ": " + std::string(info(passed.error()->rule()).id);
      }
    }
  }
  return {};
}

/// What a file is written from.
struct Case {
  const Schema& schema;
  const WriteOptions& options;
  const RowGroups& groups;
};

/// Rules of severity error or warning that an option entails. A file breaks those whose condition may
/// hold, and no other. All other combinations of options are current.
struct Expectation {
  Rule rule;
  bool (*may_hold)(const Case& one);
};

template <typename Test>
bool any_column(const Case& one, Test test) {
  for (std::size_t i = 0; i < one.schema.leaf_count(); ++i) {
    if (test(one.schema.leaf(i), one.options.of(i))) return true;
  }
  return false;
}

bool lacks_nan_counts(const Case& one) {
  return any_column(
      one, [](auto& leaf, auto& column) { return is_floating(order_of(leaf)) && !column.nan_counts; });
}

constexpr Expectation kExpectations[] = {
    {Rule::alp_preview,
     [](const Case& one) {
       return any_column(one, [](auto&, auto& column) { return column.encoding == Encoding::ALP; });
     }},
    {Rule::group_var_int_retired,
     [](const Case& one) {
       return any_column(one, [](auto&, auto& column) { return column.encoding == Encoding::GROUP_VAR_INT; });
     }},
    {Rule::dictionary_plain_dictionary_deprecated,
     [](const Case& one) {
       return any_column(one,
                         [](auto&, auto& column) { return column.dictionary && column.plain_dictionary; });
     }},
    {Rule::bit_packed_deprecated,
     [](const Case& one) { return one.options.level_encoding == Encoding::BIT_PACKED; }},
    {Rule::compression_lz4_deprecated,
     [](const Case& one) {
       return any_column(one, [](auto&, auto& column) { return column.codec == CompressionCodec::LZ4; });
     }},
    {Rule::compression_lzo,
     [](const Case& one) {
       return any_column(one, [](auto&, auto& column) { return column.codec == CompressionCodec::LZO; });
     }},
    {Rule::index_page_unused, [](const Case& one) { return one.options.index_pages != IndexPages::none; }},
    {Rule::statistics_nan_count_undated, lacks_nan_counts},
    {Rule::statistics_nan_count_present, lacks_nan_counts},
    {Rule::file_unreferenced_bytes, [](const Case& one) { return one.options.footer_every != 0; }},
};

std::string judged_fault(const Case& one, const Source& source) {
  CheckOptions options;
  options.listed = 0;
  options.edition = Edition::next;  // of TIMESTAMP of 96 bits
  const FileReport report = check(source, "written", options);
  for (const ReportedFinding& found : report.findings) {
    if (found.severity == Severity::info) continue;
    const auto expected = std::ranges::find(kExpectations, found.finding.rule, &Expectation::rule);
    if (expected != std::end(kExpectations) && expected->may_hold(one)) continue;
    return "breaks " + std::string(info(found.finding.rule).id) + " at byte " +
           std::to_string(found.finding.offset) + ", row group " +
           std::to_string(found.finding.place.row_group) + ", leaf " +
           std::to_string(found.finding.place.leaf) + ", page " + std::to_string(found.finding.place.page) +
           ", field " + found.finding.field;
  }
  if (!report.lost.empty()) return "a part of it is lost";
  return {};
}

/// What an input draws.
struct Drawn {
  explicit Drawn(std::span<const std::uint8_t> bytes, bool encrypted = false)
      : choices(bytes), schema(choices), options(drawn_options(choices, schema.schema(), encrypted)) {}

  /// Draws the rows. Returns why they do not match the schema.
  [[nodiscard]] std::string draw_rows() {
    const bool is_wide = schema.schema().leaf_count() > 100;
    for (std::uint64_t left = choices.below(4); left != 0; --left) {
      Shredder rows(schema.schema());
      for (std::uint64_t row = is_wide ? 3 : 1 + choices.below(choices.once_in(8) ? 256 : 30); row != 0;
           --row) {
        draw_row(choices, schema.schema(), rows);
        if (const WriteStatus ended = rows.end_row(); !ended) return ended.error();
      }
      groups.push_back(rows.columns());
    }
    return {};
  }

  Choices choices;
  DrawnSchema schema;
  WriteOptions options;
  RowGroups groups;
};

std::string write_fault(std::span<const std::uint8_t> bytes) {
  Drawn drawn(bytes);
  const DrawnSchema& schema = drawn.schema;
  const WriteOptions& options = drawn.options;
  const RowGroups& groups = drawn.groups;
  Choices& choices = drawn.choices;
  if (schema.schema().fault() != Schema::Fault::none) return "the drawn schema is no tree";
  if (std::string fault = drawn.draw_rows(); !fault.empty()) return fault;
  const Written first = write(schema, options, groups, choices.bits());
  if (!first.fault.empty()) return "cannot be written: " + first.fault;
  const std::unique_ptr<Source> source = source_of(first.bytes, options, schema.schema());
  if (std::string fault = judged_fault({schema.schema(), options, groups}, *source); !fault.empty())
    return fault;
  RowGroups again;
  if (std::string fault = read(*source, schema.schema(), again); !fault.empty()) return fault;
  if (again != groups) return "the entries that are read are not those that were written";
  if (write(schema, options, again, choices.bits()).bytes != first.bytes)
    return "the entries that are read are written as other bytes";
  return {};
}

/// The rules of severity error that a file breaks, and encryption/key.
std::set<Rule> errors_of(const Source& source) {
  CheckOptions options;
  options.listed = 0;
  options.edition = Edition::next;
  std::set<Rule> out;
  for (const ReportedFinding& found : check(source, "written", options).findings)
    if (found.severity == Severity::error || found.finding.rule == Rule::encryption_key)
      out.insert(found.finding.rule);
  return out;
}

/// The modules of a file that are encrypted by GCM.
std::vector<Segment> modules_of(const Source& source) {
  std::vector<Segment> out = read_layout(source).segments;
  std::erase_if(out, [](const Segment& one) { return one.module != encryption::Mode::gcm; });
  return out;
}

/// A changed byte of a module is found as such, and so is a wrong key.
std::string encrypted_fault(std::span<const std::uint8_t> bytes) {
  Drawn drawn(bytes, true);
  const Schema& schema = drawn.schema.schema();
  if (schema.fault() != Schema::Fault::none) return "the drawn schema is no tree";
  if (std::string fault = drawn.draw_rows(); !fault.empty()) return fault;
  const Written written = write(drawn.schema, drawn.options, drawn.groups, 0);
  if (!written.fault.empty()) return "cannot be written: " + written.fault;
  const std::vector<Segment> modules = modules_of(*source_of(written.bytes, drawn.options, schema));
  for (int i = 0; i < 4 && !modules.empty(); ++i) {
    const Segment& module = modules[drawn.choices.bits() % modules.size()];
    const std::uint64_t at = module.offset + drawn.choices.bits() % module.length;
    FileBytes changed = written.bytes;
    changed[at] ^= static_cast<std::uint8_t>(1 + drawn.choices.below(255));
    const std::set<Rule> errors = errors_of(*source_of(changed, drawn.options, schema));
    // The checksum of a page is that of its module.
    const bool is_named = std::ranges::any_of(errors, [](Rule rule) {
      return rule == Rule::crc_match || info(rule).id.starts_with("encryption/");
    });
    if (!is_named)
      return "the changed byte " + std::to_string(at) + " of the " + std::string(to_string(module.kind)) +
             " is not found as one of a module" +
             (errors.empty() ? std::string() : ", but as " + std::string(info(*errors.begin()).id));
  }
  // Where a column is encrypted, each key is used, that of the footer always.
  WriteOptions wrong = drawn.options;
  EncryptionOptions& keys = *wrong.encryption;
  const bool of_column = !keys.column_keys.empty() && !drawn.groups.empty() && drawn.choices.once_in(2);
  WriteKey& key = of_column ? keys.column_keys.begin()->second : keys.footer_key;
  key.bytes.front() ^= 1;
  if (!errors_of(*source_of(written.bytes, wrong, schema)).contains(Rule::encryption_key))
    return of_column ? "the wrong key of a column is not named" : "the wrong key of the footer is not named";
  return {};
}

/// Returns true if a file that is rewritten may break a rule as its source does: the schema stays, and so do
/// the values.
bool stays(const Finding& finding) {
  static constexpr std::string_view kAreas[] = {"schema/",    "logical-type/",  "nested-type/",
                                                "variant/",   "shredding/",     "wkb/",
                                                "file-type/", "geo/coordinate", "geo/crs"};
  const std::string_view id = info(finding.rule).id;
  return std::ranges::any_of(kAreas, [id](std::string_view area) { return id.starts_with(area); }) ||
         finding.field.starts_with("schema[") || finding.field.starts_with("key_value_metadata[") ||
         finding.field.contains("path_in_schema");
}

/// A file that is rewritten has the rows of its source, and breaks no rule but those that its schema and
/// values break.
std::string rewrite_fault(std::span<const std::uint8_t> bytes, RewriteOptions options) {
  const MemorySource source(bytes);
  options.limits = small_limits();
  FileBytes out;
  MemorySink sink(out);
  ReadingFailure failure;
  const RewriteOutcome outcome = rewrite(source, options, sink, failure);
  if (outcome.end == RewriteOutcome::End::failed)
    return failure.finding() == nullptr && failure.why().empty() ? "it fails without a reason"
                                                                 : std::string();
  if (outcome.end != RewriteOutcome::End::complete)
    return outcome.why.empty() ? "no reason is given" : std::string();
  constexpr std::uint64_t kManyRowGroups = 1000;  // their footer may be above small_limits()
  if (outcome.row_groups > kManyRowGroups) return {};
  const MemorySource rewritten(out);
  RowOptions rows;
  rows.limit = kFewRows;
  rows.limits = options.limits;
  rows.view = RowView::physical;
  const WrittenRows before = rows_of(source, rows);
  const WrittenRows after = rows_of(rewritten, rows);
  if (after.is_limited) return {};  // a footer of more row groups may be above small_limits()
  if (after.outcome.end != RowsEnd::complete) return "the rows of the rewritten file cannot be read";
  if (before.outcome.end == RowsEnd::complete && !outcome.left_out.any() && before.text != after.text)
    return "other rows";
  const FileReport report = judged_with(*all_kernels().back(), rewritten, Tier::values);
  for (const ReportedFinding& found : report.findings) {
    if (found.severity == Severity::error && !stays(found.finding))
      return "the rewritten file breaks " + std::string(info(found.finding.rule).id) + ", field " +
             found.finding.field;
  }
  return report.lost.empty() ? std::string() : "a part of the rewritten file is lost";
}

}  // namespace

std::set<Rule> entailed_rules() {
  std::set<Rule> out;
  for (const Expectation& one : kExpectations) out.insert(one.rule);
  return out;
}

std::set<Rule> broken_rules(std::span<const std::uint8_t> input) {
  std::set<Rule> out;
  Drawn drawn(input);
  if (!drawn.draw_rows().empty()) return out;
  const Written written = write(drawn.schema, drawn.options, drawn.groups, 0);
  const std::unique_ptr<Source> source = source_of(written.bytes, drawn.options, drawn.schema.schema());
  CheckOptions options;
  options.edition = Edition::next;
  for (const ReportedFinding& found : check(*source, "written", options).findings)
    if (found.severity != Severity::info) out.insert(found.finding.rule);
  return out;
}

void add_write_properties(std::vector<Property>& properties) {
  properties.push_back({"rewrite", [](std::span<const std::uint8_t> bytes) {
                          RewriteOptions salvaged;
                          salvaged.salvage = true;
                          RewriteOptions divided;
                          divided.row_group_rows = 2;
                          for (const RewriteOptions& options : {RewriteOptions(), salvaged, divided}) {
                            std::string fault = rewrite_fault(bytes, options);
                            if (!fault.empty()) return fault;
                          }
                          return std::string();
                        }});
  properties.push_back({"write_file", write_fault});
  properties.push_back({"encrypted_file", encrypted_fault});
}

}  // namespace parqproof::fuzz
