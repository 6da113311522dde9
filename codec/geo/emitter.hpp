#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/geo/wkb.hpp"

namespace parqproof::geo {

/// Writes the geometries that it visits as WKB in one byte order. An empty Point has NaN coordinates.
class Emitter final : public Visitor {
 public:
  explicit Emitter(bool is_big_endian) : is_big_endian_(is_big_endian) {}

  void begin(TypeCode type, std::uint32_t count, bool is_member) override;
  void ring(std::uint32_t count) override { word(count); }
  void points(const PointRun& run) override;
  void end() override {}

  [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return bytes_; }

 private:
  void word(std::uint32_t word);
  void number(double value);

  bool is_big_endian_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace parqproof::geo
