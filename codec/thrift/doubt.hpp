#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "codec/rules/finding.hpp"
#include "codec/thrift/table.hpp"

namespace parqproof::thrift {

/// Suppresses follow-up errors after a misaligned read. If a byte of a struct is lost, inserted, or changed
/// so that a number has another length, everything after it is read at a wrong offset: wrong types, unknown
/// fields and missing fields in this struct and the enclosing ones. Only the first of these faults becomes a
/// finding.
///
/// Further faults soon after the first one are the evidence. They are accepted when their weights reach a
/// bound, and a limited number of findings is deferred until then. A fault without followers is a finding,
/// and so is a fault that one struct after another has at the same field with the same text.
class Doubt {
 public:
  /// A fault in a struct.
  struct Fault {
    Rule rule;
    const Field* field = nullptr;  ///< null if unknown
    std::uint64_t in = 0;          ///< OpenStruct::number of the struct
    FindingValue found = {};       ///< of a sign
    FindingValue expected = {};    ///< of a sign
  };

  Doubt() noexcept;
  Doubt(Doubt&&) noexcept;
  Doubt& operator=(Doubt&&) noexcept;
  ~Doubt();

  /// Returns true if a fault of this rule is evidence that the bytes are not a struct of the declared type.
  [[nodiscard]] static bool is_sign(Rule rule) noexcept;

  /// Adds a fault and its finding; null if the fault is only counted.
  void add(const Fault& fault, Finding* finding, Findings* to);
  /// Called at the end of each struct.
  void close(std::uint64_t structure, Findings* to);
  /// Reports the deferred findings and discards the evidence. Called after bytes that are certainly read
  /// correctly, and at the end of all bytes.
  void report_and_reset(Findings* to);

  /// Returns true if no fault is pending.
  [[nodiscard]] bool none() const noexcept { return state_ == State::none; }
  /// Returns true if the current bytes are read at a wrong offset.
  [[nodiscard]] bool misread() const noexcept { return state_ == State::misread; }

 private:
  enum class State : std::uint8_t { none, open, misread };
  struct Evidence;

  void open(const Fault& fault, bool wanted);
  void report_all(Findings* to);
  /// Reports the first fault, drops its duplicates, and suppresses findings until report_and_reset().
  void confirm_misread(Findings* to);

  State state_ = State::none;
  std::unique_ptr<Evidence> evidence_;  ///< null before the first fault
};

}  // namespace parqproof::thrift
