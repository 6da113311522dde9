// Properties of memory files. Random choices (kernels, the form of the report) are drawn from the bytes.
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "codec/kernel/kernels.hpp"
#include "conformance/report/bytes/layout.hpp"
#include "fuzz/invariants.hpp"
#include "fuzz/property.hpp"

namespace parqproof::fuzz {
namespace {

// A number that depends on every byte.
std::size_t drawn(std::span<const std::uint8_t> bytes) noexcept {
  std::uint64_t mixed = bytes.size();
  for (const std::uint8_t byte : bytes) mixed = (mixed ^ byte) * 0x100000001B3U;
  return static_cast<std::size_t>(mixed >> 32);
}

std::string check_fault(std::span<const std::uint8_t> bytes, Tier tier) {
  const std::size_t chance = drawn(bytes);
  const MemorySource source(bytes);
  const auto profile = static_cast<Profile>(chance / 512 % 3);
  const FileReport report = judged_with(*all_kernels()[chance % all_kernels().size()], source, tier, profile);
  std::string fault = contradiction(report, bytes.size());
  if (fault.empty() && chance / 8 % 16 == 0 &&
      json_of(judged_with(reference_kernels(), source, tier, profile)) != json_of(report)) {
    fault = "the report depends on the kernels";
  }
  if (chance / 128 % 4 == 0) print_one_form(source, report, chance / 1536);
  return fault;
}

/// Bytes in memory, some of which cannot be read, as in a bad sector of a disk.
class BadSector final : public Source {
 public:
  BadSector(std::span<const std::uint8_t> bytes, std::uint64_t begin, std::uint64_t end) noexcept
      : memory_(bytes), begin_(begin), end_(end) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return memory_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    const bool meets = offset < end_ && offset + into.size() > begin_ && !into.empty();
    met_ = met_ || meets;
    return !meets && memory_.read(offset, into);
  }
  /// Returns true if a read has failed since the last call.
  [[nodiscard]] bool take_met() const noexcept { return std::exchange(met_, false); }

 private:
  MemorySource memory_;
  std::uint64_t begin_;
  std::uint64_t end_;
  mutable bool met_ = false;
};

RowOptions row_options(std::size_t chance, const Limits& limits) {
  RowOptions options;
  options.limit = kFewRows;
  options.limits = limits;
  options.view = chance % 2 == 0 ? RowView::logical : RowView::physical;
  options.damaged = static_cast<DamagedRows>(chance / 2 % 3);
  options.ignore_crc = chance / 6 % 4 == 0;
  return options;
}

/// A file with an unreadable part gives the same results as without, unless a read of that part failed and
/// was reported.
std::string bad_sector_fault(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return {};
  const std::size_t chance = drawn(bytes);
  const std::uint64_t begin = chance / 16 % bytes.size();
  const BadSector source(bytes, begin, begin + (std::uint64_t{1} << chance % 16));
  const MemorySource memory(bytes);
  const FileReport report = judged_with(*all_kernels().back(), source, Tier::values);
  const bool met = source.take_met();
  if (met != (report.verdict == Verdict::unreadable))
    return std::string("bytes ") + (met ? "cannot" : "can") + " be read, and the verdict is " +
           to_string(report.verdict);
  print_one_form(source, report, chance / 3);
  std::ignore = source.take_met();
  const Layout layout = read_layout(source);
  if (source.take_met() != layout.failed) return "the byte map does not match the failed reads";
  const RowOptions options = row_options(chance / 7, small_limits());
  const WrittenRows rows = rows_of(source, options);
  if (!rows.fault.empty()) return rows.fault;
  const bool reported = rows.outcome.end == RowsEnd::failed || rows.outcome.left_out.any();
  return (reported && source.take_met()) || rows.text == rows_of(memory, options).text
             ? ""
             : "rows differ where bytes cannot be read";
}

/// Rows that lost a value to damage are reported, and all others are written. With a wrong count, damaged
/// rows are counted differently from plain ones, so both are compared only for a file that breaks no rule.
std::string damaged_rows_fault(std::span<const std::uint8_t> bytes) {
  const std::size_t chance = drawn(bytes);
  const MemorySource source(bytes);
  RowOptions options = row_options(chance, small_limits());
  options.damaged = chance / 512 % 2 == 0 ? DamagedRows::left_out : DamagedRows::with_null;
  const WrittenRows rows = rows_of(source, options);
  if (!rows.fault.empty()) return rows.fault;
  const LeftOut& lost = rows.outcome.left_out;
  if (rows.outcome.end == RowsEnd::complete && lost.requested != 0 &&
      lost.requested - lost.rows != rows.lines)
    return std::to_string(lost.requested) + " rows less " + std::to_string(lost.rows) + " are not " +
           std::to_string(rows.lines);
  if (lost.rows + lost.with_null != 0 && !lost.any()) return "rows are left out without a reason";
  options.damaged = DamagedRows::end;
  const WrittenRows first = rows_of(source, options);
  if (!first.fault.empty()) return first.fault;
  const bool same = first.outcome.end != RowsEnd::complete || lost.any() || rows.text == first.text;
  if (!same && judged_with(*all_kernels().back(), source, Tier::values).verdict == Verdict::conforming)
    return "the rows of an intact file differ";
  return {};
}

Limits drawn_limits(std::size_t chance) {
  Limits limits = small_limits();
  limits.page_bytes = std::uint64_t{16} << chance % 13;
  limits.memory_bytes = std::uint64_t{256} << chance / 13 % 13;
  limits.schema_depth = 1 + chance / 169 % 8;
  limits.nesting = static_cast<std::uint32_t>(1 + chance / 1352 % 16);
  return limits;
}

/// Limits reduce the parts that are checked and shown; they never make a file nonconforming, and never change
/// a row.
std::string limits_fault(std::span<const std::uint8_t> bytes) {
  const std::size_t chance = drawn(bytes);
  const Limits limits = drawn_limits(chance);
  const MemorySource source(bytes);
  const FileReport report = judged_with(*all_kernels().back(), source, Tier::values, Profile::strict, limits);
  if (std::string fault = contradiction(report, bytes.size()); !fault.empty()) return fault;
  const Verdict without = judged_with(*all_kernels().back(), source, Tier::values).verdict;
  const auto is_wrong = [](Verdict verdict) {
    return verdict == Verdict::nonconforming || verdict == Verdict::malformed;
  };
  if (is_wrong(report.verdict) && !is_wrong(without)) return "the file is nonconforming only under limits";
  RowOptions options = row_options(chance / 7, limits);
  options.damaged = DamagedRows::end;
  const WrittenRows rows = rows_of(source, options);
  if (!rows.fault.empty()) return rows.fault;
  options.limits = small_limits();
  return rows_of(source, options).text.starts_with(rows.text) ? "" : "the rows differ under limits";
}

}  // namespace

void add_file_properties(std::vector<Property>& properties) {
  for (const Tier tier : {Tier::footer, Tier::pages, Tier::values}) {
    properties.push_back(
        {"check_" + std::string(to_string(tier)), [tier](auto input) { return check_fault(input, tier); }});
  }
  properties.push_back({"layout", [](auto input) { return map_fault(input); }});
  properties.push_back({"cat_logical", [](auto input) { return rows_fault(input, RowView::logical); }});
  properties.push_back({"cat_physical", [](auto input) { return rows_fault(input, RowView::physical); }});
  properties.push_back({"damaged_rows", damaged_rows_fault});
  properties.push_back({"bad_sector", bad_sector_fault});
  properties.push_back({"limits", limits_fault});
}

}  // namespace parqproof::fuzz
