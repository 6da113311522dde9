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
/// own, in time that is linear in the bytes but for sorting offsets that do not ascend: bytes that two
/// offsets share are looked at once.
class Judge {
 public:
  /// `most_depth`: max depth of nested values; the outermost one has depth 1.
  explicit Judge(std::uint32_t most_depth) : most_depth_(most_depth) {}

  /// Judges the only value in `bytes`. `path` is the path of the value. Returns true if all of its parts can
  /// be read.
  bool judge(const Metadata& metadata, View bytes, std::string_view path, Faults& faults);
  /// Counts the names of the dictionary that values use from now on.
  void count_names(std::uint32_t names);
  /// The number of distinct ids in values since count_names().
  [[nodiscard]] std::uint32_t names_used() const noexcept { return used_count_; }
  void use_name(std::uint32_t id);

 private:
  /// A container whose values are being judged. Positions are counted from the first byte of the value.
  struct Frame {
    Item item;
    std::size_t begin = 0;
    std::size_t expected_end = 0;  ///< where the container ends by what surrounds it
    std::size_t bound = 0;         ///< end of the bytes that its values may have
    std::size_t position = 0;      ///< end of the values so far
    std::size_t order = 0;         ///< of its first entry in order_, if is_sorted is false
    std::uint32_t next = 0;        ///< the next value, by its offset
    std::uint32_t current = 0;     ///< the index of the value that is being judged
    std::uint32_t previous = 0;    ///< offset of the last value
    bool is_ascending = true;      ///< the offsets ascend
    bool is_damaged = false;       ///< a value could not be read
    bool has_gap = false;          ///< a gap was reported
  };

  void enter(std::size_t begin, std::size_t limit, std::size_t expected_end);
  void leave(std::size_t end, bool is_damaged);
  void step();
  void finish();
  void open(const Item& item, std::size_t begin, std::size_t limit, std::size_t expected_end);
  void judge_fields(const Item& item, std::size_t begin);
  void judge_leaf(const Item& item, std::size_t begin);
  void judge_decimal(const Item& item, std::size_t begin);
  void judge_widths(const Item& item, std::size_t begin);
  [[nodiscard]] std::uint32_t child(const Frame& frame, std::uint32_t i) const noexcept;
  [[nodiscard]] View part(std::size_t begin, std::size_t size) const noexcept;
  [[nodiscard]] View offset_bytes(const Frame& frame, std::uint32_t i) const noexcept;
  void report(Rule rule, View at, std::string_view subject, FindingValue found, FindingValue expected);
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string shown_name(std::uint32_t id) const;

  std::uint32_t most_depth_;
  const Metadata* metadata_ = nullptr;
  View bytes_;
  std::string_view path_;
  Faults* faults_ = nullptr;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> order_;  // of the values of containers whose offsets do not ascend
  std::size_t end_ = 0;               // of the outermost value
  bool is_readable_ = true;
  std::vector<std::uint64_t> used_;  // a bit for each id
  std::uint32_t used_count_ = 0;
};

/// Appends the path of the field `name`: `.name`, or `["name"]` unless it has letters, digits and _ alone.
void append_field(std::string& path, std::string_view name);

}  // namespace parqproof::variant
