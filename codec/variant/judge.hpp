#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/variant/faults.hpp"
#include "codec/variant/item.hpp"
#include "codec/variant/metadata.hpp"

namespace parqproof::variant {

/// Judges encoded values (VariantEncoding.md#value-encoding). It goes through a value with a stack of its
/// own, in time that is linear in the bytes but for sorting offsets that do not ascend: a value that two
/// offsets share is judged once.
class Judge {
 public:
  /// `most_depth`: max depth of nested values; the outermost one has depth 1.
  explicit Judge(std::uint32_t most_depth) : most_depth_(most_depth) {}

  /// Judges the only value in `bytes`. `path` is the path of the value. The first fault of its structure
  /// (variant/value, field-id, field-order, field-unique, offsets) ends it; returns false then.
  bool judge(const Metadata& metadata, View bytes, std::string_view path, Faults& faults);

  /// Starts to count the names of a dictionary that values use.
  void count_names(const Metadata& metadata);
  void use_name(std::uint32_t id);
  /// Appends the ids that values use from now on, some of them repeatedly, to `ids`, until it is null.
  void record_names(std::vector<std::uint32_t>* ids) noexcept { recorded_ = ids; }
  /// Returns the first id that was not used since count_names(); nullopt if all were.
  [[nodiscard]] std::optional<std::uint32_t> unused_name() const;
  [[nodiscard]] bool uses_all_names() const noexcept { return used_count_ >= names_; }

 private:
  /// A container whose values are being judged. Positions are counted from the first byte of the value.
  struct Frame {
    Item item;
    std::size_t begin = 0;
    std::size_t order = 0;      ///< of its first entry in order_, unless the offsets ascend
    std::uint64_t end = 0;      ///< of its values, after the first one
    std::uint32_t next = 0;     ///< the next value, in the order of offsets
    std::uint32_t current = 0;  ///< the index of the value that is being judged
    bool is_ascending = true;   ///< the offsets ascend
  };

  [[nodiscard]] bool read(std::size_t begin, std::size_t end, Item& item);
  void enter(const Item& item, std::size_t begin);
  void open(const Item& item, std::size_t begin);
  void step();
  void sort_values(Frame& frame);
  [[nodiscard]] bool judge_fields(const Item& item, std::size_t begin);
  [[nodiscard]] bool judge_offsets(const Item& item, std::size_t begin);
  [[nodiscard]] bool judge_sizes(Frame& frame);
  [[nodiscard]] bool judge_area(const Frame& frame);
  void judge_leaf(const Item& item, std::size_t begin);
  void judge_decimal(const Item& item, std::size_t begin);
  void judge_header(const Item& item, std::size_t begin);
  [[nodiscard]] std::uint32_t child(const Frame& frame, std::uint32_t i) const noexcept;
  [[nodiscard]] View part(std::size_t begin, std::size_t size) const noexcept {
    return bytes_.part(begin, size);
  }
  [[nodiscard]] View offset_bytes(const Item& item, std::size_t begin, std::uint32_t i) const noexcept;
  void report(Rule rule, View at, std::string_view subject, FindingValue found, FindingValue expected);
  bool stop(Rule rule, View at, std::string_view subject, FindingValue found, FindingValue expected);
  [[nodiscard]] std::string path() const;

  std::uint32_t most_depth_;
  const Metadata* metadata_ = nullptr;
  View bytes_;
  std::string_view path_;
  Faults* faults_ = nullptr;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> order_;  // of the values of containers whose offsets do not ascend
  bool is_stopped_ = false;
  bool has_reserved_bits_ = false;  // reported for this value
  bool is_wide_ = false;            // likewise
  bool wants_wide_ = false;
  std::uint64_t surplus_ = 0;  // bytes of this value that smaller widths would save
  std::uint32_t names_ = 0;
  std::uint32_t used_count_ = 0;
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t>* recorded_ = nullptr;
  std::vector<std::uint32_t> used_in_;  // by id: the round in which it was used last
};

inline constexpr std::size_t kShownNameBytes = 60;  ///< max of a name in a path or message

/// Appends the path of the field `name`: `.name`, or `["name"]` unless it has letters, digits and _ alone.
void append_field(std::string& path, std::string_view name);
/// A name in quotes, cut if it is long.
[[nodiscard]] std::string shown_name(std::string_view name);
/// The first byte that is not UTF-8; `error` is its index.
[[nodiscard]] std::string shown_utf8_error(std::span<const std::uint8_t> bytes, std::size_t error);

}  // namespace parqproof::variant
