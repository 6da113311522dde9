#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace parqproof {

/// Values that an encoder keeps until its section is finished. Behind the first kLead values they stand in
/// units of kUnit. A unit that a run repeats is kept once, so that a run takes the room of three units at
/// most. A delta stream has a lead of one value: the first value has no delta, and since the value of a run
/// stands before each unit that is repeated, all deltas of that unit are 0.
template <typename T, std::size_t kUnit, std::size_t kLead = 0>
class KeptValues {
  static_assert(kUnit != 0 && kLead <= kUnit && std::is_trivially_copyable_v<T>);

 public:
  /// A unit that stands more than once.
  struct Repeat {
    std::size_t unit = 0;
    std::uint64_t times = 0;
  };

  void clear() noexcept {
    values_.clear();
    repeats_.clear();
    left_out_ = 0;
  }

  void add(T value) { values_.push_back(value); }

  /// Adds `count` values, little-endian, at `bytes`.
  void add(const std::uint8_t* bytes, std::size_t count) {
    if (count == 0) return;
    const std::size_t before = values_.size();
    values_.resize(before + count);
    std::memcpy(values_.data() + before, bytes, count * sizeof(T));
  }

  /// Adds `count` times `value`; all values together are fewer than 2^64.
  void add_run(T value, std::uint64_t count) {
    const std::size_t to_unit = kUnit - (values_.size() + kUnit - kLead) % kUnit;
    const std::uint64_t before = std::min<std::uint64_t>(count, to_unit);
    const std::uint64_t units = (count - before) / kUnit;
    std::uint64_t kept = count;
    if (units > 1) {
      repeats_.push_back({(values_.size() + to_unit - kLead) / kUnit, units});
      const std::uint64_t more = (units - 1) * kUnit;
      kept -= more;
      left_out_ += more;
    }
    values_.insert(values_.end(), static_cast<std::size_t>(kept), value);
  }

  /// Values in all, repeated ones as often as they stand.
  [[nodiscard]] std::uint64_t count() const noexcept { return values_.size() + left_out_; }

  /// What is kept.
  [[nodiscard]] std::vector<T>& values() noexcept { return values_; }
  [[nodiscard]] const std::vector<T>& values() const noexcept { return values_; }

  /// The units that stand more than once, in their order.
  [[nodiscard]] const std::vector<Repeat>& repeats() const noexcept { return repeats_; }

  /// Where value `index` of all is kept, index < count(): of a unit that is repeated, its first value. The
  /// values behind it are the next ones as far as the unit goes.
  [[nodiscard]] std::size_t place(std::uint64_t index) const noexcept {
    std::uint64_t left_out = 0;  // before the unit
    for (const Repeat& repeat : repeats_) {
      const std::size_t kept_at = kLead + repeat.unit * kUnit;
      const std::uint64_t begin = kept_at + left_out;
      if (index < begin) break;
      if (index - begin < repeat.times * kUnit) return kept_at;
      left_out += (repeat.times - 1) * kUnit;
    }
    return static_cast<std::size_t>(index - left_out);
  }

  /// How often each unit stands, in a walk over all that are kept.
  class Times {
   public:
    explicit Times(const KeptValues& kept) noexcept : repeats_(kept.repeats_) {}
    /// Of the next unit.
    [[nodiscard]] std::uint64_t next() noexcept {
      return at_ < repeats_.size() && repeats_[at_].unit == unit_++ ? repeats_[at_++].times : 1;
    }

   private:
    const std::vector<Repeat>& repeats_;
    std::size_t at_ = 0;
    std::size_t unit_ = 0;
  };

 private:
  std::vector<T> values_;
  std::vector<Repeat> repeats_;
  std::uint64_t left_out_ = 0;  // values of repeated units that are not kept
};

}  // namespace parqproof
