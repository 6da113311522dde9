#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "codec/page/page_fault.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/rules/finding.hpp"
#include "codec/rules/notes.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/locate.hpp"

namespace parqproof {

struct ChunkClaim;
struct FileCheck;
struct ParsedFooter;
struct RowGroupClaim;

/// Returns true if the Thrift path `field` is `outer`, or leads to a part of it.
[[nodiscard]] inline bool is_part_of(std::string_view field, std::string_view outer) noexcept {
  return field.starts_with(outer) &&
         (field.size() == outer.size() || field[outer.size()] == '[' || field[outer.size()] == '.');
}

/// A struct of the file whose fields findings refer to, and the place of these findings.
struct FindingSite {
  /// The ColumnChunk of a claim.
  [[nodiscard]] static FindingSite of_chunk(Findings& findings, const ParsedFooter& footer,
                                            const ChunkClaim& claim);
  [[nodiscard]] static FindingSite of_chunk(FileCheck& check, const ChunkClaim& claim);
  /// The RowGroup of a claim, `index` in its list.
  [[nodiscard]] static FindingSite of_row_group(FileCheck& check, std::size_t index,
                                                const RowGroupClaim& claim);
  [[nodiscard]] static FindingSite of_file_metadata(FileCheck& check);
  /// The element `index` of the schema. `leaf`: the ordinal of the column that the findings are about.
  [[nodiscard]] static FindingSite of_schema_element(FileCheck& check, std::uint32_t index,
                                                     std::int32_t leaf = -1);
  [[nodiscard]] static FindingSite of_page_header(Findings& findings, const Page& page);

  /// The struct at `path` in this one; findings give the full path of its fields.
  [[nodiscard]] FindingSite within(std::string_view path) const {
    return {findings, place, bytes, type, prefix, path, opened};
  }

  [[nodiscard]] bool wants(Rule rule) const noexcept { return findings.wants(rule); }
  /// Makes a finding at the value of the field at `path`; if the field is absent, at the innermost struct
  /// that lacks it. An empty path is the struct itself.
  void report(Rule rule, std::string_view path, Contrast what = {}, std::uint64_t times = 1) const;
  /// Returns the offsets of the field at `path`, in the space of space_of(path).
  [[nodiscard]] thrift::Extent locate(std::string_view path) const { return find(path).second; }

  Findings& findings;
  Place place;
  View bytes;  ///< from the first byte of the struct on
  const thrift::StructType& type;
  std::string prefix = {};     ///< of all paths in findings, if the struct is not the outermost one
  std::string_view base = {};  ///< path from the struct to that of within()
  const OpenedMetadata* opened = nullptr;  ///< where meta_data of encrypted column chunks was decrypted

 private:
  [[nodiscard]] std::pair<Space, thrift::Extent> find(std::string_view path) const;
};

/// Makes a finding at bytes of the file.
void report_at(Findings& findings, Rule rule, const Place& place, std::uint64_t offset, std::uint64_t length,
               Contrast what = {}, std::string field = {});
/// Makes a finding of an Error or Note of a decoder, in the page whose header is at `page_offset`.
void report_error(Findings& findings, const Place& place, const Error& error, std::uint64_t page_offset,
                  std::uint64_t times = 1, std::string detail = {});
/// Makes a finding at bytes of the body of the page whose header is at `page_offset`, the first of `times`.
void report_in_page(Findings& findings, Rule rule, const Place& place, View at, std::uint64_t page_offset,
                    Contrast what, std::uint64_t times = 1);
/// Makes a finding of a fault of `page`, at `place`, or of the column chunk that it is in.
/// PageFault::At::unreadable breaks no rule and gives no finding.
void report_page_fault(const FindingSite& chunk, const Place& place, const Page& page,
                       const PageFault& fault);

}  // namespace parqproof
