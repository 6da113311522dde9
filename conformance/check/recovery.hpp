#pragma once

#include <cstdint>
#include <optional>

#include "codec/file/page_walk.hpp"
#include "conformance/check/page_starts.hpp"

namespace parqproof {

/// How a walk along the pages of a chunk goes on behind a page whose header, or size, cannot be used: by the
/// OffsetIndex, which is looked at only then.
class Recovery {
 public:
  /// `offset_index`: its bytes, which stay; empty without one.
  Recovery(const Source& source, const Limits& limits, View offset_index) noexcept
      : source_(source), limits_(limits), offset_index_(offset_index) {}

  /// The walk has taken this page.
  void took(const Page& page) noexcept;

  /// The OffsetIndex denies that this page stands where the walk found it, or that it ends where it says.
  [[nodiscard]] bool denies(const PageWalk& walk, const Page& page);

  /// What is done about a page that is lost.
  enum class Action : std::uint8_t {
    jump,     ///< the walk is resumed at jump()
    proceed,  ///< the walk goes on where it is: nothing is known but that the page is lost
    give_up,  ///< the rest of the chunk is lost
  };
  /// `astray`: the walk stands behind a page whose size may lie, and not at one whose header cannot be used.
  [[nodiscard]] Action lost(const PageWalk& walk, bool astray);
  /// Of Action::jump.
  [[nodiscard]] const PageStarts::Jump& jump() const noexcept { return jump_; }

  /// Pages whose headers were not met, by the ordinals of those that were.
  [[nodiscard]] std::int32_t pages_passed_over() const noexcept { return passed_over_; }
  [[nodiscard]] bool has_jumped() const noexcept { return has_jumped_; }

 private:
  [[nodiscard]] const PageStarts& starts(const PageWalk& walk);

  const Source& source_;
  const Limits& limits_;
  View offset_index_;
  std::optional<PageStarts> starts_;  // once a page is lost
  PageStarts::Jump jump_;
  std::uint64_t last_page_ = 0;  // where the page in front begins
  std::uint64_t walked_bytes_ = 0;
  std::optional<std::int32_t> first_data_;  // ordinal of the first data page
  std::int32_t passed_over_ = 0;
  bool has_jumped_ = false;
};

}  // namespace parqproof
