#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "codec/rules/finding.hpp"
#include "codec/thrift/table.hpp"

namespace parqproof::thrift {

/// Tells the first fault of bytes that stand at a wrong place from its duplicates. Where a byte of a struct
/// is lost, inserted, or changed so that a number has another length, all that follows is read at a wrong
/// place: wrong types, unknown fields, missing ones, in this struct and in those around it. The first of
/// these faults is the finding. Faults that have company soon are such duplicates; one that stands alone is a
/// fault of its own, and so is one that struct after struct has at the same field in the same words.
class Doubt {
 public:
  /// A fault as it is met: in the struct with this number, at this field (null: none that is known).
  struct Fault {
    Rule rule;
    const Field* field = nullptr;
    std::uint64_t in = 0;
    FindingValue found = {};     ///< of a sign
    FindingValue expected = {};  ///< likewise
  };

  Doubt() noexcept;
  Doubt(Doubt&&) noexcept;
  Doubt& operator=(Doubt&&) noexcept;
  ~Doubt();

  /// Whether a fault of this rule is a sign that the bytes are no struct as declared.
  [[nodiscard]] static bool is_sign(Rule rule) noexcept;

  /// Takes a fault, and its finding unless that is null.
  void take(const Fault& fault, Finding* finding, Findings* to);
  /// A struct was read to its end.
  void close(std::uint64_t structure, Findings* to);
  /// Bytes were read that are beyond doubt, or all are read.
  void settle(Findings* to);

  /// Nothing is in doubt.
  [[nodiscard]] bool none() const noexcept { return state_ == State::none; }
  /// What is read now stands at a wrong place.
  [[nodiscard]] bool misread() const noexcept { return state_ == State::misread; }

 private:
  enum class State : std::uint8_t { none, open, misread };
  struct Duplicates;

  void open(const Fault& fault, bool wanted);
  void report_all(Findings* to);
  void report_first(Findings* to);

  State state_ = State::none;
  std::unique_ptr<Duplicates> duplicates_;  ///< null before the first fault
};

}  // namespace parqproof::thrift
