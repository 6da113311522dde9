#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/observers/chunk_observer.hpp"
#include "conformance/observers/value_tally.hpp"

namespace parqproof {

/// A value of a data page, found by reading the page again.
struct FoundValue {
  std::vector<std::uint8_t> value;  ///< PLAIN bytes, of a BYTE_ARRAY without length prefix
  std::int32_t page = -1;           ///< ordinal of the page in its chunk
  std::optional<std::int64_t> row;  ///< in the row group, from 0

  /// The value and its row, and with `with_page` its page: `3 in page 2, row 17 of the row group`.
  [[nodiscard]] std::string text(const Node& leaf, bool with_page) const;
};

/// The first value of the page for which `is_it` returns true. Only for findings, because levels and values
/// are decoded a second time. `dictionary` has the values that indices refer to.
[[nodiscard]] std::optional<FoundValue> find_value(
    const ChunkScope& scope, const PageEnd& end, const DictionaryView& dictionary,
    const std::function<bool(std::span<const std::uint8_t>)>& is_it);

/// Detail of a finding about a bound that values of a page without checksum contradict: if all of them are
/// close together between others that do not, the bytes of the page may be damaged. `is_outside` returns true
/// for a value that contradicts a bound. Empty if the page has a checksum, or the values are not close
/// together.
[[nodiscard]] std::string describe_foreign_values(
    const ChunkScope& scope, const PageEnd& end, const DictionaryView& dictionary,
    const std::function<bool(std::span<const std::uint8_t>)>& is_outside);

/// Claims about the values of single data pages that are stored elsewhere, for example in a ColumnIndex. They
/// subscribe to PageValues.
class PageClaims {
 public:
  virtual ~PageClaims() = default;
  /// Returns true if there are claims about this page that only its values can confirm; called before the
  /// values are read.
  [[nodiscard]] virtual bool are_about(const Page& page) = 0;
  /// Judges the values of that page, all of which could be read. `find` returns the first value for which its
  /// argument returns true.
  using Find =
      std::function<std::optional<FoundValue>(const std::function<bool(std::span<const std::uint8_t>)>&)>;
  virtual void judge(const PageEnd& end, const ValueTally& tally, const Find& find) = 0;
};

/// The tally of one data page after the other, for claims about single pages. The dictionary of the chunk is
/// read at the first page with such claims.
class PageTally {
 public:
  void open(const ChunkScope& scope, DictionaryUsage& use);

  /// Starts a page with claims. `entries`: min and max of the dictionary, if known. Returns false if the
  /// dictionary cannot be kept.
  [[nodiscard]] bool begin(const Page& page, bool with_values, bool with_distinct, const MinMax* entries);
  void add(const ValueBatch& batch);
  /// The tally of the page, once its levels and, if requested, its values are known.
  [[nodiscard]] const ValueTally& end(const PageEnd& end);
  /// Values of the page that do not refer to the dictionary.
  [[nodiscard]] const MinMax& stored_values() const noexcept { return stored_; }
  /// The first value of the page for which `is_it` returns true.
  [[nodiscard]] std::optional<FoundValue> find(
      const PageEnd& end, const std::function<bool(std::span<const std::uint8_t>)>& is_it);

 private:
  [[nodiscard]] bool read_dictionary();

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  Order order_ = Order::none;
  DictionaryLookup dictionary_;
  MinMax coded_;                 // values of the page that refer to the dictionary
  MinMax stored_;                // all others
  std::uint64_t more_nans_ = 0;  // NaNs of runs after the first of each run
  ValueTally tally_;
  std::optional<bool> has_dictionary_;  // its entries could be read; nothing before the attempt
  bool with_distinct_ = false;
  const MinMax* entries_ = nullptr;  // of the dictionary, if known and none is NaN
  bool by_use_ = false;  // the page is the first that refers to the dictionary, so all marks are of this page
};

}  // namespace parqproof
