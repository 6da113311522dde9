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

/// What reading any bytes as a struct comes to.
struct StructReading {
  Findings findings{RuleSet{}.set()};
  bool whole = false;  ///< the framing is
  std::string fault;   ///< what the ways of reading do not agree about, in words; empty where they do
};

/// Whether two lists of findings say the same at the same places.
[[nodiscard]] bool same_findings(const Findings& a, const Findings& b);

/// What is wrong with the findings themselves: one lies outside of the bytes, its field is not found there
/// (of many findings, a few are looked at), or none says why the framing is lost.
[[nodiscard]] std::string findings_fault(View bytes, const thrift::StructType& type, const Findings& findings,
                                         bool whole);

/// What a walk without judgement does not agree about with a reader that ended at `end`.
[[nodiscard]] std::string walk_fault(View bytes, const thrift::StructType& type, bool whole,
                                     std::uint64_t end);

/// A struct in longer forms than it needs: fields with their ids in full, lengths padded, and a
/// field that no table knows at its end. `present`: the fields that it has, a bit for each id.
[[nodiscard]] std::vector<std::uint8_t> emitted_loosely(const thrift::StructType& type, std::uint32_t present,
                                                        const void* value);

/// Reads the bytes in every way there is: twice strictly, by a walk, passing over them, and once more what
/// was emitted again, in the canonical form and in others.
template <typename Struct>
[[nodiscard]] StructReading read_every_way(View bytes) {
  const Limits limits;
  StructReading reading;
  Struct value;
  thrift::Reader reader(bytes, {&reading.findings, {}, {}}, limits);
  reading.whole = reader.read(value);
  Findings again(RuleSet{}.set());
  thrift::Reader second(bytes, {&again, {}, {}}, limits);
  Struct other;
  if (second.read(other) != reading.whole || !same_findings(again, reading.findings)) {
    reading.fault = "a second reading finds something else";
    return reading;
  }
  reading.fault = findings_fault(bytes, Struct::kType, reading.findings, reading.whole);
  if (reading.fault.empty())
    reading.fault = walk_fault(bytes, Struct::kType, reading.whole, value.fields.end);
  thrift::Reader passing(bytes, {}, limits);
  const bool passed = passing.pass_over();
  if (passed != reading.whole || (passed && passing.offset() != value.fields.end))
    reading.fault = "the reader passes over something else than it reads";
  if (!reading.fault.empty() || !reading.whole) return reading;
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
    if (again_from_loose != emitted)
      reading.fault = "what was emitted in another form is read as something else";
  }
  // A struct with a fault is given what could be read of it, and that need not be a struct in order.
  if (twice != emitted && (reader.sound() || third.sound()))
    reading.fault = "what was emitted is read as something else";
  return reading;
}

}  // namespace parqproof::fuzz
