#pragma once

#include <string>

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/rules/finding.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/thrift/locate.hpp"
#include "codec/thrift/reader.hpp"
#include "codec/thrift/walk.hpp"

namespace parqproof::fuzz {

/// Result of reading any bytes as a struct.
struct StructReading {
  Findings findings{RuleSet{}.set()};
  bool framed = false;  ///< the framing can be read to its end
  std::string fault;    ///< disagreement between the ways of reading; empty if none
};

/// Returns true if two lists have the same findings at the same places.
[[nodiscard]] bool same_findings(const Findings& a, const Findings& b);

/// Checks the findings themselves: each must be inside the bytes, its field must be found there (for a few of
/// many findings), and lost framing must have an error.
[[nodiscard]] std::string findings_fault(View bytes, const thrift::StructType& type, const Findings& findings,
                                         bool framed);

/// Compares a walk, which checks no rules, with a reader that ended at `end`.
[[nodiscard]] std::string walk_fault(View bytes, const thrift::StructType& type, bool framed,
                                     std::uint64_t end);

/// A struct in longer forms than necessary: field ids in full, padded lengths, and an unknown field at its
/// end. `present` has a bit for the id of each field of the struct.
[[nodiscard]] std::vector<std::uint8_t> emitted_loosely(const thrift::StructType& type, std::uint32_t present,
                                                        const void* value);

/// Reads the bytes in all ways: twice strictly, by a walk, by skipping, and again after emitting the struct,
/// in the canonical form and in others.
template <typename Struct>
[[nodiscard]] StructReading read_every_way(View bytes) {
  const Limits limits;
  StructReading reading;
  Struct value;
  thrift::Reader reader(bytes, {&reading.findings, {}, {}}, limits);
  reading.framed = reader.read(value);
  Findings again(RuleSet{}.set());
  thrift::Reader second(bytes, {&again, {}, {}}, limits);
  Struct other;
  if (second.read(other) != reading.framed || !same_findings(again, reading.findings)) {
    reading.fault = "a second reading has another result";
    return reading;
  }
  reading.fault = findings_fault(bytes, Struct::kType, reading.findings, reading.framed);
  if (reading.fault.empty())
    reading.fault = walk_fault(bytes, Struct::kType, reading.framed, value.fields.end);
  thrift::Reader passing(bytes, {}, limits);
  const bool passed = passing.pass_over();
  if (passed != reading.framed || (passed && passing.offset() != value.fields.end))
    reading.fault = "skipping the struct ends elsewhere than reading it";
  if (!reading.fault.empty() || !reading.framed) return reading;
  std::vector<std::uint8_t> emitted;
  thrift::emit(value, emitted);
  thrift::Reader third({emitted}, {}, limits);
  Struct copy;
  std::vector<std::uint8_t> twice;
  if (third.read(copy)) thrift::emit(copy, twice);
  if (reading.fault.empty() && reader.sound()) {
    const std::vector<std::uint8_t> loose = emitted_loosely(Struct::kType, value.fields.present, &value);
    thrift::Reader fourth({loose}, {}, limits);
    std::vector<std::uint8_t> again_from_loose;
    Struct loosely;
    if (fourth.read(loosely)) thrift::emit(loosely, again_from_loose);
    if (again_from_loose != emitted) reading.fault = "the struct emitted in another form is read differently";
  }
  // A struct with a fault has only its readable parts, which need not be a valid struct.
  if (twice != emitted && (reader.sound() || third.sound()))
    reading.fault = "the emitted struct is read differently";
  return reading;
}

}  // namespace parqproof::fuzz
