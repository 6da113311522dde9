#include "conformance/diagnosis/remains.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/page/page_search.hpp"
#include "codec/rules/rule.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/locate.hpp"
#include "conformance/diagnosis/doubts.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kStride = std::uint64_t{1} << 18;
/// Bytes read first for a struct.
constexpr std::uint64_t kFirstRoom = 1024;
/// Bytes before the footer length that are searched for a FileMetaData of another length.
constexpr std::uint64_t kLongFooter = std::uint64_t{1} << 26;
/// Bytes read at the cost of parsing one byte.
constexpr std::uint64_t kReadPerStep = 16;
/// Nonce and tag after the struct of a signed footer.
constexpr std::uint64_t kSignatureBytes = 28;

/// The rules that a truncated struct violates; with more bytes it may be valid.
RuleSet cut_rules() {
  RuleSet rules;
  for (const Rule rule : {Rule::thrift_stop_byte, Rule::thrift_binary_length, Rule::thrift_list_size})
    rules.set(static_cast<std::size_t>(rule));
  return rules;
}

/// Returns true if the truncated string or list, whose length is in the finding, fits in `most` bytes. A
/// missing stop byte may always be later.
bool may_fit(const Finding& cut, std::uint64_t most) {
  return cut.rule == Rule::thrift_stop_byte || cut.found.natural().value_or(0) <= most;
}

/// Reports recovery/earlier-footer; `rows` is the number of rows in the last footer.
void report_footer(FileCheck& check, const CompleteFooter& footer, FindingValue rows) {
  const std::uint64_t length = *footer.footer_at - footer.offset;
  report_at(check.outcome.findings, Rule::recovery_earlier_footer, {}, footer.offset, length,
            contrast(footer.rows, std::move(rows), std::to_string(*footer.footer_at)));
}

/// Number of zeros appended to the bytes. Without them a truncated list would be rejected, because it states
/// more elements than there are bytes.
constexpr std::size_t kPadding = std::size_t{1} << 16;

/// Collects the schema elements and row groups before the padding.
class Pieces final : public FooterVisitor {
 public:
  explicit Pieces(std::uint64_t end) noexcept : FooterVisitor({.columns = false}), end_(end) {}

  CutFooter out;
  Schema schema;
  bool has_root = false;

 private:
  void begin_schema(thrift::Reader& /*reader*/, std::uint32_t count) override { elements_ = count; }
  [[nodiscard]] bool begin_row_groups(thrift::Reader& /*reader*/, std::uint32_t count) override {
    out.row_groups = count;
    return true;
  }
  [[nodiscard]] bool schema_element(SchemaElement& element, const Element& at) override {
    if (!is_there(at)) return false;
    if (at.index == 0) has_root = element.has(SchemaElement::id_num_children) && element.num_children >= 0;
    schema.add(element);
    out.complete_schema = at.index + 1 == elements_;
    return has_root;
  }
  [[nodiscard]] bool row_group(RowGroup& group, const Element& at) override {
    if (!is_there(at)) return false;
    ++out.complete_row_groups;
    const std::int64_t rows =
        group.has(RowGroup::id_num_rows) ? std::max<std::int64_t>(group.num_rows, 0) : 0;
    out.rows_of_complete_row_groups = saturating_add(out.rows_of_complete_row_groups, rows);
    return true;
  }
  [[nodiscard]] bool is_there(const Element& at) const { return at.complete && at.reader.offset() <= end_; }

  std::uint64_t end_;
  std::uint32_t elements_ = 0;
};

/// Reads structs at any offset of the file. The cost of failed attempts is limited.
class Structures {
 public:
  explicit Structures(const FileCheck& check) : check_(check), window_(check.input.source) {
    constexpr std::uint64_t kBase = std::uint64_t{4} << 20;
    ceiling_ = kBase + check.input.source.size();
  }

  [[nodiscard]] bool exhausted() const noexcept { return work_ > ceiling_; }
  /// Returns the bytes at `offset`; fewer than `count` if they cannot be read.
  [[nodiscard]] View view(std::uint64_t offset, std::uint64_t count) { return window_.view(offset, count); }

  /// Calls `attempt(bytes)` with more and more bytes from `offset` on, at most `most`, as long as it returns
  /// true: it needs more.
  template <typename Attempt>
  void read_on(std::uint64_t offset, std::uint64_t most, Attempt&& attempt) {
    for (std::uint64_t room = std::min(most, kFirstRoom);; room = std::min(most, room * 8)) {
      const View bytes = view(offset, room);
      if (bytes.size() != room || !attempt(bytes) || room == most || exhausted()) return;
    }
  }

  /// Reads a valid struct of at most `most` bytes at `offset`; returns false if there is none.
  template <typename Struct>
  [[nodiscard]] bool read(std::uint64_t offset, std::uint64_t most, Struct& out) {
    bool found = false;
    read_on(offset, most, [&](const View& bytes) {
      Findings cut(cut_rules());
      thrift::Reader reader(bytes, {&cut, {}, {}}, check_.options.limits);
      const bool complete = reader.read(out);
      found = complete && reader.sound();
      if (found) return false;  // not counted, because the search continues after it
      work_ += reader.offset() - offset + bytes.size() / kReadPerStep;
      return !complete && !cut.all().empty() && may_fit(cut.all().front(), most);
    });
    return found;
  }

  /// Reads the header of a page at `offset`; returns false if it is invalid, or if the body exceeds the file.
  [[nodiscard]] bool page(std::uint64_t offset, Page& page) {
    const std::uint64_t size = check_.input.source.size();
    if (!read(offset, std::min(size - offset, kPageHeaderRoom), page.header)) return false;
    page.offset = offset;
    page.body = page.header.fields.end;
    const PageHeader& header = page.header;
    if (!page.is_plausible() || page.end() > size) return false;
    if (page.is_dictionary()) return known(header.dictionary_page_header.encoding);
    if (!page.is_data()) return true;
    const DataPageHeaderV2& v2 = header.data_page_header_v2;
    return known(page.encoding()) && (!page.is_v2() || (v2.repetition_levels_byte_length >= 0 &&
                                                        v2.definition_levels_byte_length >= 0 &&
                                                        page.level_bytes() <= header.compressed_page_size));
  }

  /// Reads a FileMetaData at `offset`; returns false if it cannot be read to its end.
  [[nodiscard]] bool footer(std::uint64_t offset, CompleteFooter& out) {
    const std::uint64_t size = check_.input.source.size();
    const Limits& limits = check_.options.limits;
    FileMetaData meta;
    if (!read(offset, std::min(size - offset, limits.footer_bytes()), meta)) return false;
    if (meta.schema.count == 0 || meta.num_rows < 0) return false;
    const std::uint64_t signature = meta.has(FileMetaData::id_encryption_algorithm) ? kSignatureBytes : 0;
    const std::uint64_t length = std::min(meta.fields.end - offset + signature, size - offset);
    out = {offset, length, {}, meta.num_rows, meta.row_groups.count};
    if (size - offset < length + kFooterTailBytes) return true;
    if (stated_footer_length(view(offset + length, kFooterTailBytes).bytes) == length)
      out.footer_at = offset + length + kFooterTailBytes;
    return true;
  }

  /// Reads the FileMetaData after `from` whose length and magic end at `end`; returns false if there is none.
  [[nodiscard]] bool footer_ending_at(std::uint64_t from, std::uint64_t end, CompleteFooter& out) {
    if (end - from < kFooterTailBytes) return false;
    const auto length = stated_footer_length(view(end - kFooterTailBytes, kFooterTailBytes).bytes);
    return length && *length <= end - from - kFooterTailBytes &&
           footer(end - kFooterTailBytes - *length, out) && out.footer_at == end;
  }

  /// Reads a truncated FileMetaData at `offset`.
  [[nodiscard]] std::optional<CutFooter> cut_footer(std::uint64_t offset) {
    const Limits& limits = check_.options.limits;
    std::optional<CutFooter> found;
    read_on(offset, std::min(check_.input.source.size() - offset, limits.footer_bytes()),
            [&](const View& bytes) {
              found = read_cut_footer(bytes, limits);
              work_ += bytes.size() / kReadPerStep + (found ? found->read_to - offset : 0);
              // A footer that ends near the end of the bytes may continue after them.
              return found && found->read_to + bytes.size() / 2 >= bytes.end();
            });
    return found;
  }

 private:
  static bool known(Encoding encoding) {
    return !kEncodingEnum.name_of(static_cast<std::int64_t>(encoding)).empty();
  }

  const FileCheck& check_;
  Window window_;
  std::uint64_t work_ = 0;
  std::uint64_t ceiling_ = 0;
};

/// The search through all bytes of the file.
class Search {
 public:
  explicit Search(FileCheck& check)
      : check_(check), structures_(check), window_(check.input.source), size_(check.input.source.size()) {}

  Remains run() {
    std::uint64_t at = kMagicBytes;
    while (at < size_ && !structures_.exhausted() && !window_.failed() && !check_.cancelled()) {
      const View bytes = window_.view(at, std::min(kStride - at % kStride, size_ - at));
      const auto first = std::ranges::find(bytes.bytes, kNextI32);
      at += static_cast<std::uint64_t>(first - bytes.bytes.begin());
      if (first != bytes.bytes.end()) at = look(at, bytes.from(static_cast<std::size_t>(at - bytes.base)));
      if (check_.options.progress != nullptr) check_.options.progress->done = at;
    }
    out_.searched_to = std::min(at, size_);
    if (out_.footers_found != 0) out_.cut_footer.reset();
    return std::move(out_);
  }

 private:
  /// Reads pages or a footer at `at`, the offset of `bytes`; returns the offset at which the search
  /// continues.
  std::uint64_t look(std::uint64_t at, View bytes) {
    if (bytes.size() < kPageHeaderPrefix)
      bytes = structures_.view(at, std::min(kPageHeaderPrefix, size_ - at));
    if (bytes.empty()) return at;  // unreadable
    if (may_be_page_header(bytes)) return run_of_pages(at);
    return may_be_footer(bytes) ? footer(at) : at + 1;
  }

  /// Adds the consecutive pages from `start` on; returns the offset at which the search continues.
  std::uint64_t run_of_pages(std::uint64_t start) {
    Page page;
    PageRun run{start};
    std::uint64_t at = start;
    std::uint64_t body =
        start + 1;  // of the last page; the search continues in it, because its size may be wrong
    while (at < size_ && !structures_.exhausted() && !check_.cancelled() && structures_.page(at, page)) {
      for (PageRun* const counts : {&run, &out_.pages}) {
        counts->data_pages += page.is_data() ? 1 : 0;
        counts->dictionary_pages += page.is_dictionary() ? 1 : 0;
        counts->index_pages += page.is_index() ? 1 : 0;
        if (page.is_data()) counts->values += static_cast<std::uint64_t>(page.num_values());
      }
      body = page.body;
      at = page.end();
    }
    if (at == start) return start + 1;
    run.length = at - start;
    PageRun& all = out_.pages;
    if (out_.runs_found == 0) all.offset = start;
    all.length = std::max(all.offset + all.length, at) - all.offset;
    if (out_.runs_found++ < Remains::kListed) out_.runs.push_back(run);
    return at == size_ ? at : body;
  }

  /// Adds the footer at `at`, if there is one; returns the offset at which the search continues.
  std::uint64_t footer(std::uint64_t at) {
    CompleteFooter found;
    if (!structures_.footer(at, found)) {
      cut_footer(at);
      return at + 1;
    }
    const std::uint64_t end = found.footer_at.value_or(found.offset + found.length);
    if (found.footer_at == check_.footer.frame.end) return end;  // the unreadable footer of the file
    ++out_.footers_found;
    if (out_.footers.size() == Remains::kListed) out_.footers.erase(out_.footers.begin());
    out_.footers.push_back(found);
    if (found.footer_at) report_footer(check_, found, "unknown, its footer is lost");
    return end;
  }

  /// Keeps the truncated footer at `at` if more of it is left than of the previous ones.
  void cut_footer(std::uint64_t at) {
    std::optional<CutFooter> found = structures_.cut_footer(at);
    if (!found) return;
    std::optional<CutFooter>& best = out_.cut_footer;
    if (!best || found->read_to - found->offset >= best->read_to - best->offset) best = std::move(found);
  }

  FileCheck& check_;
  Structures structures_;
  Window window_;  // over the current bytes of the search
  std::uint64_t size_;
  Remains out_;
};

/// Returns the correct footer length: that of an intact FileMetaData that ends at `end`, the offset of the
/// footer length. Only the last bytes of the file are searched; nullopt if there is none.
std::optional<std::uint64_t> true_footer_length(FileCheck& check, std::uint64_t end) {
  Structures structures(check);
  Window window(check.input.source);
  const std::uint64_t from = std::max(kMagicBytes, end - std::min(end, kLongFooter));
  for (std::uint64_t at = find_next_i32(window, from, end);
       at < end && !structures.exhausted() && !check.cancelled(); at = find_next_i32(window, at + 1, end)) {
    CompleteFooter found;
    if (may_be_footer(structures.view(at, std::min(kPageHeaderPrefix, end - at))) &&
        structures.footer(at, found) && found.offset + found.length == end)
      return found.length;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Remains> Diagnosis::search_remains(FileCheck& check) const {
  if (check.options.progress != nullptr) check.options.progress->total = check.input.source.size();
  return Search(check).run();
}

bool Diagnosis::explain_footer_length(FileCheck& check) const {
  const std::uint64_t end = check.footer.frame.end - kFooterTailBytes;
  std::array<std::uint8_t, 4> word{};
  const std::optional<std::uint64_t> length = true_footer_length(check, end);
  if (!length || !check.input.source.read(end, word)) return false;
  const std::uint32_t stated = load_le<std::uint32_t>(word.data());
  if (stated == *length) return false;
  check.outcome.findings.attribute(Rule::file_footer_length, 0, [](const Finding& finding) {
    return !info(finding.rule).id.starts_with("file/") || finding.rule == Rule::file_footer_length;
  });
  report_at(check.outcome.findings, Rule::file_footer_length, {}, end, word.size(),
            contrast(stated, *length));
  for (NotRun& one : check.outcome.not_run) one.caused_by = Rule::file_footer_length;
  check.outcome.lost.push_back({LostPart::file, {}});
  check.outcome.footer_misread = true;
  return true;
}

std::optional<CutFooter> read_cut_footer(View bytes, const Limits& limits) {
  std::vector<std::uint8_t> padded(bytes.size() + kPadding);
  std::ranges::copy(bytes.bytes, padded.begin());
  Pieces pieces(bytes.end());
  thrift::Reader reader({padded, bytes.base, bytes.space}, {}, limits);
  FileMetaData meta;
  (void)pieces.visit(reader, meta);
  if (!pieces.has_root) return std::nullopt;
  CutFooter out = std::move(pieces.out);
  out.offset = bytes.base;
  out.read_to = std::min(reader.offset(), bytes.end());
  const thrift::Extent rows = thrift::locate(bytes, FileMetaData::kType, "num_rows");
  if (out.complete_schema && meta.has(FileMetaData::id_num_rows) && meta.num_rows >= 0 &&
      rows.end < out.read_to)
    out.rows = meta.num_rows;
  Schema& schema = pieces.schema;
  schema.finish();
  out.columns_found = schema.leaf_count();
  if (schema.fault() == Schema::Fault::none || schema.fault() == Schema::Fault::too_few) {
    for (std::size_t leaf = 0; leaf < std::min(schema.leaf_count(), CutFooter::kListed); ++leaf) {
      const std::string_view type = kTypeEnum.name_of(static_cast<std::int64_t>(schema.leaf(leaf).type));
      out.columns.push_back(schema.dotted_path(schema.leaf_index(leaf)) + " " + std::string(type));
    }
  }
  return out;
}

bool may_be_footer(View bytes) {
  constexpr std::size_t kNeeded = 4;
  constexpr std::uint8_t kNextList = 0x19;  // a list whose field id is one above that of the field before it
  if (bytes.size() < kNeeded) return false;
  const std::uint8_t* const byte = bytes.data();
  return byte[0] == kNextI32 && (byte[1] == 2 || byte[1] == 4) && byte[2] == kNextList &&
         (byte[3] & 0x0F) == 12;
}

std::optional<CompleteFooter> footer_ending_at(const FileCheck& check, std::uint64_t end) {
  CompleteFooter footer;
  return Structures(check).footer_ending_at(kMagicBytes, end, footer) ? std::optional(footer) : std::nullopt;
}

void Diagnosis::report_earlier_footers(FileCheck& check, ByteRange gap) const {
  if (!check.outcome.findings.wants(Rule::recovery_earlier_footer)) return;
  Structures structures(check);
  CompleteFooter footer;
  while (!structures.exhausted() && structures.footer_ending_at(gap.begin, gap.end, footer)) {
    report_footer(check, footer, check.footer.meta.num_rows);
    gap.end = footer.offset;
  }
}

}  // namespace parqproof
