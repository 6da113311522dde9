// Properties of levels: decoding of any bytes, and encoding of any levels.
#include <algorithm>
#include <memory>

#include "codec/base/bits.hpp"
#include "codec/encoding/level_codec.hpp"
#include "codec/encoding/table.hpp"
#include "codec/format/schema_element.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/page/levels.hpp"
#include "codec/schema/schema.hpp"
#include "fuzz/collected.hpp"
#include "fuzz/kernels_in_use.hpp"
#include "fuzz/memory.hpp"
#include "fuzz/property.hpp"
#include "fuzz/tail.hpp"

namespace parqproof::fuzz {
namespace {

constexpr unsigned kMaxBits = 32;

struct Levels {
  Collected collected;
  std::size_t rest = 0;  // bytes after the levels
};

// Reads levels run by run, or several short runs at once.
enum class Taken { run_by_run, short_runs_at_once };
// Section that the decoder has read before: the first half of the bytes, which is usually an error.
enum class Before { nothing, half };

Levels decoded(Encoding encoding, std::span<const std::uint8_t> bytes, unsigned width, std::uint64_t count,
               const Kernels& set, std::uint8_t fill, Taken taken = Taken::short_runs_at_once,
               Before before = Before::nothing) {
  const KernelsInUse in_use(set);
  Levels levels;
  {
    const FilledMemory filled(fill);
    const auto decoder = std::make_unique_for_overwrite<LevelDecoder>();
    if (before == Before::half) {
      Notes notes;
      const View half{bytes.first(bytes.size() / 2), kBase, Space::page};
      Status status = decoder->open(encoding, {half, width, count, notes});
      for (bool more = status.has_value(); more;) {
        const auto next = decoder->next();
        more = next && next->count != 0;
      }
    }
    Collected& collected = levels.collected;
    const View view{bytes, kBase, Space::page};
    const Status opened = decoder->open(encoding, {view, width, count, collected.notes});
    if (!opened) collected.error = opened.error();
    const std::size_t most = taken == Taken::run_by_run ? 0 : HybridDecoder::kBatch;
    const auto room = std::make_unique_for_overwrite<std::uint32_t[]>(most);
    while (!collected.error) {
      const auto max = static_cast<std::uint32_t>(low_bits(width));
      const std::size_t ahead = decoder->next_short_runs(max, {room.get(), most});
      if (ahead != 0) {
        ValueBatch batch;
        batch.form = ValueBatch::Form::indices;
        batch.count = ahead;
        batch.indices = room.get();
        collected.append(batch, 0);
      }
      const Result<HybridDecoder::Batch> next = decoder->next();
      if (!next) {
        collected.error = next.error();
        break;
      }
      if (next->count == 0) break;
      ValueBatch batch;
      batch.form = next->values == nullptr ? ValueBatch::Form::index_run : ValueBatch::Form::indices;
      batch.count = next->count;
      batch.indices = next->values;
      batch.run = next->repeated;
      collected.append(batch, 0);
    }
    if (!collected.error) levels.rest = decoder->rest().size();
  }
  return levels;
}

std::vector<std::uint8_t> encoded(LevelEncoder& encoder, Encoding encoding, const Collected& levels,
                                  unsigned width, const Tail& tail, std::uint8_t cuts, const Kernels& set,
                                  std::uint8_t fill) {
  const KernelsInUse in_use(set);
  std::vector<std::uint8_t> out;
  {
    const FilledMemory filled(fill);
    const EncodeOptions options = tail.options();
    (void)encoder.open(encoding, {width, options, out});
    levels.batches(ValueBatch::Form::indices, 0, cuts, [&](const ValueBatch& batch) {
      const bool equal = std::ranges::all_of(std::span(batch.indices, batch.count),
                                             [&](std::uint32_t level) { return level == batch.indices[0]; });
      if (equal) {
        encoder.add(batch.indices[0], batch.count);
      } else {
        encoder.add(std::span(batch.indices, static_cast<std::size_t>(batch.count)));
      }
    });
    encoder.finish();
  }
  return out;
}

/// Checks that decode(encode(v)) = v, where `one` is encode(v).
std::string recoding_fault(Encoding encoding, const Collected& levels, unsigned width,
                           std::span<const std::uint8_t> one, const Tail& tail) {
  const Levels again = decoded(encoding, one, width, levels.count, tail.kernels(), tail.fill());
  if (again.collected.error) return "the encoded levels cannot be decoded: " + described(again.collected);
  if (!again.collected.same_values(levels)) return "the decoded levels differ from the encoded ones";
  if (again.rest != 0) return "the encoder writes more than its decoder reads";
  return {};
}

unsigned width_of(Encoding encoding, const Tail& tail) noexcept {
  const unsigned min_width = encoding == Encoding::BIT_PACKED ? 1 : 0;
  return min_width + tail.width() % (kMaxBits + 1 - min_width);
}

std::string decode_fault(Encoding encoding, std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const unsigned width = width_of(encoding, tail);
  const auto bytes = tail.payload();
  const Levels fast = decoded(encoding, bytes, width, tail.count(), tail.kernels(), tail.fill());
  const Levels reference =
      decoded(encoding, bytes, width, tail.count(), reference_kernels(), 0xA5, Taken::run_by_run,
              (tail.cuts() & 6U) == 6 ? Before::half : Before::nothing);
  const Collected& levels = fast.collected;
  if (!levels.same_values(reference.collected))
    return "the levels depend on kernels, on the reading of runs, or on the content of new memory";
  if (!levels.same_findings(reference.collected) || fast.rest != reference.rest) {
    return "the findings depend on kernels, on the reading of runs, or on the content of new memory";
  }
  if (levels.count > tail.count()) return "more levels than requested";
  if (levels.error) {
    const std::uint64_t end = levels.error->offset + levels.error->length;
    return levels.error->offset < kBase || end > kBase + bytes.size()
               ? described(levels) + " is outside the levels"
               : "";
  }
  if (levels.count != tail.count()) return "fewer levels than requested, and no error";
  if (levels.clean() && fast.rest == 0 && !bytes.empty()) {
    const auto shorter = bytes.first(bytes.size() - 1);
    if (decoded(encoding, shorter, width, tail.count(), tail.kernels(), tail.fill()).collected.clean()) {
      return "levels without their last byte are sound";
    }
  }
  // The other checks are in the property of the encoder.
  LevelEncoder encoder;
  const auto one = encoded(encoder, encoding, levels, width, tail, tail.cuts(), tail.kernels(), tail.fill());
  return recoding_fault(encoding, levels, width, one, tail);
}

std::string encode_fault(Encoding encoding, std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const unsigned width = width_of(encoding, tail);
  Collected levels;
  for (const std::uint8_t byte : tail.payload()) {
    levels.numbers.push_back(static_cast<std::uint32_t>(byte * 0x01010101U & low_bits(width)));
  }
  levels.count = levels.numbers.size();
  LevelEncoder fresh;
  const auto one = encoded(fresh, encoding, levels, width, tail, 0, reference_kernels(), 0);
  LevelEncoder encoder;
  for (int i = 0; i < 2; ++i) {
    if (one != encoded(encoder, encoding, levels, width, tail, tail.cuts(), tail.kernels(), 0xA5))
      return "the bytes depend on batches, kernels, the content of new memory or earlier levels";
  }
  return recoding_fault(encoding, levels, width, one, tail);
}

/// A schema of one leaf below up to four nodes, each required, optional or repeated, the outermost of which
/// has another leaf. Two bits of `shape` select the repetition of a node; 3 ends the nodes.
Schema nested(std::uint8_t shape) {
  Schema schema;
  const auto add = [&](std::int32_t children, std::int32_t repetition) {
    SchemaElement element;
    element.fields.present = 1U << SchemaElement::id_repetition_type;
    element.repetition_type = static_cast<FieldRepetitionType>(repetition);
    element.fields.present |= 1U << (children == 0 ? SchemaElement::id_type : SchemaElement::id_num_children);
    element.type = Type::INT32;
    element.num_children = children;
    schema.add(element);
  };
  add(1, 0);
  unsigned nodes = 0;
  for (; nodes < 4 && (shape >> 2 * nodes & 3U) != 3; ++nodes)
    add(nodes == 0 ? 2 : 1, shape >> 2 * nodes & 3);
  add(0, shape & 1);
  if (nodes != 0) add(0, 0);
  schema.finish();
  return schema;
}

/// Pairs of levels of a page; empty if one kind cannot be decoded.
struct Pairs {
  std::vector<std::uint32_t> repetition;
  std::vector<std::uint32_t> definition;
};

/// Compares the levels that a visitor receives with the decoded ones.
class Watcher final : public LevelVisitor {
 public:
  Watcher(const Pairs& pairs, std::uint32_t max_repetition, std::uint32_t max_definition)
      : pairs_(pairs),
        repetitions_(std::size_t{max_repetition} + 1),
        definitions_(std::size_t{max_definition} + 1) {}

  void levels(const LevelBatch& batch) override {
    if (batch.first_entry != seen || batch.rows_before != rows || batch.values_before != stored)
      fault = "a batch of levels does not begin after the previous one";
    for (std::uint64_t i = 0; i < batch.count && fault.empty(); ++i, ++seen) {
      const std::uint32_t repetition = batch.repetition_at(i);
      const std::uint32_t definition = batch.definition_at(i);
      if (seen >= pairs_.repetition.size() || repetition != pairs_.repetition[seen] ||
          definition != pairs_.definition[seen])
        fault = "a visitor receives other levels than the page has";
      rows += repetition == 0 ? 1 : 0;
      stored += definition == definitions_.size() - 1 ? 1 : 0;
    }
    batch.add_repetition_histogram(repetitions_);
    batch.add_definition_histogram(definitions_);
  }
  /// Returns true if the histograms are those of the levels.
  [[nodiscard]] bool counts_right() const {
    const auto right = [](const std::vector<std::uint64_t>& counts, const std::vector<std::uint32_t>& all) {
      for (std::size_t level = 0; level < counts.size(); ++level) {
        const auto times = std::ranges::count(all, static_cast<std::uint32_t>(level));
        if (counts[level] != static_cast<std::uint64_t>(times)) return false;
      }
      return true;
    };
    return right(repetitions_, pairs_.repetition) && right(definitions_, pairs_.definition);
  }

  std::string fault;
  std::uint64_t seen = 0;
  std::uint64_t rows = 0;
  std::uint64_t stored = 0;

 private:
  const Pairs& pairs_;
  std::vector<std::uint64_t> repetitions_;
  std::vector<std::uint64_t> definitions_;
};

/// Result of reading the same page twice with one reader: its sums, or its error, and its notes.
struct PagesRead {
  std::vector<Result<LevelSums>> sums;
  Collected noted;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> prints;
};

PagesRead read_pages(const Schema& schema, const LevelSection& repetition, const LevelSection& definition,
                     std::uint64_t count, const Kernels& set, LevelVisitor* visitor, bool lost) {
  const KernelsInUse in_use(set);
  PagesRead pages;
  LevelReader reader(schema, 0);
  pages.sums.push_back(reader.read(repetition, definition, count, pages.noted.notes, visitor));
  if (lost) reader.page_lost();
  pages.sums.push_back(reader.read(repetition, definition, count, pages.noted.notes));
  pages.prints = reader.fingerprints();
  return pages;
}

bool same(const Result<LevelSums>& a, const Result<LevelSums>& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a) return a.error().rule == b.error().rule && a.error().offset == b.error().offset;
  return a->rows == b->rows && a->stored == b->stored && a->null_leaves == b->null_leaves &&
         a->null_elements == b->null_elements && a->first_repetition == b->first_repetition;
}

/// Reads levels of both kinds together, as of a page of a nested column. The first byte of the tail has the
/// size of the repetition levels, its width the nesting of the column, and its fill selects BIT_PACKED.
std::string pairs_fault(std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const Schema schema = nested(tail.width());
  if (schema.fault() != Schema::Fault::none) return "the schema is not a tree";
  const auto bytes = tail.payload();
  const std::size_t split = bytes.empty() ? 0 : tail.first() % (bytes.size() + 1);
  const Encoding encoding = tail.fill() != 0 ? Encoding::BIT_PACKED : Encoding::RLE;
  const View page{bytes, kBase, Space::page};
  const LevelSection repetition{page.part(0, split), encoding};
  const LevelSection definition{page.from(split), encoding};
  const Node& leaf = schema.leaf(0);
  Pairs pairs;
  const auto take = [&](const LevelSection& section, std::uint32_t max, std::vector<std::uint32_t>& levels) {
    if (max == 0) {
      levels.assign(static_cast<std::size_t>(tail.count()), 0);
      return true;
    }
    const Levels read =
        decoded(encoding, section.bytes.bytes, bit_width_for(max), tail.count(), reference_kernels(), 0);
    levels = read.collected.numbers;
    return !read.collected.error && std::ranges::all_of(levels, [&](auto level) { return level <= max; });
  };
  const bool decodable = take(repetition, leaf.max_repetition, pairs.repetition) &&
                         take(definition, leaf.max_definition, pairs.definition);
  Watcher watcher(pairs, leaf.max_repetition, leaf.max_definition);
  const bool lost = tail.cuts() % 2 != 0;
  const PagesRead one = read_pages(schema, repetition, definition, tail.count(), tail.kernels(),
                                   decodable ? &watcher : nullptr, lost);
  const PagesRead two =
      read_pages(schema, repetition, definition, tail.count(), reference_kernels(), nullptr, lost);
  if (!same(one.sums[0], two.sums[0]) || !same(one.sums[1], two.sums[1]) || one.prints != two.prints ||
      !one.noted.same_findings(two.noted))
    return "the sums of levels depend on kernels, or on the visitor";
  if (one.sums[0].has_value() != decodable)
    return "the reader of pairs and the decoders disagree on an error";
  if (!decodable) return {};
  if (!watcher.fault.empty()) return watcher.fault;
  if (watcher.seen != tail.count() || !watcher.counts_right())
    return "a visitor does not receive each level once";
  const LevelSums& sums = *one.sums[0];
  if (sums.rows != watcher.rows || sums.stored != watcher.stored) return "rows or values are miscounted";
  return tail.count() != 0 && sums.first_repetition != pairs.repetition[0]
             ? "the first repetition level is wrong"
             : "";
}

}  // namespace

void add_level_properties(std::vector<Property>& properties) {
  properties.push_back({"level_pairs", pairs_fault});
  for (const EncodingInfo& row : all_encodings()) {
    if (!row.levels.exists()) continue;
    const Encoding encoding = row.encoding;
    properties.push_back({property_name("decode_levels_", row.name()),
                          [=](auto input) { return decode_fault(encoding, input); }});
    properties.push_back({property_name("encode_levels_", row.name()),
                          [=](auto input) { return encode_fault(encoding, input); }});
  }
}

}  // namespace parqproof::fuzz
