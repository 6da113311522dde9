#include <algorithm>
#include <nlohmann/json.hpp>

#include "codec/format/chunk_start.hpp"
#include "codec/page/chunk_extent.hpp"
#include "codec/record/column_cursor.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/check/check.hpp"
#include "conformance/cli/section/section_input.hpp"
#include "conformance/cli/vectors/vectors.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/rows/row_footer.hpp"

namespace parqproof::cli {
namespace {

using nlohmann::json;

/// Entries of a column chunk.
struct Entries {
  std::vector<std::uint64_t> repetition;
  std::vector<std::uint64_t> definition;
  ValueList values;

  friend bool operator==(const Entries&, const Entries&) = default;
};

/// Adds a value as a cursor returns it.
void append(std::span<const std::uint8_t> value, Type type, ValueList& values) {
  ++values.count;
  values.bytes.insert(values.bytes.end(), value.begin(), value.end());
  if (type == Type::BYTE_ARRAY) values.numbers.push_back(static_cast<std::uint32_t>(value.size()));
}

/// Reads the entries of the only chunk of a file; false if the file ends before the chunk does.
bool read_entries(const Source& source, Entries& entries) {
  const Limits limits;
  ReadingFailure failure;
  RowFooter footer(source, limits, failure);
  if (!footer.read()) return false;
  StoredChunk chunk;
  chunk.source = &source;
  thrift::for_each<RowGroup>(
      footer.meta().row_groups, limits, [&](const RowGroup& group, std::uint32_t /*index*/) {
        thrift::for_each<ColumnChunk>(
            group.columns, limits, [&](const ColumnChunk& column, std::uint32_t /*index*/) {
              const ColumnMetaData& meta = column.meta_data;
              chunk.codec = meta.codec;
              chunk.extent = chunk_extent(static_cast<std::uint64_t>(chunk_start(meta).offset),
                                          meta.total_compressed_size, meta.num_values, footer.offset());
            });
      });
  ReadingContext context{footer.schema(), limits};
  ColumnCursor cursor(context, 0, 0);
  if (!cursor.open(chunk)) return false;
  while (!cursor.at_end()) {
    entries.repetition.push_back(cursor.repetition());
    entries.definition.push_back(cursor.definition());
    if (cursor.definition() == cursor.leaf().max_definition) {
      append(cursor.value(), cursor.leaf().type, entries.values);
    }
    if (!cursor.next() || !cursor.settle()) return false;
  }
  return true;
}

class Pages final : public VectorSubject {
 public:
  Pages(std::vector<std::uint8_t> before, std::vector<std::uint8_t> after, Entries entries)
      : before_(std::move(before)), after_(std::move(after)), entries_(std::move(entries)) {}

  [[nodiscard]] Outcome decode(std::span<const std::uint8_t> bytes) const override {
    std::vector<std::uint8_t> file = before_;
    file.insert(file.end(), bytes.begin(), bytes.end());
    file.insert(file.end(), after_.begin(), after_.end());
    const MemorySource source(file);
    Outcome outcome{Findings{RuleSet().set()}, {}};
    CheckOptions options;
    // The schema is defined by the vector, so the page is at fault.
    options.changes.push_back({"schema/levels", "off", false});
    for (const ReportedFinding& reported : check(source, {}, options).findings) {
      Finding finding = reported.finding;
      // In an uncompressed page all offsets are those of the file.
      finding.offset -= std::min<std::uint64_t>(finding.offset, before_.size());
      outcome.findings.add(std::move(finding));
    }
    Entries entries;
    if (!read_entries(source, entries) || entries != entries_)
      outcome.difference = "the decoded entries differ";
    return outcome;
  }

 private:
  std::vector<std::uint8_t> before_;
  std::vector<std::uint8_t> after_;
  Entries entries_;
};

/// Parses the levels and values of `entries`; the error is the message.
std::expected<Entries, std::string> read_expected(const json& object, Type type, std::uint32_t type_length) {
  Entries entries;
  for (const auto& [key, levels] :
       {std::pair("repetition_levels", &entries.repetition), {"definition_levels", &entries.definition}}) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_array()) {
      return std::unexpected("the entries have no " + std::string(key));
    }
    for (const json& level : object[key]) {
      if (!level.is_number_unsigned()) return std::unexpected("a level is not a number");
      levels->push_back(level.get<std::uint64_t>());
    }
  }
  auto values = read_values(object.value("values", json()), type, type_length, false);
  if (!values) return std::unexpected(values.error());
  entries.values = std::move(*values);
  return entries;
}

}  // namespace

MadeSubject page_subject(Members& members) {
  std::vector<std::uint8_t> before;
  std::vector<std::uint8_t> after;
  const bool is_hex = read_hex(members.text("before"), before) && read_hex(members.text("after"), after);
  const json* const column = members.find("column");
  const json* const entries = members.find("entries", false);
  if (!members.missing().empty()) return nullptr;
  if (!is_hex) return std::unexpected("the bytes around the pages are not hex digits");
  if (!column->is_object()) return std::unexpected("the column is not an object");
  Members facts(*column);
  const std::string name = facts.text("type");
  const auto type = std::ranges::find(kTypeEnum.values, name, &thrift::EnumValue::name);
  if (type == kTypeEnum.values.end()) return std::unexpected("no type is named '" + name + "'");
  if (entries == nullptr) return std::make_unique<Pages>(std::move(before), std::move(after), Entries());
  const auto length = static_cast<std::uint32_t>(facts.number("type_length", false).value_or(0));
  auto expected = read_expected(*entries, static_cast<Type>(type->value), length);
  if (!expected) return std::unexpected(expected.error());
  return std::make_unique<Pages>(std::move(before), std::move(after), std::move(*expected));
}

}  // namespace parqproof::cli
