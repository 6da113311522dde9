// Properties of whole files. What is drawn (kernels, the report's form) is drawn from the bytes.
#include <algorithm>
#include <string>

#include "codec/kernel/kernels.hpp"
#include "fuzz/invariants.hpp"
#include "fuzz/property.hpp"

namespace parqproof::fuzz {
namespace {

// A number that a change of any byte changes.
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
  if (fault.empty() && chance / 8 % 8 == 0 &&
      json_of(judged_with(reference_kernels(), source, tier, profile)) != json_of(report)) {
    fault = "kernels make another report";
  }
  if (chance / 64 % 8 == 0) print_report(source, report);
  return fault;
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
}

}  // namespace parqproof::fuzz
