#include "conformance/rewrite/column_rows.hpp"

#include <utility>

namespace parqproof {
namespace {

constexpr std::uint64_t kReadAhead = std::uint64_t{256} << 10;

void shorten(Entries& entries, std::uint64_t count, const Node& leaf) {
  entries.count = count;
  entries.values.count = entries.definition.count(leaf.max_definition, count);
}

/// Cuts entries before the row after the first `rows` that begin in them. Returns the number of rows that do.
std::uint64_t limit_rows(Entries& entries, std::uint64_t rows, const Node& leaf) {
  if (leaf.max_repetition == 0) {
    if (entries.count > rows) shorten(entries, rows, leaf);
    return entries.count;
  }
  if (entries.count <= rows) return entries.repetition.count(0, entries.count);
  std::uint64_t begun = 0;
  for (std::uint64_t i = 0; i < entries.count; ++i) {
    if (entries.repetition[i] != 0) continue;
    if (begun == rows) {
      shorten(entries, i, leaf);
      break;
    }
    ++begun;
  }
  return begun;
}

/// The part of the bytes of a chunk that so many of its entries take.
std::uint64_t bytes_of(std::uint64_t entries, const ChunkExtent& extent) {
  if (extent.num_values <= 0) return 0;
  const double part = static_cast<double>(entries) / static_cast<double>(extent.num_values);
  return static_cast<std::uint64_t>(static_cast<double>(stated_bytes(extent)) * std::min(part, 1.0));
}

}  // namespace

ColumnRows::ColumnRows(ReadingContext& context, std::size_t leaf, ReadingFailure& failure,
                       const RewriteOptions& options)
    : schema_(context.schema),
      leaf_(leaf),
      failure_(failure),
      options_(options),
      cursor_(context, leaf, kReadAhead) {}

bool ColumnRows::fail(const PageFault& fault) {
  failure_.take(cursor_, metadata_, fault);
  return false;
}

bool ColumnRows::open(const SourceRowGroup::Chunk& chunk) {
  metadata_ = chunk.metadata;
  extent_ = chunk.stored.extent;
  check_.emplace(schema_.leaf(leaf_), schema_.repeated_definition_levels(leaf_));
  const PageResult<void> opened = cursor_.open(chunk.stored);
  return opened || fail(*opened.error());
}

bool ColumnRows::take(std::uint64_t& rows, ChunkWriter* to, AncestorPrints* prints) {
  // Entries that continue the last row are taken too.
  while (!cursor_.at_end() && (rows != 0 || cursor_.repetition() != 0)) {
    if (options_.cancelled != nullptr && options_.cancelled->load(std::memory_order_relaxed)) {
      why_ = "cancelled";
      return false;
    }
    if (copies_ != nullptr && cursor_.is_at_page_start()) {
      if (const WriteStatus begun = copies_->begin_page(cursor_, *to); !begun) {
        why_ = begun.error();
        return false;
      }
    }
    if (to != nullptr) allow_dictionary(*to);
    Entries entries = cursor_.entries();
    const std::uint64_t begun = limit_rows(entries, rows, cursor_.leaf());
    if (!use(entries, to, prints)) return false;
    if (const PageResult<void> passed = cursor_.pass(entries); !passed) return fail(*passed.error());
    rows -= begun;
    if (to != nullptr && options_.progress != nullptr)
      options_.progress->done += bytes_of(entries.count, extent_);
  }
  return true;
}

/// Keeps a dictionary of the source above the limit of the writer, if its entries occur so often that the
/// values by themselves would be much larger.
void ColumnRows::allow_dictionary(ChunkWriter& to) const {
  constexpr std::int64_t kMinUses = 4;  // of an entry, on average
  if (!cursor_.pages().dictionary().known()) return;
  const DictionaryPage& page = cursor_.pages().dictionary_page();
  if (std::cmp_less_equal(page.entries, extent_.num_values / kMinUses) &&
      page.uncompressed <= options_.limits.row_bytes())
    to.allow_dictionary(page.uncompressed);
}

bool ColumnRows::use(const Entries& entries, ChunkWriter* to, AncestorPrints* prints) {
  std::optional<EntryCheck::Fault> fault;
  if (prints != nullptr) {
    fault = check_->add(entries);
    print_levels(entries, *prints);
  }
  if (to != nullptr) {
    if (const WriteStatus added = to->add(entries); added)
      return true;
    else if (!to->entry_fault())
      why_ = added.error();
    fault = to->entry_fault();
  }
  if (fault) return fail(cursor_.level_fault(fault->rule, fault->found, fault->expected));
  return why_.empty();
}

}  // namespace parqproof
