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
#include "codec/page/value_bytes.hpp"

namespace parqproof {

/// Reads the dictionary page of a chunk a second time.
class DictionarySource {
 public:
  virtual ~DictionarySource() = default;
  /// The uncompressed dictionary page, in `room`; no bytes if it cannot be read.
  [[nodiscard]] virtual View read_again(Buffer& room) = 0;
};

/// The entries of a chunk's dictionary that its values refer to, found once for all observers. It costs
/// nothing if no observer requests it, and nothing more once values refer to every entry.
class DictionaryUsage {
 public:
  /// Discards the previous chunk. `again`, if given, is valid until the next call.
  void begin_chunk(DictionarySource* again = nullptr) noexcept;

  /// The dictionary page was decoded by `spec`; `buffer` may own the image.
  void begin(View image, Buffer& buffer, const ValueSpec& spec) noexcept { reset(image, &buffer, spec); }
  /// Requests the marks. To be called between begin() and the first data page.
  void ask();
  /// Requests the values of used entries as well: the image is kept, and taken from its buffer if that owns
  /// it. Returns false if there is not enough memory.
  [[nodiscard]] bool ask_for_values();
  /// Keeps the image for observers that need the entries only from a certain data page on. To be called
  /// before the body of that page is opened; the image may be read again. Returns false if it cannot be kept.
  [[nodiscard]] bool keep_image();

  /// ask_for_values() before the first data page that refers to the dictionary, possibly after other data
  /// pages.
  [[nodiscard]] bool ask_for_values_again() {
    if (spec_.count == 0 || !keep_image()) return false;
    ask();
    return true;
  }

  /// Returns true if an observer requested the marks.
  [[nodiscard]] bool is_asked() const noexcept { return !used_.empty(); }
  /// The next values of a data page, if they refer to the dictionary.
  void mark(const ValueBatch& batch) noexcept;

  /// Returns true if a value refers to the entry; false if the marks were not requested.
  [[nodiscard]] bool is_used(std::size_t entry) const noexcept {
    return entry < used_.size() && used_[entry] != 0;
  }
  [[nodiscard]] bool all_used() const noexcept { return first_unused_ == used_.size(); }
  /// Number of entries that no value refers to; 0 if the marks were not requested.
  [[nodiscard]] std::uint64_t unused() const noexcept;
  /// Returns true if values were marked.
  [[nodiscard]] bool has_marks() const noexcept { return has_marks_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return spec_.count; }
  /// The kept image of the dictionary page, for observers that requested values.
  [[nodiscard]] View image() const noexcept { return image_; }

  /// Calls `take(batch)`, or `take(batch, first)` with the number of its first entry, with the values of used
  /// entries, in the order of the dictionary. Requires ask_for_values(); if decoding exceeds the budget, the
  /// remaining entries are left out.
  template <typename Take>
  void for_each_used(const Limits& limits, Budget& budget, Take&& take) const;

 private:
  void reset(View image, Buffer* buffer, const ValueSpec& spec) noexcept;
  /// Number of equal marks at the start of `marks`, which are not empty.
  [[nodiscard]] static std::size_t length_of_run(std::span<const std::uint8_t> marks) noexcept;

  DictionarySource* again_ = nullptr;
  View image_;
  Buffer* source_ = nullptr;  // the buffer that may own the image
  Buffer kept_;               // owns the image, once values were requested
  ValueSpec spec_;
  std::vector<std::uint8_t> used_;  // per entry: 1 if a value refers to it
  std::size_t first_unused_ = 0;    // all entries before are used
  bool has_values_ = false;
  bool has_marks_ = false;
};

/// Copies the values that indices refer to into one array, as if the page had stored them.
class DictionaryLookup {
 public:
  DictionaryLookup() = default;
  DictionaryLookup(std::span<const std::uint8_t> image, Type type, std::uint32_t width, std::uint64_t count)
      : entries_(image, type, width, count), type_(type), width_(width), end_(image.data() + image.size()) {}

  [[nodiscard]] const DictionaryView& entries() const noexcept { return entries_; }
  /// The values of a batch of indices, all of which are less than the number of entries. Valid until the next
  /// call. A run becomes one value; there is no value if the dictionary cannot be read.
  [[nodiscard]] ValueBatch values_of(const ValueBatch& indices);

 private:
  DictionaryView entries_;
  Type type_{};
  std::uint32_t width_ = 0;
  const std::uint8_t* end_ = nullptr;  // of the image
  std::vector<std::uint8_t> fixed_;
  std::vector<ByteArray> byte_arrays_;
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
