#include "codec/thrift/doubt.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "codec/rules/rule.hpp"

namespace parqproof::thrift {
namespace {

/// Min weight of the first sign of a misread.
constexpr unsigned kSignWeight = 2;
/// Min sum of weights that proves a misread.
constexpr unsigned kMisreadWeight = 4;
/// Max number of deferred findings; one misread has fewer duplicates.
constexpr std::size_t kMaxDeferred = 64;

/// Returns the weight of a fault as evidence of misread bytes; 0 if it is none.
unsigned weight_of(Rule rule) noexcept { return evidence(rule, Suspicion::misread_struct); }

bool is_field_type_rule(Rule rule) noexcept {
  return rule == Rule::thrift_field_type || rule == Rule::thrift_optional_field_type;
}

}  // namespace

/// The first sign of a misread, the evidence for it, and the deferred findings.
struct Doubt::Evidence {
  unsigned weight = 0;       ///< sum over the faults since the first sign
  Fault first{};             ///< the first sign
  std::size_t first_at = 0;  ///< index of the first fault's finding, if it is deferred
  bool first_deferred = false;
  std::vector<Finding> deferred;
};

Doubt::Doubt() noexcept = default;
Doubt::Doubt(Doubt&&) noexcept = default;
Doubt& Doubt::operator=(Doubt&&) noexcept = default;
Doubt::~Doubt() = default;

bool Doubt::is_sign(Rule rule) noexcept { return weight_of(rule) >= kSignWeight; }

void Doubt::add(const Fault& fault, Finding* finding, Findings* to) {
  if (evidence_ == nullptr) evidence_ = std::make_unique<Evidence>();
  Evidence& so_far = *evidence_;
  const Fault& first = so_far.first;
  const bool sign = is_sign(fault.rule);
  // thrift/union-exactly-one is a fault of the union, not of a field in it.
  const bool same_field =
      fault.rule == Rule::thrift_union_exactly_one || (fault.field != nullptr && fault.field == first.field);
  // The same fault at the same field of another struct is an error of the writer, not a misread: the deferred
  // findings are reported, and the evidence is counted anew.
  const bool is_repeated_by_writer = sign && !none() && fault.in != first.in && fault.rule == first.rule &&
                                     same_field && fault.found == first.found &&
                                     fault.expected == first.expected;
  if (is_repeated_by_writer) report_and_reset(to);
  if (misread()) return;
  if (none() && sign) {
    open(fault, finding != nullptr);
  } else if (!none()) {
    // A field of another type can be skipped, so a second one in the same struct is weak evidence.
    const bool skipped = fault.rule == Rule::thrift_optional_field_type && fault.in == first.in;
    so_far.weight += skipped ? 1 : weight_of(fault.rule);
  }
  if (finding != nullptr) so_far.deferred.push_back(std::move(*finding));
  // Without a sign, a fault that is no evidence ends the deferral.
  const bool ends_deferral = none() && weight_of(fault.rule) == 0;
  if (so_far.weight >= kMisreadWeight) {
    confirm_misread(to);
  } else if (so_far.deferred.size() > kMaxDeferred || ends_deferral) {
    report_and_reset(to);
  }
}

void Doubt::open(const Fault& fault, bool wanted) {
  state_ = State::open;
  // Findings deferred earlier in the same struct count together as one fault of weight 1.
  evidence_->weight = weight_of(fault.rule) + (evidence_->deferred.empty() ? 0U : 1U);
  evidence_->first = fault;
  evidence_->first_deferred = wanted;
  evidence_->first_at = evidence_->deferred.size();
}

void Doubt::close(std::uint64_t structure, Findings* to) {
  if (evidence_ == nullptr) return;
  const Fault& first = evidence_->first;
  if (none()) {
    report_all(to);
  } else if (state_ == State::open && first.in == structure) {
    report_all(to);
    // A struct without a required field may have ended too early, at a byte misread as its stop byte.
    if (first.rule != Rule::thrift_required_field && first.rule != Rule::thrift_union_exactly_one)
      report_and_reset(to);
  }
}

void Doubt::report_and_reset(Findings* to) {
  if (evidence_ == nullptr) return;
  if (!misread()) report_all(to);
  state_ = State::none;
  evidence_->weight = 0;
}

void Doubt::report_all(Findings* to) {
  for (Finding& finding : evidence_->deferred) {
    // The field before it, in `detail`, only matters after a misread.
    if (is_field_type_rule(finding.rule)) finding.detail.clear();
    to->add(std::move(finding));
  }
  evidence_->deferred.clear();
  evidence_->first_deferred = false;
}

void Doubt::confirm_misread(Findings* to) {
  state_ = State::misread;
  evidence_->weight = 0;
  if (evidence_->first_deferred) {
    Finding& first = evidence_->deferred[evidence_->first_at];
    // A reader that skips the field is misaligned after it.
    if (first.rule == Rule::thrift_optional_field_type) first.rule = Rule::thrift_field_type;
    to->add(std::move(first));
  }
  evidence_->deferred.clear();
  evidence_->first_deferred = false;
}

}  // namespace parqproof::thrift
