#include "conformance/state/finding_site.hpp"

#include <utility>

#include "codec/base/text.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/format/page_header.hpp"
#include "conformance/state/error_values.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {
namespace {

/// Max bytes of a value of the file that a finding quotes; the value may have any length.
constexpr std::size_t kQuoted = 300;

FindingValue quote(FindingValue value) {
  value.shorten(kQuoted);
  return value;
}

void add(Findings& findings, Rule rule, const Place& place, View at, std::uint64_t length, Contrast what,
         std::string field, std::uint64_t times = 1) {
  Finding finding;
  finding.rule = rule;
  finding.place = place;
  finding.offset = at.base;
  finding.space = at.space;
  finding.length = length;
  finding.times = times;
  finding.field = std::move(field);
  finding.found = quote(std::move(what.found));
  finding.expected = quote(std::move(what.expected));
  finding.detail = std::move(what.detail);
  findings.add(std::move(finding));
}

/// `path` in the struct at `outer`, which may be empty, as `path` may be.
std::string joined(std::string_view outer, std::string_view path) {
  std::string out(outer);
  if (!out.empty() && !path.empty() && path.front() != '[') out += '.';
  return out += path;
}

}  // namespace

FindingSite FindingSite::of_chunk(Findings& findings, const ParsedFooter& footer, const ChunkClaim& claim) {
  FindingSite site{findings, place_of(claim), footer.footer_from(claim.struct_offset), ColumnChunk::kType};
  site.opened = footer.frame.opened.get();
  return site;
}

FindingSite FindingSite::of_chunk(FileCheck& check, const ChunkClaim& claim) {
  return of_chunk(check.outcome.findings, check.footer, claim);
}

FindingSite FindingSite::of_row_group(FileCheck& check, std::size_t index, const RowGroupClaim& claim) {
  return {check.outcome.findings,
          {static_cast<std::int32_t>(index), -1, -1},
          check.footer.footer_from(claim.struct_offset),
          RowGroup::kType};
}

FindingSite FindingSite::of_file_metadata(FileCheck& check) {
  return {check.outcome.findings, {}, check.footer.frame.footer, FileMetaData::kType};
}

FindingSite FindingSite::of_schema_element(FileCheck& check, std::uint32_t index, std::int32_t leaf) {
  return {check.outcome.findings,
          {-1, leaf, -1},
          check.footer.footer_from(check.footer.schema.nodes()[index].offset),
          SchemaElement::kType,
          "schema[" + std::to_string(index) + "]"};
}

FindingSite FindingSite::of_page_header(Findings& findings, const Page& page) {
  return {findings, page.place, page.header_bytes, PageHeader::kType};
}

/// meta_data of an encrypted column chunk is in the module that was decrypted.
std::pair<Space, thrift::Extent> FindingSite::find(std::string_view path) const {
  constexpr std::string_view kMetadata = "meta_data";
  if (opened != nullptr && &type == &ColumnChunk::kType && path.starts_with(kMetadata)) {
    const thrift::Extent sealed = thrift::locate(bytes, type, "encrypted_column_metadata");
    if (sealed.present && opened->contains(sealed.value)) {
      const View inside = opened_metadata(bytes.part(static_cast<std::size_t>(sealed.value - bytes.base),
                                                     static_cast<std::size_t>(sealed.end - sealed.value)));
      path.remove_prefix(kMetadata.size());
      if (path.starts_with('.')) path.remove_prefix(1);
      return {inside.space, thrift::locate(inside, ColumnMetaData::kType, path)};
    }
  }
  return {bytes.space, thrift::locate(bytes, type, path)};
}

void FindingSite::report(Rule rule, std::string_view path, Contrast what, std::uint64_t times) const {
  if (!findings.wants(rule)) return;
  const std::string full = joined(base, path);
  const auto [space, extent] = find(full);
  add(findings, rule, place, {{}, extent.value, space}, extent.end - extent.value, std::move(what),
      joined(prefix, full), times);
}

void report_at(Findings& findings, Rule rule, const Place& place, std::uint64_t offset, std::uint64_t length,
               Contrast what, std::string field) {
  if (findings.wants(rule))
    add(findings, rule, place, {{}, offset, Space::file}, length, std::move(what), std::move(field));
}

void report_error(Findings& findings, const Place& place, const Error& error, std::uint64_t page_offset,
                  std::uint64_t times, std::string detail) {
  if (!findings.wants(error.rule)) return;
  Finding finding;
  finding.rule = error.rule;
  finding.place = place;
  finding.offset = error.offset;
  finding.length = error.length;
  finding.space = error.space;
  if (error.space == Space::page) finding.page_offset = page_offset;
  finding.times = times;
  finding.detail = std::move(detail);
  Contrast values = values_of(error);
  finding.found = std::move(values.found);
  finding.expected = std::move(values.expected);
  if (finding.detail.empty() && info(error.rule).carries_ordinal())
    finding.detail = std::to_string(error.ordinal);
  if (error.rule == Rule::rle_trailing_bytes && error.ordinal != 0)
    finding.detail =
        "; they hold " + counted(static_cast<std::uint64_t>(error.ordinal), "more value") + " in whole runs";
  findings.add(std::move(finding));
}

void report_in_page(Findings& findings, Rule rule, const Place& place, View at, std::uint64_t page_offset,
                    Contrast what, std::uint64_t times) {
  if (!findings.wants(rule)) return;
  Finding finding;
  finding.rule = rule;
  finding.place = place;
  finding.offset = at.base;
  finding.length = at.size();
  finding.space = at.space;
  if (at.space == Space::page) finding.page_offset = page_offset;
  finding.times = times;
  finding.found = quote(std::move(what.found));
  finding.expected = quote(std::move(what.expected));
  finding.detail = std::move(what.detail);
  findings.add(std::move(finding));
}

void report_page_fault(const FindingSite& chunk, const Place& place, const Page& page,
                       const PageFault& fault) {
  Findings& findings = chunk.findings;
  switch (fault.at) {
    case PageFault::At::bytes:
      if (fault.contrast.found.empty()) {
        report_error(findings, place, fault.error, page.offset);
      } else {
        report_at(findings, fault.rule(), place, fault.error.offset, fault.error.length, fault.contrast);
      }
      break;
    case PageFault::At::header:
      FindingSite{findings, place, page.header_bytes, PageHeader::kType}.report(fault.rule(), fault.field,
                                                                                fault.contrast);
      break;
    case PageFault::At::chunk:
      chunk.report(fault.rule(), fault.field, fault.contrast);
      break;
    case PageFault::At::unreadable:
      break;
  }
}

}  // namespace parqproof
