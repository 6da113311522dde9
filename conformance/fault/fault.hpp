#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "codec/rules/rule.hpp"
#include "conformance/fault/bounds.hpp"
#include "conformance/fault/file.hpp"

/// Faults: named changes of a file, each of which breaks one rule.
namespace parqproof::fault {

/// What a reader does with a file that has the fault (corpus/README.md).
enum class Reader : std::uint8_t {
  accept,      ///< it returns all rows
  may,         ///< it returns all rows, or rejects the file
  loses_rows,  ///< likewise, but it loses rows without an error if it filters by what is wrong
  reject,      ///< it cannot return the rows, so it must report that
};

[[nodiscard]] std::string_view to_string(Reader reader) noexcept;

struct Change;

/// Applies a change at a site. Returns false if the site lacks what the change needs; the file is then of no
/// further use.
using Apply = bool (*)(File& file, const Site& site, const Change& change);

/// A change with its parameters.
struct Change {
  Apply apply = nullptr;
  std::string_view path = {};  ///< of a field, relative to the site
  std::int64_t number = 0;
  std::string_view text = {};
  std::int32_t encoding = -1;  ///< number of the Encoding that the page must have; -1: any
  OtherBound other = nullptr;
};

/// A property that a site must have.
struct Need {
  std::string_view words;  ///< "a column chunk with a dictionary page"
  bool (*holds)(File& file, const Site& site);
};

/// A row of faults.def.
struct Fault {
  std::string_view name;
  Rule rule;  ///< the only rule that the file breaks then, apart from those that it broke before
  Reader reader;
  Where where;
  const Need* need;
  Change change;
};

/// All faults in the order of faults.def.
[[nodiscard]] std::span<const Fault> all_faults() noexcept;
/// The fault with this name, or null.
[[nodiscard]] const Fault* find_fault(std::string_view name) noexcept;

}  // namespace parqproof::fault
