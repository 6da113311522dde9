#pragma once

#include <cstdint>
#include <memory>

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/format/enums.hpp"
#include "codec/rules/notes.hpp"

namespace parqproof {

/// Description of the value section of a page.
struct ValueSpec {
  Encoding encoding = Encoding::PLAIN;
  Type type = Type::INT32;
  std::uint32_t type_length = 0;  ///< bytes of a FIXED_LEN_BYTE_ARRAY value
  std::uint64_t count = 0;        ///< stored values: entries at the max definition level
  /// Entries of the dictionary page of the chunk; only for dictionary encodings.
  std::uint64_t dictionary_size = 0;
  bool dictionary_page = false;  ///< true for a dictionary page, whose length rule is dictionary/entry-count
  bool selector_little_endian = false;  ///< byte order of the selectors of GROUP_VAR_INT's 64-bit groups
};

/// Values in one of the forms that decoders return.
struct ValueBatch {
  enum class Form : std::uint8_t {
    fixed,        ///< count x width bytes, little-endian as in PLAIN; also INT96 and FIXED_LEN_BYTE_ARRAY
    byte_arrays,  ///< count byte arrays
    booleans,     ///< count bytes, 0 or 1
    boolean_run,  ///< `run`, repeated count times
    indices,      ///< count dictionary indices, each below dictionary_size
    index_run,    ///< the index `run`, repeated count times
  };
  Form form = Form::fixed;
  std::uint64_t count = 0;  ///< 0: no more values
  const std::uint8_t* fixed = nullptr;
  /// Bytes are in the page or in a buffer of the decoder, valid until the next batch.
  const ByteArray* byte_arrays = nullptr;
  const std::uint8_t* readable = nullptr;  ///< end of the memory that contains all byte arrays; null: unknown
  const std::uint8_t* const* stored = nullptr;  ///< position of each byte array in the section, null
                                                ///< elements: not contiguous in it; null: as in `byte_arrays`
  bool back_to_back = false;                    ///< each byte array begins where the previous one ends
  std::uint32_t size_bits = UINT32_MAX;  ///< union of the bits of the sizes of PLAIN byte arrays, which are
                                         ///< separated by length prefixes
  const std::uint8_t* booleans = nullptr;
  const std::uint32_t* indices = nullptr;
  std::uint32_t run = 0;
  std::uint64_t offset = 0;  ///< of the first value (PLAIN), or of the run or block that contains it
};

/// Returns the bytes of a value of a fixed-width type; 0 for BYTE_ARRAY, and for BOOLEAN, which takes one
/// bit.
[[nodiscard]] std::uint32_t fixed_width(Type type, std::uint32_t type_length) noexcept;

/// Returns true if there is a decoder for values of `type` in `encoding` (the table of encodings).
[[nodiscard]] bool can_decode(Encoding encoding, Type type) noexcept;

/// The pull decoder of value sections. One object serves every (encoding, type) of the table and reuses its
/// buffers.
class ValueDecoder {
 public:
  ValueDecoder();
  ~ValueDecoder();
  ValueDecoder(ValueDecoder&&) noexcept;
  ValueDecoder& operator=(ValueDecoder&&) noexcept;

  /// Starts on a value section with `spec.count` > 0 values. Checks what is known immediately: the section
  /// length of fixed widths, width byte, length prefix, delta headers. Precondition:
  /// can_decode(spec.encoding, spec.type).
  [[nodiscard]] Status open(View section, const ValueSpec& spec, const Limits& limits, Budget& budget,
                            Notes& notes);

  /// Returns the next batch; count 0 at the end. A failed call ends the section.
  [[nodiscard]] Result<ValueBatch> next();

  /// Checks after the last batch that the section has no more bytes (page/trailing-bytes, rle/trailing-bytes
  /// ...).
  [[nodiscard]] Status end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Checks a value section without stored values, which may be empty or the empty header of its encoding
/// (page/zero-values-section). Faults of such a header that do not prevent reading are added to `notes`.
[[nodiscard]] Status check_empty_section(View section, Encoding encoding, Type type, Notes& notes) noexcept;

}  // namespace parqproof
