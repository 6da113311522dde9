#include "conformance/file_type/file_rows.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "conformance/file_type/file_fields.hpp"
#include "conformance/file_type/file_groups.hpp"
#include "conformance/row_group/group_cursors.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kValuesAtOnce = 4'096;                 // values between two checks for cancellation
constexpr std::size_t kShownBytes = 60;                        // of a text of the file
constexpr std::size_t kMostRemembered = std::size_t{1} << 16;  // entries of dictionary pages

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

  /// What the rules of texts need to know of one. Other rules report a text that is not UTF-8.
  struct Text {
    bool is_utf8 = false;
    std::optional<std::size_t> uri_fault = {};
    bool is_media_type = false;
    std::optional<StoredChecksum> checksum = {};  // refers to the text
  };

  [[nodiscard]] static Text read_text(FileField field, const View& bytes) {
    Text text;
    text.is_utf8 = utf8_error(bytes.bytes) == bytes.size();
    if (!text.is_utf8) return text;
    if (field == FileField::uri) text.uri_fault = uri_fault(text_of(bytes));
    if (field == FileField::content_type) text.is_media_type = is_media_type(text_of(bytes));
    if (field == FileField::checksum) text.checksum = stored_checksum(text_of(bytes));
    return text;
  }

  /// Reads the text of a field; an entry of a dictionary page once.
  [[nodiscard]] Text text_in(FileField field, const View& bytes) {
    const std::uint8_t* const entry = cursors_[*columns_.leaf(field)].dictionary_entry();
    if (entry == nullptr) return read_text(field, bytes);
    if (texts_.size() >= kMostRemembered) texts_.clear();
    const auto [known, is_new] = texts_.try_emplace(entry);
    if (is_new) known->second = read_text(field, bytes);
    return known->second;
  }

  /// The digest of the bytes of `inline`; of an entry of a dictionary page once.
  [[nodiscard]] std::optional<std::string> digest_in(ChecksumAlgorithm algorithm, const View& bytes) {
    const std::uint8_t* const entry = cursors_[*columns_.leaf(FileField::inline_bytes)].dictionary_entry();
    if (entry == nullptr) return digest_of(algorithm, bytes.bytes);
    if (digests_.size() >= kMostRemembered) digests_.clear();
    const auto [known, is_new] = digests_.try_emplace(std::pair(entry, algorithm));
    if (is_new) known->second = digest_of(algorithm, bytes.bytes);
    return known->second;
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
    } else if (offset && !size) {
      report(bytes ? Rule::file_type_inline_offset : Rule::file_type_offset_without_size,
             *columns_.leaf(FileField::offset), offset, {}, contrast("offset", "offset and size"));
    }
    if (uri && bytes)
      report(Rule::file_type_inline_and_uri, *columns_.leaf(FileField::uri), uri, {},
             contrast("uri and inline", "uri or inline"));
    judge_number(FileField::offset, offset);
    judge_number(FileField::size, size);
    if (uri) judge_uri(*uri);
    if (const std::optional<View> type = field(FileField::content_type); type) judge_media_type(*type);
    if (const std::optional<View> checksum = field(FileField::checksum)) judge_checksum(*checksum, bytes);
  }

  void judge_media_type(const View& type) {
    const Text text = text_in(FileField::content_type, type);
    if (text.is_utf8 && !text.is_media_type)
      report(Rule::file_type_content_type, *columns_.leaf(FileField::content_type), type, {},
             contrast(shown(text_of(type)), "type/subtype"));
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
    const std::optional<std::size_t> at = text_in(FileField::uri, uri).uri_fault;
    if (!at) return;
    const std::size_t size = *at < uri.size() ? 1 : 0;
    report(Rule::file_type_uri, *columns_.leaf(FileField::uri), uri, std::pair(*at, size),
           contrast(shown(text_of(uri)), "a URI reference"));
  }

  void judge_checksum(const View& checksum, const std::optional<View>& bytes) {
    const std::size_t leaf = *columns_.leaf(FileField::checksum);
    const std::string_view text = text_of(checksum);
    const Text read = text_in(FileField::checksum, checksum);
    if (!read.is_utf8) return;
    const std::optional<StoredChecksum>& stored = read.checksum;
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
    const std::optional<std::string> computed = digest_in(stored->algorithm, *bytes);
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
    Place place = cursor.place();
    std::uint64_t page_offset = cursor.page().offset;
    if (value) {
      const GroupCursors::ValuePage page = cursors_.page_of(leaf);
      place = page.place;
      page_offset = page.offset;
      at = !page.has_value ? page.values.part(0, 0) : part ? value->part(part->first, part->second) : *value;
    }
    what.detail = ", in row " + std::to_string(row_);
    findings_.describe(place, page_offset, leaf, rule, at, std::move(what));
  }

  FileCheck& check_;
  const FileGroup& columns_;
  GroupCursors cursors_;
  GroupFindings findings_;
  std::size_t first_ = 0;  // a column of a field
  // What was read of entries of dictionary pages, which many rows may have.
  std::unordered_map<const std::uint8_t*, Text> texts_;
  std::map<std::pair<const std::uint8_t*, ChecksumAlgorithm>, std::optional<std::string>> digests_;
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
