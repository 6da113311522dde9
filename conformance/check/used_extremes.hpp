#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/file/value_bytes.hpp"
#include "codec/schema/order.hpp"

namespace parqproof {

/// The least and the greatest of the dictionary entries that one data page refers to. An entry is compared
/// once for each page that refers to it, however often the page does.
class UsedExtremes {
 public:
  /// What an entry takes besides its bytes.
  static constexpr std::uint64_t kPerEntry = DictionaryView::kPerEntry + sizeof(std::uint32_t);

  /// The dictionary of the next pages, and how its entries compare.
  void begin_dictionary(Order order, DictionaryView entries);
  [[nodiscard]] const DictionaryView& entries() const noexcept { return entries_; }

  void begin_page() noexcept;
  /// The next values of the page; batches that hold no indices are passed over.
  void add(const ValueBatch& batch);

  /// The least entry that the page refers to. NaN is none of them, and neither is what has no place in the
  /// order.
  [[nodiscard]] std::optional<std::uint32_t> lowest() const noexcept { return lowest_; }
  [[nodiscard]] std::optional<std::uint32_t> highest() const noexcept { return highest_; }
  /// The different NaNs that the page refers to.
  [[nodiscard]] std::span<const std::uint32_t> nan_entries() const noexcept { return nan_entries_; }
  /// Values of the page that are NaN.
  [[nodiscard]] std::uint64_t nan_count() const noexcept { return nan_count_; }

 private:
  void add(std::uint32_t index, std::uint64_t times);
  void use(std::uint32_t index);
  [[nodiscard]] bool is_less(std::uint32_t a, std::uint32_t b) const noexcept {
    return compare(order_, entries_[a], entries_[b]) == Comparison::less;
  }

  Order order_ = Order::none;
  DictionaryView entries_;
  std::vector<std::uint32_t> pages_;  // of the entries: the last page that refers to it
  std::uint32_t page_ = 0;            // it grows on from one dictionary to the next
  std::size_t used_ = 0;              // entries that this page refers to
  std::optional<std::uint32_t> lowest_;
  std::optional<std::uint32_t> highest_;
  std::vector<std::uint32_t> nan_entries_;
  std::uint64_t nan_count_ = 0;
  bool has_nans_ = false;  // the dictionary has
};

}  // namespace parqproof
