#include "conformance/report/bytes/footer_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "codec/format/file_meta_data.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/diagnosis/doubts.hpp"
#include "conformance/report/words/field_text.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {

std::optional<Stop> stop_of(const Findings& findings) {
  if (findings.all().empty()) return std::nullopt;
  const Finding& last = findings.all().back();
  return Stop{last.offset, fmt::format("{}: {}", info(last.rule).id, message(last))};
}

FooterBytes find_footer(const Source& source, std::vector<std::uint8_t>& encrypted) {
  FooterBytes footer;
  footer.type = &FileMetaData::kType;
  RuleSet loss;
  for (const Rule rule : {Rule::file_min_size, Rule::file_other_format, Rule::file_tail_magic,
                          Rule::file_footer_length, Rule::edition_undefined, Rule::limit_footer_size}) {
    loss.set(static_cast<std::size_t>(rule));
  }
  Findings findings(loss);
  footer.frame = read_frame(source, source.size(), Limits{}, findings);
  footer.stop = stop_of(findings);
  footer.bytes = footer.frame.footer;
  switch (footer.frame.state) {
    case Frame::State::footer:
      break;
    case Frame::State::encrypted:
    case Frame::State::sealed:
      footer.end = DumpEnd::encrypted;
      footer.type = &FileCryptoMetaData::kType;
      encrypted.resize(
          static_cast<std::size_t>(source.size() - kFooterTailBytes - footer.frame.footer_offset));
      if (!source.read(footer.frame.footer_offset, encrypted)) footer.end = DumpEnd::unreadable;
      footer.bytes = {encrypted, footer.frame.footer_offset, Space::file};
      break;
    case Frame::State::proposed:
    case Frame::State::lost:
      footer.end = DumpEnd::stopped;
      break;
    case Frame::State::limit:
      footer.end = DumpEnd::limit;
      break;
    case Frame::State::unreadable:
      footer.end = DumpEnd::unreadable;
      break;
  }
  return footer;
}

bool take_what_is_left(const Source& source, FooterBytes& footer) {
  if (footer.frame.state != Frame::State::lost) return false;
  const CheckOptions options;
  FileCheck check(source, options, {});
  const Remains remains = diagnosis().search_remains(check).value_or(Remains());
  std::uint64_t offset = 0;
  std::uint64_t end = 0;
  if (!remains.footers.empty()) {
    offset = remains.footers.back().offset;
    end = offset + remains.footers.back().length;
  } else if (remains.cut_footer) {
    offset = remains.cut_footer->offset;
    end = std::min(source.size(), offset + options.limits.footer_bytes());
  }
  if (offset == 0) return false;
  const auto size = static_cast<std::size_t>(end - offset);
  footer.frame.bytes.reset(static_cast<std::uint8_t*>(allocate_large(size)));
  if (footer.frame.bytes == nullptr) return false;
  const std::span<std::uint8_t> bytes(footer.frame.bytes.get(), size);
  if (!source.read(offset, bytes)) return false;
  footer.bytes = {bytes, offset, Space::file};
  return true;
}

Stop why_broken(const FooterBytes& footer, std::uint64_t at) {
  Findings findings(framing_rules());
  const Limits limits;
  thrift::Reader reader(footer.bytes, {&findings, {}, {}}, limits);
  FileMetaData meta;
  if (footer.type == &FileMetaData::kType && !reader.read(meta)) {
    if (const std::optional<Stop> stop = stop_of(findings)) return *stop;
  }
  return {at, "the bytes from here on are no structure of the Thrift compact protocol"};
}

int exit_code(const ShownFooter& footer) noexcept {
  return footer.end == DumpEnd::complete ? 0 : footer.end == DumpEnd::stopped ? 1 : 2;
}

ShownFooter shown(const FooterBytes& footer) {
  switch (footer.end) {
    case DumpEnd::complete:
      return {};
    case DumpEnd::stopped:
      return {footer.end, footer.stop ? fmt::format("stopped at byte {}: {}",
                                                    offset_text(footer.stop->offset), footer.stop->why)
                                      : "the footer is lost"};
    case DumpEnd::encrypted:
      return {footer.end, "the footer is encrypted"};
    case DumpEnd::limit:
      return {footer.end, "the footer is larger than the limit"};
    case DumpEnd::unreadable:
      return {footer.end, "the file could not be read"};
  }
  return {};
}

}  // namespace parqproof
