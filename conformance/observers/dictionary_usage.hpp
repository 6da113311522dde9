#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// Whoever can read the dictionary page of a chunk a second time.
class DictionarySource {
 public:
  virtual ~DictionarySource() = default;
  /// The uncompressed dictionary page, in `room`; no bytes where it cannot be read.
  [[nodiscard]] virtual View read_again(Buffer& room) = 0;
};

/// Which entries of a chunk's dictionary its values refer to, found once for all observers. It costs nothing
/// where no observer asks, and nothing more once values refer to every entry.
class DictionaryUsage {
 public:
  /// Forgets the chunk before. `again`, if given, stays until the next one.
  void begin_chunk(DictionarySource* again = nullptr) noexcept;

  /// The dictionary page has been decoded as `spec` says; `buffer` may own the image.
  void begin(View image, Buffer& buffer, const ValueSpec& spec) noexcept;
  /// Asks for the marks. Between begin() and the first data page.
  void ask();
  /// Asks for the values of used entries, too: the image is kept, and taken out of its buffer where that owns
  /// it. False where there is no memory for that.
  [[nodiscard]] bool ask_for_values();
  /// Keeps the image for whoever needs the entries only once a data page is met, before the body of that page
  /// is opened: it may be read again. False where it cannot be.
  [[nodiscard]] bool keep_image();

  /// ask_for_values() before the first data page that refers to the dictionary, whether or not other data
  /// pages have been met.
  [[nodiscard]] bool ask_for_values_again() {
    if (spec_.count == 0 || !keep_image()) return false;
    ask();
    return true;
  }

  /// An observer has asked for the marks.
  [[nodiscard]] bool is_asked() const noexcept { return !used_.empty(); }
  /// The next values of a data page, if they refer to the dictionary.
  void mark(const ValueBatch& batch) noexcept;

  /// A value refers to the entry. Where nobody asked, that is not known.
  [[nodiscard]] bool is_used(std::size_t entry) const noexcept {
    return entry < used_.size() && used_[entry] != 0;
  }
  [[nodiscard]] bool all_used() const noexcept { return first_unused_ == used_.size(); }
  /// How many entries no value refers to; 0 where nobody asked.
  [[nodiscard]] std::uint64_t unused() const noexcept;
  /// Values have been marked.
  [[nodiscard]] bool has_marks() const noexcept { return has_marks_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return spec_.count; }
  /// The kept image of the dictionary page, for observers that asked for values.
  [[nodiscard]] View image() const noexcept { return image_; }

  /// Calls `take(batch)`, or `take(batch, first)` with the number of its first entry, with the values of used
  /// entries, in the order of the dictionary. Somebody has asked for values; where decoding exceeds the
  /// budget, the rest is left out.
  template <typename Take>
  void for_each_used(const Limits& limits, Budget& budget, Take&& take) const;

 private:
  /// How many marks at the front of `marks`, which are not empty, are equal.
  [[nodiscard]] static std::size_t length_of_run(std::span<const std::uint8_t> marks) noexcept;

  DictionarySource* again_ = nullptr;
  View image_;
  Buffer* source_ = nullptr;  // the buffer that may own the image
  Buffer kept_;               // owns the image, once somebody has asked for values
  ValueSpec spec_;
  std::vector<std::uint8_t> used_;  // per entry: 1 where a value refers to it
  std::size_t first_unused_ = 0;    // all entries before are used
  bool has_values_ = false;
  bool has_marks_ = false;
};

template <typename Take>
void DictionaryUsage::for_each_used(const Limits& limits, Budget& budget, Take&& take) const {
  Notes notes;
  ValueDecoder decoder;
  if (!decoder.open(image_, spec_, limits, budget, notes)) return;
  const std::uint32_t width = fixed_width(spec_.type, spec_.type_length);
  std::size_t entry = 0;
  for (;;) {
    const Result<ValueBatch> batch = decoder.next();
    if (!batch || batch->count == 0) return;
    const auto count = std::min(static_cast<std::size_t>(batch->count), used_.size() - entry);
    const std::uint8_t* const used = used_.data() + entry;
    for (std::size_t from = 0; from < count;) {
      const std::uint8_t mark = used[from];
      const std::size_t until = from + length_of_run({used + from, count - from});
      if (mark != 0) {
        ValueBatch part = *batch;
        part.count = until - from;
        if (part.form == ValueBatch::Form::fixed) part.fixed += from * width;
        if (part.form == ValueBatch::Form::byte_arrays) part.byte_arrays += from;
        if (part.form == ValueBatch::Form::booleans) part.booleans += from;
        if constexpr (std::is_invocable_v<Take, const ValueBatch&>) {
          take(part);
        } else {
          take(part, std::uint64_t{entry + from});
        }
      }
      from = until;
    }
    entry += count;
  }
}

}  // namespace parqproof
