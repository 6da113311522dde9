#pragma once

#include <cstdint>
#include <memory>

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/format/enums.hpp"
#include "codec/rules/notes.hpp"

namespace parqproof {

/// What the value section of a page holds.
struct ValueSpec {
  Encoding encoding = Encoding::PLAIN;
  Type type = Type::INT32;
  std::uint32_t type_length = 0;  ///< bytes of a FIXED_LEN_BYTE_ARRAY value
  std::uint64_t count = 0;        ///< stored values: entries at the maximum definition level
  std::uint64_t dictionary_size =
      0;  ///< entries of the chunk's dictionary page; for the dictionary encodings
  bool dictionary_page =
      false;  ///< the section is a dictionary page: its length rule is dictionary/entry-count
  bool selector_little_endian = false;  ///< byte order of the selectors of GROUP_VAR_INT's 64-bit groups
};

/// Values in one of the forms in which decoders produce them.
struct ValueBatch {
  enum class Form : std::uint8_t {
    fixed,        ///< count x width bytes, little-endian as in PLAIN; INT96 and FIXED_LEN_BYTE_ARRAY too
    byte_arrays,  ///< count windows
    booleans,     ///< count bytes, 0 or 1
    boolean_run,  ///< count times `run`
    indices,      ///< count dictionary indices, each below dictionary_size
    index_run,    ///< count times the index `run`
  };
  Form form = Form::fixed;
  std::uint64_t count = 0;  ///< 0: all values have been delivered
  const std::uint8_t* fixed = nullptr;
  const ByteArray* byte_arrays =
      nullptr;  ///< windows into the page or the decoder's own buffer, valid until the next batch
  const std::uint8_t* readable =
      nullptr;  ///< where the bytes end in which all byte arrays lie; null: unknown
  const std::uint8_t* const* stored = nullptr;  ///< where each byte array stands in the section, null: in no
                                                ///< one place; null: where `byte_arrays` says
  bool back_to_back = false;  ///< each byte array is known to begin where the one before ends
  std::uint32_t size_bits =
      UINT32_MAX;  ///< of PLAIN byte arrays, between which the length words stand: the bits set in any size
  const std::uint8_t* booleans = nullptr;
  const std::uint32_t* indices = nullptr;
  std::uint32_t run = 0;
  std::uint64_t offset =
      0;  ///< of the first value's bytes (PLAIN), or of the run or block that they come from
};

/// Bytes that one value takes where its type has a fixed width; 0 for BYTE_ARRAY, and for BOOLEAN, which has
/// bits.
[[nodiscard]] std::uint32_t fixed_width(Type type, std::uint32_t type_length) noexcept;

/// Whether there is a decoder for values of `type` in `encoding` (the table of encodings).
[[nodiscard]] bool can_decode(Encoding encoding, Type type) noexcept;

/// The pull decoder of value sections: one object serves every (encoding, type) of the table and reuses its
/// buffers.
class ValueDecoder {
 public:
  ValueDecoder();
  ~ValueDecoder();
  ValueDecoder(ValueDecoder&&) noexcept;
  ValueDecoder& operator=(ValueDecoder&&) noexcept;

  /// Starts on a value section that stores `spec.count` > 0 values. Checks what can be checked at once (the
  /// section length of fixed widths, width byte, length word, delta headers). can_decode(spec.encoding,
  /// spec.type) holds.
  [[nodiscard]] Status open(View section, const ValueSpec& spec, const Limits& limits, Budget& budget,
                            Notes& notes);

  /// The next batch; count 0 at the end. A failed call ends the section.
  [[nodiscard]] Result<ValueBatch> next();

  /// After the last batch: everything in the section has been used (page/trailing-bytes, rle/trailing-bytes
  /// ... otherwise).
  [[nodiscard]] Status end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A value section without stored values may hold nothing, or the empty header of its encoding
/// (page/zero-values-section). What is worth a note in such a header goes to `notes`.
[[nodiscard]] Status check_empty_section(View section, Encoding encoding, Type type, Notes& notes) noexcept;

}  // namespace parqproof
