#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/fault/apply.hpp"
#include "conformance/result/file_report.hpp"

namespace support {

/// The bytes of a file with a fault.
[[nodiscard]] std::vector<std::uint8_t> written(parqproof::fault::Faulty& faulty);

/// Checks bytes with all advice and without a limit of findings.
[[nodiscard]] parqproof::FileReport report_of(const std::vector<std::uint8_t>& bytes,
                                              parqproof::Profile profile);

/// The findings that a fault causes.
struct Caused {
  std::size_t right = 0;  ///< of its rule, at the changed structure, and not in the file before
  std::string others;     ///< errors and warnings of other rules
};

/// `faulty`: after it was written. `before`: the findings of the file without the fault. A rule that it
/// breaks elsewhere may be reported at another of its places, if the first is lost.
[[nodiscard]] Caused caused(const parqproof::fault::Fault& fault, const parqproof::fault::Faulty& faulty,
                            const parqproof::FileReport& before, const parqproof::FileReport& after);

/// Returns true if the file breaks the rule.
[[nodiscard]] bool breaks(const parqproof::FileReport& report, parqproof::Rule rule);

}  // namespace support
