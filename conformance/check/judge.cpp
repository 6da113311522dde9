#include "conformance/check/judge.hpp"

#include <string_view>

#include "codec/compression/format.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/format/page_header.hpp"

namespace parqproof {
namespace {

/// What a file says may be of any length; a finding quotes no more than this of it.
constexpr std::size_t kQuoted = 300;

/// The expected of an Error is a bound for these rules: the word before the number.
std::string_view bound_of(const Error& error) {
  switch (error.rule) {
    case Rule::dictionary_index_range:
    case Rule::plain_int96_nanos:
      return "less than ";
    case Rule::rle_run_length:
      return error.found == 0 ? "1 to " : "at most ";
    default:
      return {};
  }
}

std::string quote(std::string text) {
  if (text.size() <= kQuoted) return text;
  text.resize(kQuoted);
  return text + "...";
}

}  // namespace

void Judge::at(Rule rule, const Place& place, std::uint64_t offset, std::uint64_t length, Contrast what,
               std::string field) const {
  if (findings_->wants(rule))
    add(rule, place, {{}, offset, Space::file}, length, std::move(what), std::move(field));
}

void Judge::add(Rule rule, const Place& place, View at, std::uint64_t length, Contrast what,
                std::string field) const {
  Finding finding;
  finding.rule = rule;
  finding.place = place;
  finding.offset = at.base;
  finding.space = at.space;
  finding.length = length;
  finding.field = std::move(field);
  finding.found = quote(std::move(what.found));
  finding.expected = quote(std::move(what.expected));
  finding.detail = std::move(what.detail);
  findings_->add(std::move(finding));
}

void Judge::field(Rule rule, const Place& place, View bytes, const thrift::StructType& type,
                  std::string_view path, Contrast what, std::string_view prefix) const {
  if (!findings_->wants(rule)) return;
  const thrift::Extent extent = thrift::locate(bytes, type, path);
  std::string name(prefix);
  if (!name.empty() && !path.empty() && path.front() != '[') name += '.';
  name += path;
  add(rule, place, {{}, extent.value, bytes.space}, extent.end - extent.value, std::move(what),
      std::move(name));
}

void Judge::error(const Place& place, const Error& error, std::uint64_t page_offset, std::uint64_t times,
                  std::string detail) const {
  if (!findings_->wants(error.rule)) return;
  Finding finding;
  finding.rule = error.rule;
  finding.place = place;
  finding.offset = error.offset;
  finding.length = error.length;
  finding.space = error.space;
  if (error.space == Space::page) finding.page_offset = page_offset;
  finding.times = times;
  finding.detail = std::move(detail);
  const RuleInfo& rule = info(error.rule);
  if (rule.carries_found()) finding.found = std::to_string(error.found);
  if (rule.carries_expected())
    finding.expected = std::string(bound_of(error)) + std::to_string(error.expected);
  if (finding.detail.empty() && rule.carries_ordinal()) finding.detail = std::to_string(error.ordinal);
  if (error.rule == Rule::rle_trailing_bytes && error.ordinal != 0)
    finding.detail = "; they are " + std::to_string(error.ordinal) + " more values in whole runs";
  const auto format = [](std::int64_t number) { return to_string(static_cast<StreamFormat>(number)); };
  if (error.rule == Rule::compression_format) {
    finding.found = format(error.found);
    finding.expected = kCompressionCodecEnum.name_of(error.expected);
  } else if (error.rule == Rule::compression_lz4_layout) {
    finding.found = format(error.found);
    finding.expected = format(error.expected);
  }
  findings_->add(std::move(finding));
}

void Judge::in_page(Rule rule, const Place& place, View at, std::uint64_t page_offset, Contrast what,
                    std::uint64_t times) const {
  if (!findings_->wants(rule)) return;
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
  findings_->add(std::move(finding));
}

void Judge::fault(const Place& place, const Page& page, View chunk, const PageFault& fault) const {
  switch (fault.at) {
    case PageFault::At::bytes:
      if (fault.contrast.found.empty()) {
        error(place, fault.error, page.offset);
      } else {
        at(fault.rule(), place, fault.error.offset, fault.error.length, fault.contrast);
      }
      break;
    case PageFault::At::header:
      field(fault.rule(), place, page.header_bytes, PageHeader::kType, fault.field, fault.contrast);
      break;
    case PageFault::At::chunk:
      field(fault.rule(), {place.row_group, place.leaf, -1}, chunk, ColumnChunk::kType, fault.field,
            fault.contrast);
      break;
    case PageFault::At::unreadable:
      break;
  }
}

}  // namespace parqproof
