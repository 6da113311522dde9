#include "conformance/fault/fault.hpp"

#include <algorithm>
#include <array>

#include "conformance/fault/changes.hpp"
#include "conformance/fault/needs.hpp"

namespace parqproof::fault {
namespace {

constexpr Fault kFaults[] = {
#define PARQPROOF_FAULT(name, rule, reader, where, need, ...) \
  {name, Rule::rule, Reader::reader, Where::where, &needs::need, __VA_ARGS__},
#include "conformance/fault/faults.def"
#undef PARQPROOF_FAULT
};

}  // namespace

std::string_view to_string(Reader reader) noexcept {
  switch (reader) {
    case Reader::accept:
      return "accept";
    case Reader::may:
      return "may";
    case Reader::loses_rows:
      return "loses rows";
    case Reader::reject:
      return "reject";
  }
  return "";
}

std::span<const Fault> all_faults() noexcept { return kFaults; }

const Fault* find_fault(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(kFaults, name, &Fault::name);
  return found == std::ranges::end(kFaults) ? nullptr : found;
}

}  // namespace parqproof::fault
