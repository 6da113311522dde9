#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "codec/thrift/table.hpp"

namespace parqproof::thrift {

/// Path of the current value: the fields and list elements that contain it, outermost first.
class ValuePath {
 public:
  struct Step {
    const Field* field;       ///< null: a list element or an unknown field
    std::int64_t index;       ///< index of a list element, else -1
    std::int32_t unknown_id;  ///< id of an unknown field
    std::uint64_t header;     ///< offset of the field header
  };
  static constexpr std::uint32_t kMaxSteps = 256;

  // The caller has checked that there is room.
  void enter_field(const Field* field, std::int32_t id, std::uint64_t header) noexcept {
    steps_[size_++] = {field, -1, id, header};
  }
  void enter_element(std::int64_t index) noexcept { steps_[size_++] = {nullptr, index, 0, 0}; }
  void leave() noexcept { --size_; }

  [[nodiscard]] bool has_room(std::uint32_t steps) const noexcept { return size_ + steps < kMaxSteps; }
  [[nodiscard]] Step& last() noexcept { return steps_[size_ - 1]; }
  /// Returns the innermost field; null if it is unknown or there is none.
  [[nodiscard]] const Field* last_field() const noexcept {
    return size_ == 0 ? nullptr : steps_[size_ - 1].field;
  }
  /// Returns the offset of the header of the innermost field; `otherwise` outside of all fields.
  [[nodiscard]] std::uint64_t innermost_field(std::uint64_t otherwise) const noexcept;

  /// Makes text() begin at the next step. Returns the previous beginning, for restore().
  [[nodiscard]] std::uint32_t rebase() noexcept { return std::exchange(base_, size_); }
  void restore(std::uint32_t base) noexcept { base_ = base; }
  /// Returns `prefix` followed by the path: "row_groups[0].columns".
  [[nodiscard]] std::string text(std::string_view prefix) const;

 private:
  std::array<Step, kMaxSteps> steps_;  // the first `size_` are set
  std::uint32_t size_ = 0;
  std::uint32_t base_ = 0;
};

}  // namespace parqproof::thrift
