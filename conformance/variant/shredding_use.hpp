#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/variant/shredding.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Counts the values that the columns of a shredded Variant hold, in all row groups, for the advice
/// shredding/never-typed.
class ShreddingUse {
 public:
  /// `columns` must outlive it.
  ShreddingUse(FileCheck& check, const variant::Group& columns)
      : check_(check),
        columns_(columns),
        parts_(check.footer.schema.nodes()[columns.node].end - columns.node) {}

  void add(const variant::Part& part, bool has_value, bool has_typed) {
    Counts& counts = parts_[part.node - columns_.node];
    counts.values += has_value || has_typed ? 1 : 0;
    counts.typed += has_typed ? 1 : 0;
  }
  /// Reports each typed_value, and each field, without a value in a file whose rows were all added. A Variant
  /// with errors gets no advice.
  void report();

 private:
  struct Counts {
    std::uint64_t values = 0;
    std::uint64_t typed = 0;
  };

  [[nodiscard]] const Counts& counts(const variant::Part& part) const {
    return parts_[part.node - columns_.node];
  }
  [[nodiscard]] bool has_errors() const;
  [[nodiscard]] bool could_be_typed(const variant::Part& part) const;
  void judge(const variant::Part& part);
  void report_columns(std::size_t first, std::size_t last, std::string found);

  FileCheck& check_;
  const variant::Group& columns_;
  std::vector<Counts> parts_;  // by the node of the part, counted from that of the group
};

}  // namespace parqproof
