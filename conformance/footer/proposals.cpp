#include "conformance/footer/proposals.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "codec/base/bits.hpp"
#include "codec/page/checksum.hpp"
#include "codec/thrift/compact.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {
namespace {

/// The number that FSST and PFOR both have, in implementations of the proposals: FSST is for byte arrays,
/// PFOR for integers.
constexpr std::int64_t kFsstOrPfor = 11;

std::optional<Addition> addition_of(std::int64_t encoding, Type type) {
  if (encoding == static_cast<int>(Encoding::ALP)) return Addition::alp;
  if (encoding != kFsstOrPfor) return std::nullopt;
  if (type == Type::BYTE_ARRAY || type == Type::FIXED_LEN_BYTE_ARRAY) return Addition::fsst;
  return type == Type::INT32 || type == Type::INT64 ? std::optional(Addition::pfor) : std::nullopt;
}

constexpr std::size_t kWordBytes = 4;
constexpr std::size_t kUuidBytes = 16;
/// Checksum and size of the flatbuffer, checksum of the size, and the UUID of the extension.
constexpr std::size_t kTrailerBytes = 3 * kWordBytes + kUuidBytes;

/// Returns the bytes of a flatbuffer and its trailer at the end of a struct without its stop byte; empty if
/// there is none.
View flatbuffer_at_end(const View& fields) {
  if (fields.size() < kTrailerBytes) return {};
  const View trailer = fields.from(fields.size() - kTrailerBytes);
  const View size = trailer.part(kWordBytes, kWordBytes);
  const auto length = load_le<std::uint32_t>(size.data());
  if (length == 0 || length > fields.size() - kTrailerBytes) return {};
  if (load_le<std::uint32_t>(trailer.data() + 2 * kWordBytes) != crc32(size.bytes)) return {};
  const View all = fields.from(fields.size() - kTrailerBytes - length);
  return load_le<std::uint32_t>(trailer.data()) == crc32(all.bytes.first(length)) ? all : View();
}

}  // namespace

std::vector<Addition> later_encodings(const ColumnMetaData& meta, Edition edition) {
  std::vector<Addition> out;
  thrift::for_each_integer(meta.encodings, [&](std::int64_t encoding, std::uint32_t) {
    const std::optional<Addition> addition = addition_of(encoding, meta.type);
    if (addition && !is_defined(*addition, edition) && std::ranges::find(out, *addition) == out.end())
      out.push_back(*addition);
  });
  return out;
}

bool is_of_later_edition(Encoding encoding, Edition edition) {
  return encoding == Encoding::ALP && !is_defined(Addition::alp, edition);
}

void check_flatbuffer_footer(FileCheck& check) {
  const FileMetaData& meta = check.footer.meta;
  const View footer = check.footer.frame.footer;
  if (meta.fields.unknown != thrift::kExtensionId) return;
  // The extension is the last field.
  const View flatbuffer =
      flatbuffer_at_end(footer.part(0, static_cast<std::size_t>(meta.fields.end - footer.base - 1)));
  if (flatbuffer.empty()) return;
  Findings& findings = check.outcome.findings;
  report_at(findings, Rule::edition_undefined, {}, flatbuffer.base, flatbuffer.size(),
            undefined(Addition::flatbuffer_footer));
  findings.attribute(Rule::edition_undefined, 0, [](const Finding& one) {
    return one.rule == Rule::extension_present && one.field == std::to_string(thrift::kExtensionId);
  });
  check.outcome.not_run.push_back(
      {"whether both footers agree", "only a proposal defines the second one", {}, {}});
}

}  // namespace parqproof
