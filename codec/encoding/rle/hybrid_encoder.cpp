#include <algorithm>
#include <array>
#include <limits>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/encoding/rle/hybrid.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kGroup = 8;            // values of a bit-packed group
constexpr std::size_t kMostPending = 4096;   // stretches that are cut at once
constexpr std::size_t kMostLiterals = 4096;  // values of them that are kept one by one
constexpr std::size_t kPackedAtOnce = 512;   // values
constexpr unsigned kManyShort = 16;  // short runs in a row, behind which further ones are surely packed

// What has been written before a value: an open bit-packed run whose last group has so many values, or no
// such run.
constexpr std::size_t kClosed = kGroup;
constexpr std::size_t kStates = kGroup + 1;

constexpr std::uint8_t kPacked =
    0xFF;  // a stretch without a repeated run; otherwise how many values follow it

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max() / 2;

/// How a stretch is passed.
struct Way {
  std::uint8_t from = 0;  // the state before it
  bool repeated = false;  // it holds a repeated run
};

}  // namespace

/// What is known of the states behind a stretch.
struct HybridEncoder::Costs {
  std::array<std::uint64_t, kStates> bits{};  // the fewest that it takes to come there
  std::array<Way, kStates> from{};            // the way there
};

void HybridEncoder::open(unsigned bit_width, const EncodeOptions& options, std::vector<std::uint8_t>& out) {
  options_ = &options;
  out_ = &out;
  bit_width_ = bit_width;
  longest_run_ = options.longest_run;
  most_groups_ = std::max<std::uint64_t>(1, options.longest_run / kGroup);
  const bool repeated = options.runs == EncodeOptions::Runs::repeated;
  shortest_gain_ = bit_width == 0 || repeated ? 1 : (8 + 8 * ceil_div(bit_width, 8)) / bit_width + 1;
  run_ = {};
  short_runs_ = 0;
  pending_.clear();
  literals_.clear();
  group_.clear();
  packed_open_ = false;
}

void HybridEncoder::add(std::uint32_t value, std::uint64_t count) {
  if (count == 0) return;
  if (run_.value != value) close_run();
  run_ = {value, run_.count + count, false};
}

void HybridEncoder::add(std::span<const std::uint32_t> values) {
  while (!values.empty()) {
    const std::size_t taken = short_runs_ == kManyShort ? add_short_runs(values) : 0;
    values = values.subspan(taken);
    if (values.empty()) return;
    const auto other = std::ranges::find_if(values, [&](std::uint32_t value) { return value != values[0]; });
    const auto count = static_cast<std::size_t>(other - values.begin());
    add(values[0], count);
    values = values.subspan(count);
  }
}

// Takes values up to a run that could gain from being repeated, which is left open.
std::size_t HybridEncoder::add_short_runs(std::span<const std::uint32_t> values) {
  if (run_.count == 0) return 0;
  std::size_t taken = 0;
  while (taken < values.size() && values[taken] == run_.value && run_.count < shortest_gain_) {
    ++taken;
    ++run_.count;
  }
  const std::span<const std::uint32_t> rest = values.subspan(taken);
  if (rest.empty() || run_.count >= shortest_gain_) return taken;
  append_literals(run_.value, run_.count);
  const auto gain = static_cast<std::size_t>(shortest_gain_);
  const std::size_t at = kernels().find_run32(rest.data(), rest.size(), gain);
  std::size_t length = gain;
  if (at == rest.size()) {  // the last run may go on
    length = 1;
    while (length < rest.size() && rest[rest.size() - 1 - length] == rest.back()) ++length;
  }
  const std::size_t literals = at == rest.size() ? at - length : at;
  append_literals(rest.first(literals));
  run_ = {rest[literals], length, false};
  return taken + literals + length;
}

// The open run has ended.
void HybridEncoder::close_run() {
  if (run_.count == 0) return;
  if (run_.count >= shortest_gain_) {
    part_last_literals();
    append_pending(run_);
    short_runs_ = 0;
  } else if (short_runs_ < kManyShort) {
    append_pending(run_);
    ++short_runs_;
  } else {
    append_literals(run_.value, run_.count);
  }
  run_.count = 0;
}

void HybridEncoder::append_pending(const Stretch& stretch) {
  if (pending_.size() == kMostPending) flush();
  pending_.push_back(stretch);
}

void HybridEncoder::append_literals(std::uint32_t value, std::uint64_t count) {
  for (; count != 0; --count) append_literals(std::span(&value, 1));
}

void HybridEncoder::append_literals(std::span<const std::uint32_t> values) {
  while (!values.empty()) {
    if (literals_.size() == kMostLiterals) flush();
    if (pending_.empty() || !pending_.back().literal) append_pending({0, 0, true});
    const std::size_t taken = std::min(values.size(), kMostLiterals - literals_.size());
    literals_.insert(literals_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(taken));
    pending_.back().count += taken;
    values = values.subspan(taken);
  }
}

// Before something that may be repeated, the last group may better be left out of the bit-packed run.
void HybridEncoder::part_last_literals() {
  if (pending_.empty() || !pending_.back().literal) return;
  Stretch& stretch = pending_.back();
  const std::size_t parted = std::min<std::size_t>(kGroup, static_cast<std::size_t>(stretch.count));
  stretch.count -= parted;
  if (stretch.count == 0) pending_.pop_back();
  const std::vector<std::uint32_t> last(literals_.end() - static_cast<std::ptrdiff_t>(parted),
                                        literals_.end());
  literals_.resize(literals_.size() - parted);
  for (const std::uint32_t value : last) {
    const bool more = !pending_.empty() && !pending_.back().literal && pending_.back().value == value;
    more ? static_cast<void>(++pending_.back().count) : append_pending({value, 1, false});
  }
}

// Literals that may be parted wait.
void HybridEncoder::flush() {
  std::vector<std::uint32_t> waiting;
  if (!pending_.empty() && pending_.back().literal) {
    const std::size_t kept = std::min<std::size_t>(kGroup, static_cast<std::size_t>(pending_.back().count));
    waiting.assign(literals_.end() - static_cast<std::ptrdiff_t>(kept), literals_.end());
    pending_.back().count -= kept;
  }
  cut(false);
  pending_.clear();
  literals_.clear();
  if (!waiting.empty()) append_literals(waiting);
}

void HybridEncoder::finish() {
  close_run();
  part_last_literals();
  cut(true);
  close_packed();
}

// Either all values of the stretch join the bit-packed run, or its last group is filled up and the other
// values are a repeated run; the last few of them begin the next bit-packed run where the header is shorter
// without them. Of two ways that take as many bits, the one from the lower state.
HybridEncoder::Costs HybridEncoder::costs_behind(const Stretch& stretch, const Costs& before) const noexcept {
  Costs costs;
  const std::uint64_t header_bits = 8ULL * options_->varint_bytes;  // of a bit-packed run, at least
  // Where runs are kept short, a bit-packed one of many stretches has many headers: each pays its share.
  const std::uint64_t share =
      longest_run_ == INT32_MAX ? 0 : ceil_div(stretch.count * header_bits, most_groups_ * kGroup);
  const std::uint64_t packed_bits = stretch.count * bit_width_ + share;
  const std::size_t shift = stretch.count % kGroup;
  for (std::size_t held = 0; held < kGroup; ++held) {  // values of the last group
    const std::size_t state = (held + shift) % kGroup;
    costs.bits[state] = std::min(before.bits[held] + packed_bits, kNever);
    costs.from[state] = {static_cast<std::uint8_t>(held), false};
  }
  const std::uint64_t opened = before.bits[kClosed] + header_bits + packed_bits;
  if (opened < costs.bits[shift]) {
    costs.bits[shift] = opened;
    costs.from[shift] = {kClosed, false};
  }
  costs.bits[kClosed] = kNever;
  if (stretch.literal) return costs;
  const auto run_bits = [&](std::uint64_t count) {
    const std::uint64_t header = uleb_size(std::min(count, longest_run_) << 1, options_->varint_bytes);
    const std::uint64_t runs = count <= longest_run_ ? 1 : ceil_div(count, longest_run_);
    return runs * (8 * header + 8 * ceil_div(bit_width_, 8));
  };
  const std::uint64_t most = run_bits(stretch.count);
  const std::uint64_t least = stretch.count > 2 * kGroup ? stretch.count - 2 * kGroup : 1;
  const bool all_alike = most == run_bits(least);
  for (std::size_t state = 0; state < kStates; ++state) {
    const std::uint64_t fill = (kGroup - state % kGroup) % kGroup;
    if (stretch.count <= fill) continue;
    const std::uint64_t left = stretch.count - fill;
    const std::uint64_t filled = before.bits[state] + fill * bit_width_;
    const std::uint64_t run = all_alike ? most : run_bits(left);
    const auto take = [&](std::size_t to, std::uint64_t bits) {
      const bool fewer = bits < costs.bits[to];
      costs.bits[to] = fewer ? bits : costs.bits[to];
      costs.from[to] = fewer ? Way{static_cast<std::uint8_t>(state), true} : costs.from[to];
    };
    take(kClosed, filled + run);
    if (all_alike) continue;
    for (std::size_t begun = 1; begun < kGroup && begun < left; ++begun) {
      const std::uint64_t shorter = run_bits(left - begun);
      if (shorter < run) take(begun, filled + shorter + header_bits + begun * bit_width_);
    }
  }
  return costs;
}

// The cut with the fewest bits, stretch by stretch: for each state the cheapest way to it. `last`: the stream
// ends behind these stretches.
void HybridEncoder::cut(bool last) {
  using Runs = EncodeOptions::Runs;
  if (options_->runs != Runs::automatic) {
    const std::uint32_t* literals = literals_.data();
    for (const Stretch& stretch : pending_) {
      options_->runs == Runs::repeated ? append_repeated(stretch) : append_packed_stretch(stretch, literals);
    }
    return;
  }
  Costs costs;
  costs.bits.fill(kNever);
  costs.bits[packed_open_ ? group_.size() % kGroup : kClosed] = 0;
  std::vector<std::array<Way, kStates>> from(pending_.size());
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    costs = costs_behind(pending_[i], costs);
    from[i] = costs.from;
  }
  std::array<std::uint64_t, kStates>& bits = costs.bits;
  if (last) {
    for (std::size_t held = 1; held < kGroup; ++held) bits[held] += (kGroup - held) * bit_width_;
  }
  // At equal cost a stream ends with a repeated run.
  auto state =
      static_cast<std::size_t>(std::min_element(bits.rbegin(), bits.rend()).base() - bits.begin() - 1);
  std::vector<std::uint8_t> ends(pending_.size(), kPacked);
  for (std::size_t i = pending_.size(); i-- > 0;) {
    const Way way = from[i][state];
    if (way.repeated) ends[i] = static_cast<std::uint8_t>(state % kClosed);
    state = way.from;
  }
  const std::uint32_t* literals = literals_.data();
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    Stretch stretch = pending_[i];
    if (ends[i] != kPacked) {
      const std::uint64_t fill = packed_open_ ? (kGroup - group_.size() % kGroup) % kGroup : 0;
      if (fill != 0) append_packed_values(stretch.value, fill);
      stretch.count -= fill + ends[i];
      append_repeated(stretch);
      append_packed_values(stretch.value, ends[i]);
    } else {
      append_packed_stretch(stretch, literals);
    }
  }
}

// `literals` are those that follow, this stretch's first.
void HybridEncoder::append_packed_stretch(const Stretch& stretch, const std::uint32_t*& literals) {
  if (!stretch.literal) return append_packed_values(stretch.value, stretch.count);
  append_packed_values(std::span(literals, static_cast<std::size_t>(stretch.count)));
  literals += stretch.count;
}

void HybridEncoder::append_repeated(const Stretch& run) {
  close_packed();
  for (std::uint64_t left = run.count; left != 0;) {
    const std::uint64_t count = std::min(left, longest_run_);
    append_uleb(*out_, count << 1, options_->varint_bytes);
    append_le(*out_, run.value, static_cast<unsigned>(ceil_div(bit_width_, 8)));
    left -= count;
  }
}

void HybridEncoder::open_packed() {
  if (packed_open_) return;
  packed_open_ = true;
  packed_header_ = out_->size();
  packed_groups_ = 0;
  out_->push_back(0);  // close_packed() writes the header
}

// What the values wait for that have not been written: a longer row, or the end of the bit-packed run.
std::size_t HybridEncoder::room() const noexcept {
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(kPackedAtOnce, (most_groups_ - packed_groups_) * kGroup));
}

void HybridEncoder::append_packed_values(std::uint32_t value, std::uint64_t count) {
  while (count != 0) {
    open_packed();
    if (group_.empty() && count >= kPackedAtOnce) {
      const std::uint64_t groups = std::min(count / kGroup, most_groups_ - packed_groups_);
      append_group_of(value, groups);
      count -= groups * kGroup;
    } else {
      const std::uint64_t taken = std::min<std::uint64_t>(count, room() - group_.size());
      group_.insert(group_.end(), static_cast<std::size_t>(taken), value);
      count -= taken;
      if (group_.size() == room()) {
        append_groups(group_);
        group_.clear();
      }
    }
    if (packed_groups_ == most_groups_) close_packed();
  }
}

void HybridEncoder::append_packed_values(std::span<const std::uint32_t> values) {
  while (!values.empty()) {
    open_packed();
    std::size_t taken = 0;
    if (group_.empty() && values.size() >= kGroup) {
      const std::uint64_t groups =
          std::min<std::uint64_t>(values.size() / kGroup, most_groups_ - packed_groups_);
      taken = static_cast<std::size_t>(groups * kGroup);
      append_groups(values.first(taken));
    } else {
      // A group that is full is written, so that the values behind it need not be copied.
      taken = std::min(values.size(), kGroup - group_.size() % kGroup);
      group_.insert(group_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(taken));
      if (group_.size() % kGroup == 0) {
        append_groups(group_);
        group_.clear();
      }
    }
    values = values.subspan(taken);
    if (packed_groups_ == most_groups_) close_packed();
  }
}

void HybridEncoder::append_groups(std::span<const std::uint32_t> values) {
  const std::uint64_t groups = ceil_div(values.size(), kGroup);
  append_packed(*out_, values, bit_width_, groups * kGroup, options_->padding);
  packed_groups_ += groups;
}

void HybridEncoder::append_group_of(std::uint32_t value, std::uint64_t groups) {
  std::array<std::uint32_t, kGroup> values;
  values.fill(value);
  const std::size_t start = out_->size();
  append_packed(*out_, std::span<const std::uint32_t>(values), bit_width_, kGroup, 0);
  out_->resize(start + static_cast<std::size_t>(groups * bit_width_));
  // Each byte is the one a group before.
  for (std::size_t at = start + bit_width_; at < out_->size(); ++at) (*out_)[at] = (*out_)[at - bit_width_];
  packed_groups_ += groups;
}

void HybridEncoder::close_packed() {
  if (!packed_open_) return;
  packed_open_ = false;
  append_groups(group_);
  group_.clear();
  std::vector<std::uint8_t> header;
  append_uleb(header, packed_groups_ << 1 | 1, options_->varint_bytes);
  (*out_)[packed_header_] = header.front();
  out_->insert(out_->begin() + static_cast<std::ptrdiff_t>(packed_header_) + 1, header.begin() + 1,
               header.end());
}

}  // namespace parqproof
