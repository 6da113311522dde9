#include "conformance/rewrite/shred/shredded_columns.hpp"

#include <utility>

namespace parqproof {
namespace {

constexpr std::uint64_t kShreddedAtOnce = 4'096;  // entries
constexpr std::uint64_t kBytesAtOnce = std::uint64_t{16} << 20;
// The entries of a row are in buffers that double, and once more in the columns that are held.
constexpr std::uint64_t kCopies = 4;

}  // namespace

bool ShreddingSample::add(VariantValues& values) {
  while (!is_full()) {
    switch (values.next()) {
      case VariantValues::Step::value:
        finder_.add(values.metadata(), values.value());
        ++rows_;
        bytes_ += values.metadata().size() + values.value().size();
        break;
      case VariantValues::Step::absent:
        break;
      case VariantValues::Step::end:
        return true;
      case VariantValues::Step::failed:
        return false;
    }
  }
  return true;
}

bool ShreddedColumns::write(FileWriter& writer) {
  for (std::size_t column = 0; column < held_.size(); ++column) {
    const std::expected<ChunkWriter*, std::string> to = writer.next_column();
    if (!to) {
      why_ = to.error();
      return false;
    }
    if (!held_[column]) {
      if (!read(column, **to)) return false;
      continue;
    }
    if (!put(held_[column]->entries(), **to)) return false;
    held_[column].reset();
  }
  return true;
}

bool ShreddedColumns::put(const Entries& entries, ChunkWriter& to) {
  const WriteStatus added = to.add(entries);
  if (!added) why_ = added.error();
  return added.has_value();
}

/// Reads the values and writes one column. Later columns are held as far as they fit.
bool ShreddedColumns::read(std::size_t column, ChunkWriter& to) {
  rows_ = 0;
  first_dropped_ = held_.size();
  VariantValues values(context_, group_.source, failure_);
  if (!values.open(chunks_)) return false;
  VariantShredder shredder(schema_, group_.written, static_cast<std::uint32_t>(context_.limits.schema_depth),
                           context_.limits.row_bytes() / kCopies);
  std::uint64_t bytes = 0;
  std::uint64_t entries = 0;
  for (VariantValues::Step step = values.next(); step != VariantValues::Step::end; step = values.next()) {
    if (step == VariantValues::Step::failed) return false;
    if (values.entry_repetition() == 0) ++rows_;
    if (step == VariantValues::Step::absent) {
      shredder.add_missing(values.entry_repetition(), values.entry_definition());
    } else if (const WriteStatus added =
                   shredder.add(values.metadata(), values.value(), values.entry_repetition());
               !added && shredder.is_too_large()) {
      return values.fail_of_memory();
    } else if (!added) {
      failure_.set_message("row " + std::to_string(rows_ - 1) + " of the row group: " + added.error());
      return false;
    }
    bytes += values.metadata().size() + values.value().size();
    if (++entries % kShreddedAtOnce != 0 && bytes < kBytesAtOnce) continue;
    if (is_cancelled() || !take(column, shredder, to)) return false;
    bytes = 0;
  }
  return take(column, shredder, to);
}

bool ShreddedColumns::take(std::size_t column, VariantShredder& shredder, ChunkWriter& to) {
  const bool good = put(shredder.columns()[column].entries(), to);
  if (good) hold(column + 1, shredder);
  shredder.clear();
  return good;
}

/// Adds the entries of the columns from `first` on to those that are held. The last ones are dropped if all
/// together take too much memory.
void ShreddedColumns::hold(std::size_t first, const VariantShredder& shredder) {
  std::size_t bytes = 0;
  for (std::size_t i = first; i < first_dropped_; ++i) {
    if (!held_[i]) held_[i].emplace(schema_.leaf(group_.written.first + i));
    held_[i]->add(shredder.columns()[i].entries());
    bytes += held_[i]->bytes();
  }
  while (bytes > most_held_ && first_dropped_ > first) {
    --first_dropped_;
    bytes -= held_[first_dropped_]->bytes();
    held_[first_dropped_].reset();
  }
}

}  // namespace parqproof
