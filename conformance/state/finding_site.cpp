#include "conformance/state/finding_site.hpp"

#include "codec/base/text.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/format/page_header.hpp"
#include "conformance/state/error_values.hpp"

namespace parqproof {
namespace {

/// What a file says may be of any length; a finding quotes no more than this of it.
constexpr std::size_t kQuoted = 300;

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
                std::string field, std::uint64_t times) const {
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
  findings_->add(std::move(finding));
}

void Judge::field(Rule rule, const Place& place, View bytes, const thrift::StructType& type,
                  std::string_view path, Contrast what, std::string_view prefix, std::uint64_t times) const {
  if (!findings_->wants(rule)) return;
  const thrift::Extent extent = thrift::locate(bytes, type, path);
  std::string name(prefix);
  if (!name.empty() && !path.empty() && path.front() != '[') name += '.';
  name += path;
  add(rule, place, {{}, extent.value, bytes.space}, extent.end - extent.value, std::move(what),
      std::move(name), times);
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
  Contrast words = words_of(error);
  finding.found = std::move(words.found);
  finding.expected = std::move(words.expected);
  if (finding.detail.empty() && info(error.rule).carries_ordinal())
    finding.detail = std::to_string(error.ordinal);
  if (error.rule == Rule::rle_trailing_bytes && error.ordinal != 0)
    finding.detail =
        "; they hold " + counted(static_cast<std::uint64_t>(error.ordinal), "more value") + " in whole runs";
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
