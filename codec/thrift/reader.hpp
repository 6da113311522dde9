#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "codec/base/cursor.hpp"
#include "codec/base/limits.hpp"
#include "codec/rules/finding.hpp"
#include "codec/thrift/doubt.hpp"
#include "codec/thrift/table.hpp"
#include "codec/thrift/value_path.hpp"

namespace parqproof::thrift {

class Reader;

/// The last list of structs and the last list of enum values that were read without a finding. Chunks often
/// repeat the lists of the previous chunk, so bytes that begin with the bytes of such a list are not read
/// again.
struct PassedLists {
  struct Passed {
    const Field* field = nullptr;
    std::span<const std::uint8_t> bytes;  ///< including the list header
  };
  Passed structs;
  Passed enums;
};

/// Receives the elements of a list of structs one by one instead of a List.
class ElementHandler {
 public:
  virtual ~ElementHandler() = default;
  /// Returns true if the elements of `list` are passed to element().
  [[nodiscard]] virtual bool takes(const Field& list) const = 0;
  /// Called before the `count` elements of `list`; the bytes can hold that many.
  virtual void begin(Reader&, const Field& /*list*/, std::uint32_t /*count*/) {}
  /// Reads exactly one element from `reader`. Returns false if the framing is lost.
  [[nodiscard]] virtual bool element(Reader& reader, const Field& list, std::uint32_t index) = 0;
};

/// Destination and context of findings while bytes are read.
struct Judged {
  Findings* findings = nullptr;  ///< null: faults are only counted
  Place place;
  std::string_view prefix;  ///< prepended to the field paths of findings
};

/// A decoded field header.
struct FieldHeader {
  std::uint64_t at = 0;
  std::uint64_t length = 0;
  Wire wire = Wire::stop;
  std::int32_t id = 0;
  std::int32_t delta = 0;  ///< 0: the id is written in full
  bool good = true;        ///< the id is known: it fits, and so does the id that it counts from
};

/// State of a struct that is being read.
struct OpenStruct {
  const StructType* type = nullptr;
  const void* out = nullptr;
  Presences met;
  std::uint64_t number = 0;       ///< serial number of the struct
  std::uint64_t faults = 0;       ///< Reader::faults() at the beginning of the struct
  std::uint32_t signs = 0;        ///< faults in it that are evidence of a wrong offset
  std::uint32_t before_sign = 0;  ///< fields that were present before the first sign
  std::int32_t before = 0;        ///< id of the field before `previous`
  std::int32_t previous = 0;      ///< id of the last field
  bool previous_good = true;      ///< `previous` is known
  std::uint32_t members = 0;      ///< distinct fields so far
  /// Bit `id` for each unknown field; ids above 63 are compared only with the previous one.
  std::uint64_t unknown_ids = 0;
  FieldHeader first;
  FieldHeader extension;          ///< the binary protocol extension; length 0 if there is none so far
  bool extension_passed = false;  ///< another field follows the extension
  bool stopped = false;
};

/// The strict reader of the compact protocol. Each fault is a finding. Reading continues after a fault that
/// leaves the framing intact: a wrong type, a missing or repeated field, a number out of range.
class Reader {
 public:
  Reader(View bytes, const Judged& judged, const Limits& limits) noexcept;
  Reader(View bytes, const Judged& judged, const Limits&& limits) = delete;  // the limits must outlive it

  /// Reads one struct into `out`, which is reset first. Returns false if the framing is lost.
  template <typename Struct>
  [[nodiscard]] bool read(Struct& out) {
    static_assert(std::is_trivially_copyable_v<Struct>);
    static constexpr Struct kBlank{};
    copy(&out, &kBlank, sizeof out);
    return structure(Struct::kType, &out);
  }

  /// Reads the elements of a list whose header was read before; the reader is at the first element. They are
  /// passed to the handler if it takes the field. Returns false if the framing is lost.
  [[nodiscard]] bool elements(const Field& field, const List& list);

  /// Skips one struct without findings. Returns false if the framing is lost, which a later read() of the
  /// struct reports.
  [[nodiscard]] bool pass_over();

  void set_handler(ElementHandler* handler) noexcept { handler_ = handler; }
  void set_place(const Place& place) noexcept { judged_.place = place; }
  [[nodiscard]] const Judged& judged() const noexcept { return judged_; }

  /// Makes the field paths of findings begin at the current element. Returns the value for restore().
  [[nodiscard]] std::uint32_t rebase() noexcept { return path_.rebase(); }
  void restore(std::uint32_t base) noexcept { path_.restore(base); }

  [[nodiscard]] std::uint64_t offset() const noexcept { return cursor_.offset(); }
  [[nodiscard]] std::uint64_t faults() const noexcept { return faults_; }
  /// Number of faults so far that are evidence of a wrong offset.
  [[nodiscard]] std::uint64_t signs() const noexcept { return signs_; }
  /// Returns true if no fault so far makes the content of a struct ambiguous. Lost framing is reported by
  /// read() instead.
  [[nodiscard]] bool sound() const noexcept { return sound_; }
  /// Returns true if a fault so far is of a rule of class malformed: a part of a struct cannot be decoded.
  [[nodiscard]] bool damaged() const noexcept { return damaged_; }
  /// Returns true if reading ended at the limit of thrift/nesting-depth, which is not corruption.
  [[nodiscard]] bool too_deep() const noexcept { return too_deep_; }
  [[nodiscard]] View rest() const noexcept { return cursor_.rest(); }
  /// Path of the current value.
  [[nodiscard]] std::string path() const { return path_.text(judged_.prefix); }

 private:
  using Open = OpenStruct;
  struct Size {
    std::uint64_t at = 0;
    std::uint64_t value = 0;
    std::uint32_t length = 0;
  };

  /// memcpy() of the library, which is faster than the inline copy of compilers for a struct of 1 KiB.
  static void copy(void* to, const void* from, std::size_t bytes) noexcept;

  // Each returns false if the framing is lost, and sets `good` to false if only the value is invalid.
  bool structure(const StructType& type, void* out);
  bool field(const StructType& type, void* out, Open& open);
  /// Reads the next fields as long as they are valid and in their usual form.
  void fast_fields(const StructType& type, void* out, Open& open) noexcept;
  bool field_header(Open& open, FieldHeader& out);
  bool known_field(const StructType& type, const Field& known, const FieldHeader& header, void* out,
                   Open& open);
  bool nameless_field(const FieldHeader& header, Open& open);
  bool unknown_field(const StructType& type, const FieldHeader& header, Open& open);
  bool extension(const StructType& type, const FieldHeader& header, Open& open);
  void after_extension(Open& open);
  bool value(const Field& field, Wire wire, void* slot, bool& good);
  bool list(const Field& field, void* slot, bool& good);
  bool each(const Field& field, const List& list, bool& good);
  bool list_header(std::uint32_t& count, Wire& element, std::uint64_t& at, bool& good);
  bool integer(unsigned bits, std::int64_t& out, bool& good);
  bool size(Size& out, bool& good);
  bool binary(const Field* field, View& out, bool& good);
  bool booleans(std::uint32_t count);
  bool skip(Wire wire);
  bool skip_elements(const List& list, std::uint64_t at);
  bool skip_map();
  bool enter(std::uint64_t at);
  void leave() noexcept { --depth_; }

  void check_id(const FieldHeader& header, const Open& open);
  void count_member(const StructType& type, const FieldHeader& header, Open& open);
  void check_presence(const StructType& type, const Open& open);
  bool claims_too_much(Rule rule, std::uint64_t at, std::uint64_t count, std::uint64_t min_bytes);

  void fault(Rule rule, std::uint64_t offset, std::uint64_t length, FindingValue found = {},
             FindingValue expected = {});
  /// Ends a struct. Fields that were read at a wrong offset are no longer present.
  void close(const StructType& type, Open& open, bool framed);
  /// Describes the field before the one at fault, for the detail of a finding.
  [[nodiscard]] std::string field_before() const;
  /// Reports that the end of the bytes truncates the current value.
  bool cut(std::string expected);
  bool endless(std::string_view expected);

  Cursor cursor_;
  Judged judged_;
  const Limits* limits_;
  ElementHandler* handler_ = nullptr;
  PassedLists passed_;
  ValuePath path_;
  Open* open_ = nullptr;  ///< innermost struct that is read field by field
  Doubt doubt_;
  std::uint64_t structs_ = 0;
  std::uint32_t depth_ = 0;
  std::uint64_t faults_ = 0;
  std::uint64_t signs_ = 0;
  bool sound_ = true;
  bool damaged_ = false;
  bool too_deep_ = false;
};

/// Calls `each(element, index)` for the structs of a list that was read before, without findings. Stops at
/// the first element that cannot be read.
template <typename Struct, typename Each>
void for_each(const List& list, const Limits& limits, Each&& each) {
  Reader reader(list.bytes, {}, limits);
  Struct element;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    if (!reader.read(element)) return;
    each(static_cast<const Struct&>(element), i);
  }
}

/// Calls `each(number, index)` for the integers or enum values of a list that was read before.
template <typename Each>
void for_each_integer(const List& list, Each&& each) {
  const std::uint8_t* at = list.bytes.data();
  const std::uint8_t* const end = at + list.bytes.size();
  for (std::uint32_t i = 0; i < list.count; ++i) {
    if (at == end) return;
    std::uint64_t number = *at++;
    if (number >= 0x80) [[unlikely]] {
      number &= 0x7F;
      for (unsigned shift = 7;; shift += 7) {
        if (at == end || shift > 63) return;
        const std::uint8_t byte = *at++;
        if (shift == 63 && byte > 1) return;  // more than 64 bits
        number |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) break;
      }
    }
    each(unzigzag(number), i);
  }
}

/// Calls `each(View, index)` for the strings of a list that was read before.
template <typename Each>
void for_each_string(const List& list, Each&& each) {
  Cursor cursor(list.bytes, {});
  for (std::uint32_t i = 0; i < list.count; ++i) {
    const Result<Varint> length = cursor.uleb<std::uint32_t>();
    if (!length) return;
    const Result<View> string = cursor.take(length->value);
    if (!string) return;
    each(*string, i);
  }
}

}  // namespace parqproof::thrift
