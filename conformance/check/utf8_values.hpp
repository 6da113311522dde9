#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/check/chunk_observer.hpp"

namespace parqproof {

/// logical-type/utf8: values of a column that is annotated as text are well-formed UTF-8. LogicalTypes.md
/// says so of STRING (#string), ENUM (#enum) and JSON (#json). Entries of a dictionary count where values
/// refer to them.
class Utf8Values final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(ChunkScope& scope, DictionaryUse& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override;
  void end_dictionary(const ValueSection& section) override;
  void begin_page(const Page& page) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_page(const PageEnd& end) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  /// A value that is not UTF-8.
  struct Broken {
    std::uint64_t ordinal = 0;  ///< of the value in its page
    View at;                    ///< its bytes; none where it has none of its own
    std::string found;          ///< its first byte that is at fault
  };

  /// Calls `take(i)` for each value of a batch that is not UTF-8.
  template <typename Take>
  void for_each_broken(const ValueBatch& batch, Take&& take) const;
  [[nodiscard]] Broken broken(const ValueSection& section, const ValueBatch& batch, std::uint64_t i) const;
  void report(const Broken& value, const Place& page, std::uint64_t page_offset, std::uint64_t times) const;

  ChunkScope* scope_ = nullptr;
  DictionaryUse* use_ = nullptr;
  std::vector<Broken> entries_;  // of the dictionary
  Place dictionary_page_;
  std::uint64_t dictionary_offset_ = 0;
  std::uint64_t values_ = 0;  // of the page so far
  std::uint64_t times_ = 0;   // values of the page that are not UTF-8
  Broken first_;              // of them
};

}  // namespace parqproof
