#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "codec/variant/assembly.hpp"
#include "codec/variant/builder.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/rewrite/source_chunks.hpp"
#include "conformance/rows/reading_failure.hpp"

namespace parqproof {

/// The values of a VARIANT group in one row group of the source, put together.
class VariantValues final : public variant::Columns, private variant::RowFaults {
 public:
  /// The arguments outlive this object. `failure` receives the fault that ends the reading.
  VariantValues(ReadingContext& context, const variant::Group& group, ReadingFailure& failure);

  /// Goes before the first value. `chunks`: of the columns of the group, which outlive this object. Returns
  /// false if one cannot be read.
  [[nodiscard]] bool open(std::span<const SourceRowGroup::Chunk> chunks);

  enum class Step : std::uint8_t {
    value,   ///< metadata() and value() have it
    absent,  ///< the group is not there
    end,
    failed,  ///< the failure has the reason
  };
  /// Reads the next entry of the group. A value that breaks a rule of severity error ends the reading.
  [[nodiscard]] Step next();

  /// Ends the reading with limit/memory, because what is made of the value takes too much. Returns false.
  bool fail_of_memory();

  [[nodiscard]] std::span<const std::uint8_t> metadata() const noexcept { return metadata_; }
  [[nodiscard]] std::span<const std::uint8_t> value() const noexcept { return value_; }
  /// The levels of the entry, as the column `metadata` has them.
  [[nodiscard]] std::uint32_t entry_repetition() const noexcept { return repetition_; }
  [[nodiscard]] std::uint32_t entry_definition() const noexcept { return definition_; }

 private:
  [[nodiscard]] std::uint32_t repetition(std::size_t leaf) const override;
  [[nodiscard]] std::uint32_t definition(std::size_t leaf) const override;
  [[nodiscard]] View value(std::size_t leaf) const override;
  [[nodiscard]] bool advance(std::size_t leaf) override;

  [[nodiscard]] bool wants(Rule rule) const override;
  [[nodiscard]] bool count(Rule rule) override;
  void describe(variant::Fault fault) override;
  void at_column(std::size_t leaf) override { leaf_ = leaf; }
  void at_levels(std::size_t leaf) override { leaf_ = leaf; }

  [[nodiscard]] ColumnCursor& cursor(std::size_t leaf) const { return *cursors_[leaf - group_.first]; }
  bool fail(std::size_t leaf, const PageFault& fault);
  Step fail(const char* why);
  [[nodiscard]] Step take_stored();
  [[nodiscard]] Step assemble();

  const variant::Group& group_;
  ReadingFailure& failure_;
  std::vector<std::unique_ptr<ColumnCursor>> cursors_;
  std::span<const SourceRowGroup::Chunk> chunks_;
  variant::Assembly assembly_;
  variant::Builder builder_;
  std::size_t most_bytes_;
  std::vector<std::uint8_t> metadata_;
  std::vector<std::uint8_t> value_;
  std::uint32_t repetition_ = 0;
  std::uint32_t definition_ = 0;
  std::size_t leaf_ = 0;  // the column of the next violations
  bool has_failed_ = false;
};

}  // namespace parqproof
