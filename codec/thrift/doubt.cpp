#include "codec/thrift/doubt.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "codec/rules/rule.hpp"

namespace parqproof::thrift {
namespace {

/// Weight from which the bytes are certainly misread.
constexpr unsigned kMisreadWeight = 4;
/// Max number of deferred findings. More than these are not duplicates of one fault.
constexpr std::size_t kMaxDeferred = 64;

/// Returns the weight of a fault as a sign of misread bytes.
unsigned weight_of(Rule rule) noexcept { return evidence(rule, Suspicion::misread_struct); }

bool is_type(Rule rule) noexcept {
  return rule == Rule::thrift_field_type || rule == Rule::thrift_optional_field_type;
}

}  // namespace

/// Faults, and the deferred findings that may be duplicates of the first one.
struct Doubt::Duplicates {
  unsigned weight = 0;  ///< sum over the signs so far
  Fault first{};
  std::size_t first_at = 0;  ///< index of the first fault's finding, if it is deferred
  bool first_deferred = false;
  std::vector<Finding> deferred;
};

Doubt::Doubt() noexcept = default;
Doubt::Doubt(Doubt&&) noexcept = default;
Doubt& Doubt::operator=(Doubt&&) noexcept = default;
Doubt::~Doubt() = default;

bool Doubt::is_sign(Rule rule) noexcept { return weight_of(rule) >= 2; }

void Doubt::take(const Fault& fault, Finding* finding, Findings* to) {
  if (duplicates_ == nullptr) duplicates_ = std::make_unique<Duplicates>();
  Duplicates& duplicates = *duplicates_;
  const Fault& first = duplicates.first;
  const bool sign = is_sign(fault.rule);
  // A union is identified by its struct alone.
  const bool same_field =
      fault.rule == Rule::thrift_union_exactly_one || (fault.field != nullptr && fault.field == first.field);
  const bool again = sign && !none() && fault.in != first.in && fault.rule == first.rule && same_field &&
                     fault.found == first.found && fault.expected == first.expected;
  if (again) settle(to);
  if (misread()) return;
  if (none() && sign) {
    open(fault, finding != nullptr);
  } else if (!none()) {
    // A field of another type can be skipped, so a second one in the same struct is weak evidence.
    const bool skipped = fault.rule == Rule::thrift_optional_field_type && fault.in == first.in;
    duplicates.weight += skipped ? 1 : weight_of(fault.rule);
  }
  if (finding != nullptr) duplicates.deferred.push_back(std::move(*finding));
  if (duplicates.weight >= kMisreadWeight) {
    report_first(to);
  } else if (duplicates.deferred.size() > kMaxDeferred || (none() && weight_of(fault.rule) == 0)) {
    settle(to);
  }
}

void Doubt::open(const Fault& fault, bool wanted) {
  state_ = State::open;
  // A deferred finding earlier in the same struct is a duplicate too.
  duplicates_->weight = weight_of(fault.rule) + (duplicates_->deferred.empty() ? 0U : 1U);
  duplicates_->first = fault;
  duplicates_->first_deferred = wanted;
  duplicates_->first_at = duplicates_->deferred.size();
}

void Doubt::close(std::uint64_t structure, Findings* to) {
  if (duplicates_ == nullptr) return;
  const Fault& first = duplicates_->first;
  if (none()) {
    report_all(to);
  } else if (state_ == State::open && first.in == structure) {
    report_all(to);
    // A struct without a required field may have ended too early, at a byte misread as its stop byte.
    if (first.rule != Rule::thrift_required_field && first.rule != Rule::thrift_union_exactly_one) settle(to);
  }
}

void Doubt::settle(Findings* to) {
  if (duplicates_ == nullptr) return;
  if (!misread()) report_all(to);
  state_ = State::none;
  duplicates_->weight = 0;
}

void Doubt::report_all(Findings* to) {
  for (Finding& finding : duplicates_->deferred) {
    if (is_type(finding.rule)) finding.detail.clear();
    to->add(std::move(finding));
  }
  duplicates_->deferred.clear();
  duplicates_->first_deferred = false;
}

void Doubt::report_first(Findings* to) {
  state_ = State::misread;
  duplicates_->weight = 0;
  if (duplicates_->first_deferred) {
    Finding& first = duplicates_->deferred[duplicates_->first_at];
    // A reader that skips the field is misaligned after it.
    if (first.rule == Rule::thrift_optional_field_type) first.rule = Rule::thrift_field_type;
    to->add(std::move(first));
  }
  duplicates_->deferred.clear();
  duplicates_->first_deferred = false;
}

}  // namespace parqproof::thrift
