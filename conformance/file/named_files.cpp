#include "conformance/file/named_files.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "codec/base/text.hpp"
#include "conformance/chunk/chunk_tasks.hpp"
#include "conformance/file/byte_map_rules.hpp"
#include "conformance/file/judge_file.hpp"
#include "conformance/footer/chunk_regions.hpp"
#include "conformance/verdict/report_of.hpp"

namespace parqproof {
namespace {

/// After this number of files that cannot be opened, no further file is tried.
constexpr std::size_t kMissing = 1'000;

/// Returns true if the file begins or ends with the magic, so that its own footer describes its chunks.
bool is_parquet(const Source& source) {
  return source.size() >= kMagicBytes &&
         (has_magic(source, 0) || has_magic(source, source.size() - kMagicBytes));
}

/// The check of one named file by the metadata alone. It borrows schema, row groups and chunks, with their
/// tallies, from the check of the metadata file during its lifetime.
class Borrowed {
 public:
  Borrowed(FileCheck& lender, const Source& source, const Policy& policy)
      : lender_(lender), check_(source, lender.options, policy.wanted()) {
    ParsedFooter& parsed = FooterPhase::of(check_);
    const ParsedFooter& lent = lender_.footer;
    parsed.frame.state = Frame::State::footer;
    parsed.frame.end = parsed.frame.footer_offset = source.size();
    parsed.frame.footer = lent.frame.footer;
    parsed.frame.footer.space = Space::metadata;
    parsed.meta = lent.meta;
    parsed.bugs = lent.bugs;
    check_.input.metadata_elsewhere = true;
    parsed.schema_usable = lent.schema_usable;
    parsed.row_groups_complete = lent.row_groups_complete;
    parsed.bounds_lack_orders = lent.bounds_lack_orders;
    check_.outcome.regions_known = false;  // other files may name this file, too
    swap();
  }
  ~Borrowed() { swap(); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

  [[nodiscard]] FileCheck& check() noexcept { return check_; }

 private:
  void swap() noexcept {
    ParsedFooter& own = FooterPhase::of(check_);
    ParsedFooter& lent = FooterPhase::of(lender_);
    std::swap(own.schema, lent.schema);
    std::swap(own.row_groups, lent.row_groups);
    std::swap(own.chunks, lent.chunks);
    std::swap(check_.outcome.tallies, lender_.outcome.tallies);
  }

  FileCheck& lender_;
  FileCheck check_;
};

/// Compares the chunks of a Parquet file as the metadata file describes them with its own footer.
class Comparison {
 public:
  Comparison(FileCheck& summary, const NamedFile& named, FileCheck& own)
      : summary_(summary), named_(named), own_(own) {
    own_.outcome.tallies.resize(own_.footer.chunks.size());
    for (std::size_t i = 0; i < own_.footer.chunks.size(); ++i) {
      ColumnChunk chunk;
      if (!own_.footer.reread(own_.footer.chunks[i], own_.options.limits, chunk)) continue;
      places_.try_emplace(key(own_, own_.footer.chunks[i], chunk), i);
      starts_.insert(chunk.meta_data.data_page_offset);
    }
  }

  void run() {
    schema();
    for (std::size_t i = 0; i < named_.chunks.size(); ++i) chunk(named_.chunks[i]);
  }

 private:
  using Key = std::string;

  /// Compares one chunk of the summary with its original in the file, whose pages were read.
  void chunk(std::size_t index) {
    ChunkClaim& claim = FooterPhase::of(summary_).chunks[index];
    ColumnChunk said;
    if (!claim.placeable || !summary_.footer.reread(claim, summary_.options.limits, said)) return;
    const FindingSite site = FindingSite::of_chunk(summary_, claim);
    const auto place = places_.find(key(summary_, claim, said));
    if (place == places_.end()) {
      site.report(Rule::summary_chunk_metadata, "meta_data.data_page_offset",
                  contrast(said.meta_data.data_page_offset, "no chunk of the column", named_.path));
      if (!starts_.contains(said.meta_data.data_page_offset))
        summary_.outcome.lost.push_back(
            {LostPart::column_chunk, place_of(claim), {}, Rule::summary_chunk_metadata});
      return;
    }
    const ChunkClaim& original = own_.footer.chunks[place->second];
    if (original.has_region && !taken_.insert(place->second).second) {
      site.report(Rule::file_region_shared, "meta_data.data_page_offset",
                  contrast("column chunk in row group " + std::to_string(claim.row_group),
                           "one of another row group, in " + named_.path));
    }
    ColumnChunk is;
    if (!own_.footer.reread(original, own_.options.limits, is)) return;
    if (!differs(site, said.fields, is.fields, original, ColumnChunk::kType, "") &&
        !std::ranges::equal(bytes_of(summary_, said.meta_data.fields), bytes_of(own_, is.meta_data.fields))) {
      differs(site, said.meta_data.fields, is.meta_data.fields, original, ColumnMetaData::kType,
              "meta_data.");
    }
    claim.readable = original.readable;
    ChunkDetails details = own_.outcome.tallies.details(place->second);
    if (!same_tree_) details.fingerprints.clear();  // their ancestors differ
    summary_.outcome.tallies.set(summary_.footer, index, own_.tally(place->second), std::move(details));
  }

  /// The path of the column, and the start of its data pages.
  static Key key(const Context& context, const ChunkClaim& claim, const ColumnChunk& chunk) {
    return std::to_string(context.footer.schema.leaf(claim.leaf).path_hash) + "@" +
           std::to_string(chunk.meta_data.data_page_offset);
  }

  /// Returns the number in a field as the value in a finding; `other` for any other field.
  static FindingValue stated(const thrift::Field& field, std::span<const std::uint8_t> bytes,
                             std::string_view other) {
    using thrift::Kind;
    const bool number = field.kind == Kind::i16 || field.kind == Kind::i32 || field.kind == Kind::i64 ||
                        field.kind == Kind::enumeration;
    const Result<Varint> varint = Cursor({bytes, 0, Space::file}, {}).uleb<std::uint64_t>();
    if (!number || !varint) return other;
    return unzigzag(varint->value);
  }

  static std::span<const std::uint8_t> bytes_of(const Context& context, const thrift::Presences& structure) {
    return context.footer.footer_from(structure.offset)
        .bytes.first(static_cast<std::size_t>(structure.end - structure.offset));
  }

  /// summary/chunk-metadata: reports the first field of the summary that the file lacks, or has with another
  /// value. Returns false if there is no such field.
  bool differs(const FindingSite& site, const thrift::Presences& said, const thrift::Presences& is,
               const ChunkClaim& original, const thrift::StructType& type, std::string_view prefix) {
    const View here = site.bytes;
    const View there = own_.footer.footer_from(original.struct_offset);
    const auto value = [](View source, const thrift::Extent& at) {
      return source
          .part(static_cast<std::size_t>(at.value - source.base), static_cast<std::size_t>(at.end - at.value))
          .bytes;
    };
    for (const thrift::Field& field : type.fields) {
      if (!said.has(field.id) || (prefix.empty() && (field.id == ColumnChunk::id_file_path ||
                                                     field.id == ColumnChunk::id_file_offset ||
                                                     field.id == ColumnChunk::id_meta_data))) {
        continue;
      }
      const std::string path = std::string(prefix) + std::string(field.name);
      const thrift::Extent a = thrift::locate(here, ColumnChunk::kType, path);
      const thrift::Extent b = thrift::locate(there, ColumnChunk::kType, path);
      if (is.has(field.id) && std::ranges::equal(value(here, a), value(there, b))) continue;
      site.report(
          Rule::summary_chunk_metadata, path,
          contrast(stated(field, value(here, a), "a value"),
                   is.has(field.id) ? stated(field, value(there, b), "another") : kAbsent, named_.path));
      return true;
    }
    return false;
  }

  /// summary/schema, reported at the file_path of the first chunk that names the file.
  void schema() {
    const std::size_t count = summary_.footer.schema.leaf_count();
    bool same = own_.footer.schema.leaf_count() == count;
    std::size_t leaf = 0;
    for (; same && leaf < count; ++leaf) {
      const Node& a = summary_.footer.schema.leaf(leaf);
      const Node& b = own_.footer.schema.leaf(leaf);
      same = a.path_hash == b.path_hash && a.type == b.type && a.type_length == b.type_length &&
             a.max_definition == b.max_definition && a.max_repetition == b.max_repetition;
    }
    same_tree_ = same && std::ranges::equal(summary_.footer.schema.nodes(), own_.footer.schema.nodes(),
                                            [](const Node& a, const Node& b) {
                                              return a.max_definition == b.max_definition &&
                                                     a.max_repetition == b.max_repetition;
                                            });
    if (same) return;
    const ChunkClaim& claim = summary_.footer.chunks[named_.chunks[0]];
    const bool counts = own_.footer.schema.leaf_count() != count;
    FindingSite::of_chunk(summary_, claim)
        .report(
            Rule::summary_schema, "file_path",
            counts ? contrast(counted(own_.footer.schema.leaf_count(), "column"), count, named_.path)
                   : contrast("another column " +
                                  own_.footer.schema.dotted_path(own_.footer.schema.leaf_index(leaf - 1)),
                              summary_.footer.schema.dotted_path(summary_.footer.schema.leaf_index(leaf - 1)),
                              named_.path));
  }

  FileCheck& summary_;
  const NamedFile& named_;
  FileCheck& own_;
  bool same_tree_ = false;                       // the nodes of the two schemas have the same levels
  std::unordered_map<Key, std::size_t> places_;  // of the chunks of the file, in ParsedFooter::chunks
  std::set<std::int64_t> starts_;                // data_page_offset of those chunks
  std::set<std::size_t> taken_;                  // chunks of the file that a chunk of the summary names
};

/// Checks the files that chunks name.
class NamedFiles {
 public:
  NamedFiles(FileCheck& check, const Policy& policy, const FileDoubts& doubts,
             std::vector<FileReport>& reports)
      : check_(check), policy_(policy), doubts_(doubts), reports_(reports), options_(check.options) {
    options_.footer_at.reset();  // these options refer to the metadata file
    options_.row_groups.reset();
  }

  void run() {
    std::size_t missing = 0;
    for (std::size_t i = 0; i < check_.footer.named.size(); ++i) {
      const NamedFile& named = check_.footer.named[i];
      if (named.chunks.empty() || check_.cancelled()) continue;
      if (missing == kMissing) {
        const ChunkClaim& claim = check_.footer.chunks[named.chunks[0]];
        FindingSite::of_chunk(check_, claim)
            .report(
                Rule::limit_work, "file_path",
                contrast("more than " + std::to_string(kMissing) + " files that cannot be opened", kMissing));
        skip(named, "and those behind it", "too many of the files that are named cannot be opened");
        return;
      }
      missing += file(named) ? 0 : 1;
    }
  }

 private:
  void skip(const NamedFile& named, const std::string& what, std::string why) {
    const std::size_t count = named.chunks.size();
    check_.outcome.not_run.push_back(
        {(count == 1 ? "column chunk" : std::to_string(count) + " column chunks") +
             (what.empty() ? "" : " " + what),
         std::move(why),
         place_of(check_.footer.chunks[named.chunks[0]]),
         {}});
  }

  void add(FileReport report) {
    report.named_by = check_.input.path;
    reports_.push_back(std::move(report));
  }

  /// Checks one file; returns false if it could not be opened.
  bool file(const NamedFile& named) {
    if (const std::string_view why = why_not_followed(named.path); !why.empty()) {
      skip(named, "", "\"" + named.path + "\" is not followed: " + std::string(why));
      return false;
    }
    std::string why;
    const std::unique_ptr<Source> source = check_.input.folder->open(named.path, why);
    const std::string path = check_.input.folder->sibling_path(named.path);
    if (source == nullptr) {
      skip(named, "", path + ": " + why);
      add(unreadable(path, std::move(why), options_));
      return false;
    }
    if (is_parquet(*source)) {
      parquet_file(named, *source, path);
    } else {
      bare(named, *source, path);
    }
    return true;
  }

  /// Checks a Parquet file, and compares the metadata file with its footer.
  void parquet_file(const NamedFile& named, const Source& source, const std::string& path) {
    FileCheck own(source, options_, policy_.wanted());
    own.input.path = path;
    judge_file(own, policy_, doubts_, nullptr);
    if (has_footer(own) && own.footer.schema_usable) {
      Comparison(check_, named, own).run();
    } else {
      skip(named, "", "the footer of " + path + " cannot be read");
    }
    add(report_of(own, policy_, path));
  }

  /// Checks the chunks in a file that consists of pages alone, by the metadata alone.
  void bare(const NamedFile& named, const Source& source, const std::string& path) {
    Borrowed borrowed(check_, source, policy_);
    FileCheck& part = borrowed.check();
    for (std::size_t i = 0; i < named.chunks.size(); ++i) {
      ChunkClaim& claim = FooterPhase::of(part).chunks[named.chunks[i]];
      ColumnChunk chunk;
      if (!claim.placeable || !part.footer.reread(claim, part.options.limits, chunk)) continue;
      place_pages(part, chunk, claim);
      place_indexes(part, chunk, claim);
    }
    // A chunk that cannot be found is reported for the metadata file, whose claim is wrong.
    std::ranges::move(part.outcome.lost, std::back_inserter(check_.outcome.lost));
    std::ranges::move(part.outcome.not_run, std::back_inserter(check_.outcome.not_run));
    part.outcome.lost.clear();
    part.outcome.not_run.clear();
    check_chunks(part, policy_.wanted(), named.chunks, doubts_.make_chunk_doubts());
    for (const ByteRange& gap : check_layout(part)) doubts_.report_earlier_footers(part, gap);
    part.outcome.findings.hand_over_metadata(check_.outcome.findings);
    if (part.options.tier == Tier::pages)
      part.outcome.not_run.push_back({"values", "--tier pages", {}, {}, true});
    if (part.cancelled())
      part.outcome.not_run.push_back({"what had not been reached", "the check was stopped", {}, {}});
    FileReport report = report_of(part, policy_, path);
    std::set<std::uint32_t> row_groups;
    std::set<std::uint32_t> leaves;
    for (std::size_t i = 0; i < named.chunks.size(); ++i) {
      const ChunkClaim& claim = part.footer.chunks[named.chunks[i]];
      row_groups.insert(claim.row_group);
      leaves.insert(claim.leaf);
    }
    report.row_groups = row_groups.size();
    report.columns = leaves.size();
    add(std::move(report));
  }

  FileCheck& check_;
  const Policy& policy_;
  const FileDoubts& doubts_;
  std::vector<FileReport>& reports_;
  CheckOptions options_;
};

}  // namespace

void check_named_files(FileCheck& check, const Policy& policy, const FileDoubts& doubts,
                       std::vector<FileReport>* reports) {
  for (std::size_t i = 0; i < check.footer.chunks.size(); ++i) {
    const std::uint32_t file = check.footer.chunks[i].file;
    if (file == 0 || !check.takes(check.footer.chunks[i])) continue;
    FooterPhase::of(check).named[file - 1].chunks.add(i);
    if (check.input.folder == nullptr)
      check.outcome.not_run.push_back(
          {"column chunk", "its data is in another file", place_of(check.footer.chunks[i]), {}});
  }
  if (check.input.folder != nullptr && reports != nullptr) NamedFiles(check, policy, doubts, *reports).run();
}

}  // namespace parqproof
