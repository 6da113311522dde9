#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {

/// Bytes of the header: mode, integer encoding, log2 of the vector size, number of elements.
inline constexpr std::size_t kAlpHeaderBytes = 7;
inline constexpr unsigned kMinLogVectorSize = 3;
inline constexpr unsigned kMaxLogVectorSize = 15;
inline constexpr unsigned kDefaultLogVectorSize = 10;

/// ALP (AlpEncoding.md): vectors of floating-point numbers, encoded as bit-packed integers times powers of
/// ten, with exceptions stored as they are. F is float or double.
template <std::floating_point F>
class AlpDecoder {
 public:
  using U = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;

  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept;

 private:
  struct Vector;
  [[nodiscard]] Status check_header(const Section& section);
  [[nodiscard]] Result<Vector> read_vector(std::size_t position, std::size_t elements) const noexcept;
  [[nodiscard]] Result<std::size_t> read_position(const Vector& vector, std::size_t i) const noexcept;
  [[nodiscard]] Error first_error(std::uint64_t end, const Error& later) const noexcept;
  [[nodiscard]] Status decode_vector();
  [[nodiscard]] Status patch(const Vector& vector);
  void note_needless(const Vector& vector, F value, std::size_t where) noexcept;
  [[nodiscard]] std::size_t elements_of(std::uint64_t vector) const noexcept;
  [[nodiscard]] Error at(Rule rule, std::size_t position, std::size_t length, std::uint64_t found,
                         std::uint64_t expected) const noexcept;
  void note(NotedRule rule, std::size_t position, std::size_t length, std::uint64_t found,
            std::uint64_t expected) noexcept;

  View bytes_;
  Notes* notes_ = nullptr;
  std::uint64_t count_ = 0;
  std::uint64_t vectors_ = 0;
  std::size_t vector_size_ = 0;
  std::uint64_t vector_ = 0;   // index of the next vector
  std::size_t position_ = 0;   // position of the next vector; the end of the last one at the end
  std::size_t vector_at_ = 0;  // position of the current vector
  std::size_t end_ = 0;        // end of the last vector
  std::size_t decoded_ = 0;    // values of the current vector
  std::size_t delivered_ = 0;  // values delivered from it
  std::vector<F> values_;
  std::vector<U> integers_;
  std::vector<bool> patched_;
};

/// Writes ALP. Vectors are kept until finish(), because their offsets come first. Exponents are chosen for
/// each vector as AlpEncoding.md#parameter-selection suggests.
template <std::floating_point F>
class AlpEncoder {
 public:
  using U = typename AlpDecoder<F>::U;

  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus add_run(const ValueBatch& value, std::uint64_t count);
  [[nodiscard]] EncodeStatus finish();

 private:
  using Exponents = EncodeOptions::Exponents;
  /// Values encoded as integers.
  struct Integers {
    std::vector<AlpInteger<F>> numbers{};
    std::vector<std::uint8_t> exact{};  // 1 if numbers[i] represents value i exactly, 0 if it is an exception
    AlpFit<AlpInteger<F>> fit{};
    std::size_t count = 0;

    void find(std::span<const F> values, Exponents exponents);
    void drop(std::size_t most) noexcept;
    [[nodiscard]] AlpInteger<F> placeholder(EncodeOptions::Placeholder which) const noexcept;
    [[nodiscard]] U spread() const noexcept;
    [[nodiscard]] std::size_t bits() const noexcept;
    [[nodiscard]] U reference(std::uint32_t slack) const noexcept;
  };

  [[nodiscard]] EncodeStatus count_in(std::uint64_t count) noexcept;
  [[nodiscard]] Exponents choose_exponents();
  [[nodiscard]] EncodeStatus append_vector();
  [[nodiscard]] EncodeStatus append_offsets(std::uint64_t vectors, std::size_t bytes);
  [[nodiscard]] EncodeStatus append_copies_of_last(std::uint64_t copies);

  const EncodeOptions* options_ = nullptr;
  std::vector<std::uint8_t>* out_ = nullptr;
  std::uint64_t count_ = 0;             // values in total
  std::size_t size_ = 0;                // values of a vector
  std::vector<F> vector_;               // the incomplete vector
  std::vector<std::uint8_t> vectors_;   // the complete vectors
  std::vector<std::uint32_t> offsets_;  // offset of each complete vector from the first one
  std::size_t sampled_ = 0;             // number of vectors for which all exponents have been tried
  std::vector<Exponents> preset_;       // best exponents of these vectors
  Integers integers_;
};

}  // namespace parqproof
