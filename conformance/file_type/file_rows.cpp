#include "conformance/file_type/file_rows.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "codec/base/text.hpp"
#include "conformance/file_type/file_fields.hpp"
#include "conformance/file_type/file_groups.hpp"
#include "conformance/row_group/group_cursors.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kValuesAtOnce = 4'096;  // values between two checks for cancellation
constexpr std::size_t kShownBytes = 60;         // of a text of the file

std::string shown(std::string_view text) {
  std::string out = "\"" + std::string(text.substr(0, kShownBytes));
  return out + (text.size() > kShownBytes ? "...\"" : "\"");
}

/// The values of a group in one row group. A rule is described once a column.
class FileRows {
 public:
  FileRows(FileCheck& check, const RowGroupClaim& group, const FileGroup& columns)
      : check_(check),
        columns_(columns),
        cursors_(check, group, columns.first, columns.last),
        findings_(check.outcome.findings) {}

  /// Returns the reason why not all values were judged; empty if they were.
  [[nodiscard]] std::string run() {
    if (!cursors_.open()) return "a column cannot be read a second time";
    std::string why = read();
    findings_.report();
    return why;
  }

 private:
  [[nodiscard]] std::string read() {
    const auto any = std::ranges::find_if(columns_.leaves, [](const auto& leaf) { return leaf.has_value(); });
    if (any == columns_.leaves.end()) return {};  // file-type/resolvable
    first_ = **any;
    for (std::uint64_t values = 0; !cursors_[first_].at_end(); ++values) {
      if (values % kValuesAtOnce == 0 && check_.cancelled()) return "the check was stopped";
      if (values != 0 && cursors_[first_].repetition() == 0) ++row_;
      if (cursors_[first_].definition() >= columns_.definition) judge();
      for (const std::optional<std::size_t>& leaf : columns_.leaves) {
        if (leaf && !cursors_.advance(*leaf)) return "a column cannot be read a second time";
      }
    }
    return {};
  }

  /// The value of a field; nullopt if it is not set: absent, null, or an empty text.
  [[nodiscard]] std::optional<View> field(FileField field) const {
    const std::optional<std::size_t> leaf = columns_.leaf(field);
    if (!leaf) return std::nullopt;
    const ColumnCursor& cursor = cursors_[*leaf];
    if (cursor.definition() != cursor.leaf().max_definition) return std::nullopt;
    const View value = cursors_.value(*leaf);
    if (value.bytes.empty() && field != FileField::inline_bytes) return std::nullopt;
    return value;
  }

  void judge() {
    const std::optional<View> uri = field(FileField::uri);
    const std::optional<View> offset = field(FileField::offset);
    const std::optional<View> size = field(FileField::size);
    const std::optional<View> bytes = field(FileField::inline_bytes);
    if (!uri && !bytes) {
      const std::string_view set = offset && size ? "offset and size"
                                   : offset       ? "offset"
                                   : size         ? "size"
                                                  : "neither uri nor inline";
      report(Rule::file_type_resolves, first_, std::nullopt, {}, contrast(std::string(set), "uri or inline"));
    } else if (!bytes && offset && !size) {
      report(Rule::file_type_offset_without_size, *columns_.leaf(FileField::offset), offset, {},
             contrast("offset", "offset and size"));
    }
    if (uri && bytes)
      report(Rule::file_type_inline_and_uri, *columns_.leaf(FileField::uri), uri, {},
             contrast("uri and inline", "uri or inline"));
    judge_number(FileField::offset, offset);
    judge_number(FileField::size, size);
    if (uri) judge_uri(*uri);
    if (const std::optional<View> type = field(FileField::content_type);
        type && !is_media_type(text_of(*type)))
      report(Rule::file_type_content_type, *columns_.leaf(FileField::content_type), type, {},
             contrast(shown(text_of(*type)), "type/subtype"));
    if (const std::optional<View> checksum = field(FileField::checksum)) judge_checksum(*checksum, bytes);
  }

  /// file-type/negative
  void judge_number(FileField field, const std::optional<View>& value) {
    std::int64_t number = 0;
    if (!value || value->size() != sizeof(number)) return;
    std::memcpy(&number, value->data(), sizeof(number));
    if (number < 0)
      report(Rule::file_type_negative, *columns_.leaf(field), value, {}, contrast(number, at_least(0)));
  }

  void judge_uri(const View& uri) {
    const std::optional<std::size_t> at = uri_fault(text_of(uri));
    if (!at) return;
    const std::size_t size = *at < uri.size() ? 1 : 0;
    report(Rule::file_type_uri, *columns_.leaf(FileField::uri), uri, std::pair(*at, size),
           contrast(shown(text_of(uri)), "a URI reference"));
  }

  void judge_checksum(const View& checksum, const std::optional<View>& bytes) {
    const std::size_t leaf = *columns_.leaf(FileField::checksum);
    const std::string_view text = text_of(checksum);
    const std::optional<StoredChecksum> stored = stored_checksum(text);
    if (!stored)
      return report(Rule::file_type_checksum_form, leaf, checksum, {},
                    contrast(shown(text), "algorithm:digest"));
    if (stored->algorithm == ChecksumAlgorithm::unknown)
      return report(Rule::file_type_checksum_algorithm, leaf, checksum, std::pair(0, stored->name.size()),
                    contrast(shown(stored->name), "ETAG, MD5, CRC32, CRC32C or SHA-256"));
    if (stored->digits == 0) return;
    const std::pair digest(stored->name.size() + 1, stored->digest.size());
    if (stored->digest.size() != stored->digits || !is_lowercase_hex(stored->digest))
      return report(
          Rule::file_type_checksum_form, leaf, checksum, digest,
          contrast(shown(stored->digest), std::to_string(stored->digits) + " lowercase hex digits"));
    if (!bytes) return;
    const std::optional<std::string> computed = digest_of(stored->algorithm, bytes->bytes);
    if (computed && *computed != stored->digest)
      report(Rule::file_type_checksum, leaf, checksum, digest,
             contrast(std::string(stored->digest), *computed));
  }

  /// Reports a violation in the current entry of a column: at `part`, offset and length in its value, at the
  /// value, or at the levels of the page if there is none.
  void report(Rule rule, std::size_t leaf, const std::optional<View>& value,
              std::optional<std::pair<std::size_t, std::size_t>> part, Contrast what) {
    if (!findings_.count(leaf, rule)) return;
    const ColumnCursor& cursor = cursors_[leaf];
    View at = cursor.parts().definition.bytes.part(0, 0);
    if (value && cursors_.is_stored(leaf)) {
      at = part ? value->part(part->first, part->second) : *value;
    } else if (value) {
      at = cursor.parts().values.part(0, 0);
    }
    what.detail = ", in row " + std::to_string(row_);
    findings_.describe(cursor, leaf, rule, at, std::move(what));
  }

  FileCheck& check_;
  const FileGroup& columns_;
  GroupCursors cursors_;
  GroupFindings findings_;
  std::size_t first_ = 0;  // a column of a field
  std::uint64_t row_ = 0;
};

}  // namespace

void check_file_rows(FileCheck& check) {
  if (!check.footer.schema_usable || check.options.tier != Tier::values || check.outcome.tallies.empty())
    return;
  const Schema& schema = check.footer.schema;
  for (const FileGroup& columns : file_groups(schema)) {
    const auto leave_out = [&](std::string why, std::int32_t row_group) {
      check.outcome.not_run.push_back(
          {"the values of FILE", std::move(why), {row_group, -1, -1}, schema.dotted_path(columns.node)});
    };
    if (!columns.is_usable) {
      leave_out("its columns are not those of a FILE", -1);
      continue;
    }
    judge_row_groups(
        check, columns.first, columns.last,
        [&](const RowGroupClaim& group) { return FileRows(check, group, columns).run(); }, leave_out);
  }
}

}  // namespace parqproof
