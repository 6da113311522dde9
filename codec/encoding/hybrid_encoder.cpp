#include <algorithm>
#include <array>
#include <limits>

#include "codec/base/bits.hpp"
#include "codec/encoding/hybrid.hpp"
#include "codec/encoding/pack.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kMaxRun = INT32_MAX;            // values of a run
constexpr std::size_t kGroup = 8;                       // values of a bit-packed group
constexpr std::uint64_t kMaxGroups = kMaxRun / kGroup;  // of a bit-packed run
constexpr std::size_t kMostPending = 4096;              // runs that are cut at once
constexpr std::size_t kPackedAtOnce = 512;              // values
constexpr std::size_t kManyRuns = 512;  // beside so many the bits of an unfilled last group do not count

// What has been written before a value: an open bit-packed run whose last group has so many values, or no
// such run.
constexpr std::size_t kClosed = kGroup;
constexpr std::size_t kStates = kGroup + 1;

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max() / 2;

std::uint64_t uleb_bytes(std::uint64_t value, unsigned least) noexcept {
  return std::max<std::uint64_t>(ceil_div(bit_width_for(value), 7), least);
}

}  // namespace

/// How a state is reached with the fewest bits.
struct HybridEncoder::Step {
  enum class Kind : std::uint8_t {
    packed,    // all values of the run join the bit-packed run
    repeated,  // the last group of the bit-packed run is filled up, the other values are a repeated run
  };
  std::uint8_t from = kClosed;
  Kind kind = Kind::packed;
};

void HybridEncoder::open(unsigned bit_width, const EncodeOptions& options, std::vector<std::uint8_t>& out) {
  options_ = &options;
  out_ = &out;
  bit_width_ = bit_width;
  pending_.clear();
  group_.clear();
  packed_open_ = false;
}

void HybridEncoder::add(std::uint32_t value, std::uint64_t count) {
  if (count == 0) return;
  if (!pending_.empty() && pending_.back().value == value) {
    pending_.back().count += count;
    return;
  }
  if (pending_.size() == kMostPending) flush();
  pending_.push_back({value, count});
}

void HybridEncoder::add(std::span<const std::uint32_t> values) {
  for (const std::uint32_t value : values) add(value, 1);
}

// The last run may go on, and waits.
void HybridEncoder::flush() {
  const Run last = pending_.back();
  pending_.pop_back();
  cut(false);
  pending_.assign(1, last);
}

void HybridEncoder::finish() {
  cut(true);
  close_packed();
}

// The cut with the fewest bits, run by run: for each state the cheapest way to it. `last`: the stream ends
// behind these runs.
void HybridEncoder::cut(bool last) {
  using Runs = EncodeOptions::Runs;
  const std::uint64_t value_bits = 8 * ceil_div(bit_width_, 8);
  const auto gains = [&](const Run& run) { return run.count * bit_width_ > 8 + value_bits; };
  const bool all_packed =
      options_->runs == Runs::packed || (options_->runs == Runs::automatic && pending_.size() >= kManyRuns &&
                                         std::ranges::none_of(pending_, gains));
  if (all_packed || options_->runs == Runs::repeated) {
    for (const Run& run : pending_)
      all_packed ? append_packed_values(run.value, run.count) : append_repeated(run);
    return;
  }
  std::array<std::uint64_t, kStates> bits;
  bits.fill(kNever);
  bits[packed_open_ ? group_.size() % kGroup : kClosed] = 0;
  std::vector<std::array<Step, kStates>> steps(pending_.size());
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const std::uint64_t count = pending_[i].count;
    std::array<std::uint64_t, kStates> next;
    next.fill(kNever);
    const auto reach = [&](std::size_t state, std::uint64_t cost, std::size_t from, Step::Kind kind) {
      if (cost >= next[state]) return;
      next[state] = cost;
      steps[i][state] = {static_cast<std::uint8_t>(from), kind};
    };
    for (std::size_t from = 0; from < kStates; ++from) {
      if (bits[from] == kNever) continue;
      const std::size_t held = from % kGroup;  // values of the last group
      const std::uint64_t fill = (kGroup - held) % kGroup;
      const std::uint64_t header = from == kClosed ? 8ULL * options_->varint_bytes : 0;
      reach((held + count) % kGroup, bits[from] + header + count * bit_width_, from, Step::Kind::packed);
      if (count > fill) {
        const std::uint64_t left = count - fill;
        const std::uint64_t header_bits =
            8 * uleb_bytes(std::min(left, kMaxRun) << 1, options_->varint_bytes);
        reach(kClosed, bits[from] + fill * bit_width_ + ceil_div(left, kMaxRun) * (header_bits + value_bits),
              from, Step::Kind::repeated);
      }
    }
    bits = next;
  }
  if (last) {
    for (std::size_t held = 1; held < kGroup; ++held) bits[held] += (kGroup - held) * bit_width_;
  }
  // At equal cost a stream ends with a repeated run.
  auto state =
      static_cast<std::size_t>(std::min_element(bits.rbegin(), bits.rend()).base() - bits.begin() - 1);
  std::vector<Step> way(pending_.size());
  for (std::size_t i = pending_.size(); i-- > 0;) {
    way[i] = steps[i][state];
    state = way[i].from;
  }
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    Run run = pending_[i];
    if (way[i].kind == Step::Kind::repeated) {
      const std::uint64_t fill = packed_open_ ? (kGroup - group_.size() % kGroup) % kGroup : 0;
      if (fill != 0) append_packed_values(run.value, fill);
      run.count -= fill;
      append_repeated(run);
    } else {
      append_packed_values(run.value, run.count);
    }
  }
}

void HybridEncoder::append_repeated(const Run& run) {
  close_packed();
  for (std::uint64_t left = run.count; left != 0;) {
    const std::uint64_t count = std::min(left, kMaxRun);
    append_uleb(*out_, count << 1, options_->varint_bytes);
    append_le(*out_, run.value, static_cast<unsigned>(ceil_div(bit_width_, 8)));
    left -= count;
  }
}

void HybridEncoder::append_packed_values(std::uint32_t value, std::uint64_t count) {
  while (count != 0) {
    if (!packed_open_) {
      packed_open_ = true;
      packed_header_ = out_->size();
      packed_groups_ = 0;
      out_->push_back(0);  // close_packed() writes the header
    }
    if (group_.empty() && count >= kPackedAtOnce) {
      const std::uint64_t groups = std::min(count / kGroup, kMaxGroups - packed_groups_);
      append_group_of(value, groups);
      count -= groups * kGroup;
    } else {
      const std::uint64_t room =
          std::min<std::uint64_t>(kPackedAtOnce, (kMaxGroups - packed_groups_) * kGroup);
      const std::uint64_t taken = std::min(count, room - group_.size());
      group_.insert(group_.end(), static_cast<std::size_t>(taken), value);
      count -= taken;
      if (group_.size() == room) {
        append_groups(group_);
        group_.clear();
      }
    }
    if (packed_groups_ == kMaxGroups) close_packed();
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

void append_hybrid(std::span<const std::uint32_t> values, unsigned bit_width, const EncodeOptions& options,
                   std::vector<std::uint8_t>& out) {
  HybridEncoder encoder;
  encoder.open(bit_width, options, out);
  encoder.add(values);
  encoder.finish();
}

}  // namespace parqproof
