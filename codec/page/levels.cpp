#include "codec/page/levels.hpp"

#include <algorithm>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

namespace {

constexpr std::uint64_t kShortBatch = 256;  // levels that are copied instead of being processed separately

void add_histogram(const std::uint32_t* levels, std::uint32_t run, std::uint64_t count,
                   std::span<std::uint64_t> counts) noexcept {
  if (levels == nullptr) {
    counts[run] += count;
    return;
  }
  constexpr std::size_t kFew = 8;
  if (counts.size() > kFew) {
    for (std::uint64_t i = 0; i < count; ++i) ++counts[levels[i]];
    return;
  }
  // Searching for each of a few levels is faster than counting them one by one.
  std::uint64_t others = 0;
  for (std::uint32_t level = 1; level < counts.size(); ++level) {
    std::uint32_t met = 0;
    for (std::uint64_t i = 0; i < count; ++i) met += levels[i] == level ? 1U : 0U;
    counts[level] += met;
    others += met;
  }
  counts[0] += count - others;
}

}  // namespace

void LevelBatch::add_repetition_histogram(std::span<std::uint64_t> counts) const noexcept {
  add_histogram(repetition, run_repetition, count, counts);
}

void LevelBatch::add_definition_histogram(std::span<std::uint64_t> counts) const noexcept {
  add_histogram(definition, run_definition, count, counts);
}

LevelReader::LevelReader(const Schema& schema, std::size_t leaf) : prints_(schema, leaf) {
  const Node& node = schema.leaf(leaf);
  max_repetition_ = node.max_repetition;
  max_definition_ = node.max_definition;
  reached_ = schema.repeated_definition_levels(leaf);
  if (max_repetition_ != 0) element_ = reached_[max_repetition_];
  repetition_.stored = max_repetition_ != 0;
  repetition_.max = max_repetition_;
  repetition_.width = bit_width_for(max_repetition_);
  repetition_.range = Rule::levels_repetition_range;
  definition_.stored = max_definition_ != 0;
  definition_.max = max_definition_;
  definition_.width = bit_width_for(max_definition_);
  definition_.range = Rule::levels_definition_range;
}

Status LevelReader::Stream::open(const LevelSection& section, std::uint64_t count, Notes& notes) {
  batch = ahead = {};
  used = 0;
  failed = {};
  if (!stored) return {};
  return decoder.open(section.encoding, {section.bytes, width, count, notes});
}

Status LevelReader::Stream::fill(std::uint64_t left) {
  if (used < batch.count) return {};
  used = 0;
  if (!stored) {
    batch = {left, nullptr, max, 0};  // levels that are not stored are all at their max, 0
    return {};
  }
  std::size_t count = 0;
  while (true) {
    if (ahead.count == 0 && failed) {
      count += decoder.next_short_runs(max, std::span(gathered).subspan(count));
      failed = read_ahead();
    }
    if (!failed || ahead.count == 0 || ahead.count > kShortBatch || count + ahead.count > gathered.size())
      break;
    std::uint32_t* const to = gathered.data() + count;
    if (ahead.values == nullptr) {
      std::fill_n(to, ahead.count, ahead.repeated);
    } else {
      std::copy_n(ahead.values, ahead.count, to);
    }
    count += static_cast<std::size_t>(ahead.count);
    ahead.count = 0;
  }
  if (count != 0) {
    batch = {count, gathered.data(), 0, 0};
    return {};
  }
  batch = std::exchange(ahead, {});
  return failed;
}

// Reads the next batch of the decoder and checks that no level is above the max.
Status LevelReader::Stream::read_ahead() {
  const Result<HybridDecoder::Batch> next = decoder.next();
  if (!next) return std::unexpected(next.error());
  const std::uint32_t* const values = next->values;
  const std::uint64_t count = next->count;
  std::uint32_t highest = next->repeated;
  if (max != low_bits(width)) {  // otherwise no number of this width is too large
    std::uint64_t offset = next->run_offset;
    if (values != nullptr) {
      highest = max32(kernels(), values, static_cast<std::size_t>(count));
      if (!decoder.in_runs() && highest > max) {  // not a run, and batches begin at byte boundaries
        std::uint64_t first = 0;
        while (values[first] <= max) ++first;
        highest = values[first];
        offset += first * width / 8;
      }
    }
    if (highest > max) return std::unexpected(Error{offset, highest, max, 1, range, Space::file});
  }
  ahead.count = count;
  ahead.values = values;
  ahead.repeated = next->repeated;
  return {};
}

Result<LevelSums> LevelReader::read(const LevelSection& repetition_section,
                                    const LevelSection& definition_section, std::uint64_t count, Notes& notes,
                                    LevelVisitor* visitor) {
  const View repetition = repetition_section.bytes;
  const View definition = definition_section.bytes;
  LevelSums sums;
  if (Status opened = repetition_.open(repetition_section, count, notes); !opened)
    return std::unexpected(opened.error());
  if (Status opened = definition_.open(definition_section, count, notes); !opened)
    return std::unexpected(opened.error());
  for (std::uint64_t done = 0; done < count;) {
    if (Status filled = repetition_.fill(count - done); !filled) {
      Error error = filled.error();
      error.space = repetition.space;
      return std::unexpected(error);
    }
    if (Status filled = definition_.fill(count - done); !filled) {
      Error error = filled.error();
      error.space = definition.space;
      return std::unexpected(error);
    }
    const std::uint64_t both = std::min({repetition_.batch.count - repetition_.used,
                                         definition_.batch.count - definition_.used, count - done});
    if (both == 0) break;
    if (done == 0) sums.first_repetition = repetition_.at(0);
    if (visitor != nullptr) visit(*visitor, both, done, sums);
    entries(both, sums, notes, repetition, definition);
    repetition_.used += both;
    definition_.used += both;
    done += both;
  }
  return sums;
}

void LevelReader::visit(LevelVisitor& visitor, std::uint64_t count, std::uint64_t first_entry,
                        const LevelSums& sums) const {
  LevelBatch batch;
  if (repetition_.batch.values != nullptr) batch.repetition = repetition_.batch.values + repetition_.used;
  if (definition_.batch.values != nullptr) batch.definition = definition_.batch.values + definition_.used;
  batch.run_repetition = repetition_.batch.repeated;
  batch.run_definition = definition_.batch.repeated;
  batch.count = count;
  batch.first_entry = first_entry;
  batch.rows_before = sums.rows;
  batch.values_before = sums.stored;
  visitor.levels(batch);
}

void LevelReader::entries(std::uint64_t count, LevelSums& sums, Notes& notes, View repetition,
                          View definition) {
  const bool repetition_run = repetition_.batch.values == nullptr;
  const bool definition_run = definition_.batch.values == nullptr;
  if (repetition_run && definition_run) {
    pair(repetition_.batch.repeated, definition_.batch.repeated, count, sums, notes, repetition, definition);
    return;
  }
  // One of the two streams has a batch, so `count` is at most the size of a batch.
  const auto block = static_cast<std::size_t>(count);
  Block room;
  const bool flat = max_repetition_ == 0 && prints_.ancestors().empty();
  const std::uint32_t* const repetitions = flat ? nullptr : repetition_.levels(block, room);
  Block other_room;
  const std::uint32_t* const definitions = definition_.levels(block, other_room);
  const LevelTally tally =
      kernels().levels.tally(repetitions, definitions, block, entry_ == 0 ? UINT32_MAX : previous_definition_,
                             {max_definition_, element_, reached_});
  if (!tally.legal) {
    for (std::size_t i = 0; i < block; ++i) {
      pair(repetitions[i], definitions[i], 1, sums, notes, repetition, definition);
    }
    return;
  }
  sums.rows += tally.rows;
  sums.stored += tally.stored;
  sums.null_leaves += tally.null_leaves;
  sums.null_elements += tally.elements - tally.stored;
  prints_.add(repetitions, definitions, block);
  previous_definition_ = definitions[block - 1];
  entry_ += count;
}

const std::uint32_t* LevelReader::Stream::levels(std::size_t count, Block& room) const noexcept {
  if (batch.values != nullptr) return batch.values + used;
  std::fill_n(room.begin(), count, batch.repeated);
  return room.data();
}

void LevelReader::pair(std::uint32_t repetition, std::uint32_t definition, std::uint64_t count,
                       LevelSums& sums, Notes& notes, View repetition_bytes, View definition_bytes) {
  if (repetition == 0) {
    sums.rows += count;
  } else if (repetition < reached_.size()) {
    const std::uint32_t reached = reached_[repetition];
    if (definition < reached || (entry_ != 0 && previous_definition_ < reached))
      faulty_entry_ = std::min(faulty_entry_, entry_);
    if (definition < reached) {
      notes.add(Rule::levels_repetition_needs_defined,
                {.offset = definition_bytes.base,
                 .found = definition,
                 .expected = reached,
                 .length = 1,
                 .space = definition_bytes.space},
                count);
    }
    if (definition >= reached && entry_ != 0 && previous_definition_ < reached) {
      notes.add(Rule::levels_repetition_after_empty, {.offset = repetition_bytes.base,
                                                      .found = previous_definition_,
                                                      .expected = reached,
                                                      .length = 1,
                                                      .space = repetition_bytes.space});
    }
  }
  if (definition == max_definition_) sums.stored += count;
  if (definition + 1 == max_definition_) sums.null_leaves += count;
  if (definition >= element_ && definition != max_definition_) sums.null_elements += count;
  prints_.add(repetition, definition, count);
  previous_definition_ = definition;
  entry_ += count;
}

}  // namespace parqproof
