#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// GROUP_VAR_INT, defined only in the edition of 2013: groups of four 32-bit or five 64-bit numbers after a
/// selector with their lengths in bytes. The byte order of the two-byte selector of 64-bit groups is an
/// option, because the edition does not define it.
template <std::unsigned_integral U>
class GroupVarIntDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept;

 private:
  [[nodiscard]] Status read_group();
  void note(NotedRule rule, std::size_t position, std::uint32_t length, std::uint64_t found,
            std::uint64_t expected) noexcept;

  View bytes_;
  Notes* notes_ = nullptr;
  std::uint64_t left_ = 0;
  std::size_t position_ = 0;
  bool little_endian_ = false;
  std::size_t filled_ = 0;
  std::array<U, kBatchValues + 8> values_;
};

/// Writes GROUP_VAR_INT. Numbers missing from the last group are options.padding.
template <std::unsigned_integral U>
class GroupVarIntEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus finish();

 private:
  void append_group();
  [[nodiscard]] unsigned length_of(U number) const noexcept;

  std::vector<std::uint8_t>* out_ = nullptr;
  bool little_endian_ = false;
  std::uint8_t padding_ = 0;
  unsigned spare_bits_ = 0;
  std::array<U, 5> group_{};
  unsigned held_ = 0;  // numbers of the current group
};

}  // namespace parqproof
