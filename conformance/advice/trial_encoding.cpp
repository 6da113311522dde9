#include "conformance/advice/trial_encoding.hpp"

#include <algorithm>
#include <memory>

#include "codec/record/column_cursor.hpp"
#include "codec/write/chunk_writer.hpp"

namespace parqproof {
namespace {

/// The codec with which `rewrite` replaces an outdated one.
CompressionCodec current(CompressionCodec codec) {
  if (codec == CompressionCodec::LZ4) return CompressionCodec::LZ4_RAW;
  return codec == CompressionCodec::LZO ? CompressionCodec::SNAPPY : codec;
}

WriteOptions options_of(const ChunkPages& chunk, std::optional<Encoding> encoding) {
  WriteOptions options;
  options.page_version = chunk.page_version();
  options.page_index = false;
  options.column.dictionary = !encoding;
  options.column.encoding = encoding.value_or(Encoding::PLAIN);
  options.column.codec = current(chunk.codec());
  options.column.statistics = false;
  options.column.size_statistics = false;
  return options;
}

std::uint32_t width_of(const Node& leaf) {
  return fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
}

/// Bytes of the i-th value of a batch, in PLAIN.
std::uint64_t plain_bytes(const Entries& entries, std::uint64_t i, std::uint32_t width) {
  constexpr std::uint64_t kPrefix = 4;
  const ValueBatch& values = entries.values;
  switch (values.form) {
    case ValueBatch::Form::byte_arrays:
      return kPrefix + values.byte_arrays[i].size;
    case ValueBatch::Form::indices:
      return kPrefix + (*entries.dictionary)[values.indices[i]].size;
    case ValueBatch::Form::index_run:
      return kPrefix + (*entries.dictionary)[values.run].size;
    case ValueBatch::Form::fixed:
      return width;
    case ValueBatch::Form::booleans:
    case ValueBatch::Form::boolean_run:
      break;
  }
  return 1;
}

}  // namespace

/// One encoding of the entries. It stays where it was made, because the writer refers to its members.
class TrialEncoding::Trial {
 public:
  Trial(const FileCheck& check, Compressor& compressor, const ChunkPages& chunk,
        std::optional<Encoding> encoding)
      : options_(options_of(chunk, encoding)),
        writer_(options_, compressor, room_, check.footer.schema, chunk.claim().leaf, Order::none, false, 0,
                sink_) {}

  [[nodiscard]] bool add(const Entries& entries) { return writer_.add(entries).has_value(); }
  /// A dictionary is written last, so bytes before finish() mean that it was given up.
  [[nodiscard]] bool has_written() const noexcept { return sink_.count() != 0; }
  [[nodiscard]] std::optional<WrittenChunk> finish() {
    std::expected<WrittenChunk, std::string> done = writer_.finish();
    if (!done) return std::nullopt;
    return std::move(*done);
  }

 private:
  /// Counts bytes and keeps none.
  class CountingSink final : public Sink {
   public:
    [[nodiscard]] WriteStatus write(std::span<const std::uint8_t> bytes) override {
      count_ += bytes.size();
      return {};
    }
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

   private:
    std::uint64_t count_ = 0;
  };

  WriteOptions options_;
  CountingSink sink_;
  ChunkRoom room_;
  ChunkWriter writer_;
};

/// Passes the entries from the first row at or after `begin` on to `take`, until there is no more room or it
/// returns false. Returns the entries that were taken; nullopt if one cannot be read.
template <typename Take>
std::optional<EntryRange> TrialEncoding::read(const ChunkPages& chunk, std::uint64_t begin, Room room,
                                              Take take) {
  const PageOutline& first = chunk.page_of(begin);
  ColumnCursor cursor(context_, chunk.claim().leaf, kHeaderReadAhead);
  const std::uint32_t width = width_of(cursor.leaf());
  const auto shorten = [&](Entries& entries, std::uint64_t count) {
    entries.count = std::min(entries.count, count);
    entries.values = part_of(entries.values, 0,
                             entries.definition.count(cursor.leaf().max_definition, entries.count), width);
  };
  if (!cursor.open(chunk.from(check_, first))) return std::nullopt;
  for (std::uint64_t left = begin - first.first_entry; left != 0 && !cursor.at_end();) {
    Entries entries = cursor.entries();
    shorten(entries, left);
    left -= entries.count;
    if (!cursor.pass(entries)) return std::nullopt;
  }
  while (!cursor.at_end() && cursor.repetition() != 0) {
    if (!cursor.next() || !cursor.settle()) return std::nullopt;
  }
  EntryRange taken{first.first_entry + cursor.ordinal(), first.first_entry + cursor.ordinal()};
  while (!cursor.at_end() && room.entries != 0 && room.bytes != 0) {
    Entries entries = cursor.entries();
    shorten(entries, room.entries);
    std::uint64_t fitting = 0;
    while (fitting < entries.values.count && room.bytes != 0) {
      room.bytes -= std::min(room.bytes, plain_bytes(entries, fitting, width));
      ++fitting;
    }
    // Without nulls and lists the values that fit are the entries that do; else the batch is taken as it is.
    if (fitting < entries.values.count && entries.values.count == entries.count) shorten(entries, fitting);
    if (!take(entries)) return taken;
    taken.end += entries.count;
    room.entries -= entries.count;
    if (!cursor.pass(entries)) return std::nullopt;
  }
  return taken;
}

std::optional<TrialCosts> TrialEncoding::encode(const ChunkPages& chunk, std::uint64_t begin,
                                                std::span<const Encoding> encodings) {
  std::vector<std::unique_ptr<Trial>> trials;
  trials.reserve(encodings.size());
  for (const Encoding encoding : encodings)
    trials.push_back(std::make_unique<Trial>(check_, compressor_, chunk, encoding));
  bool failed = false;
  const std::optional<EntryRange> taken =
      read(chunk, begin, {kRunEntries, kRunBytes}, [&](const Entries& entries) {
        failed = failed || std::ranges::any_of(trials, [&](auto& trial) { return !trial->add(entries); });
        return !failed;
      });
  if (!taken || taken->size() == 0 || failed) return std::nullopt;
  TrialCosts costs{taken->size(), chunk.pages_in(*taken), chunk.stored_bytes(*taken), {}};
  for (const std::unique_ptr<Trial>& trial : trials) {
    const std::optional<WrittenChunk> done = trial->finish();
    if (!done) return std::nullopt;
    costs.bytes.push_back(static_cast<double>(done->compressed_bytes));
    work_ += done->uncompressed_bytes;
  }
  return costs;
}

std::optional<TrialCosts> TrialEncoding::encode_with_dictionary(const ChunkPages& chunk) {
  Trial trial(check_, compressor_, chunk, std::nullopt);
  bool failed = false;
  const std::uint32_t width = width_of(check_.footer.schema.leaf(chunk.claim().leaf));
  const std::optional<EntryRange> taken =
      read(chunk, 0, {kDictionaryEntries, kDictionaryBytes}, [&](const Entries& entries) {
        work_ += entries.count * std::max<std::uint32_t>(width, 1);
        failed = failed || !trial.add(entries) || trial.has_written();
        return !failed;
      });
  if (!taken || taken->size() == 0 || failed) return std::nullopt;
  const std::optional<WrittenChunk> done = trial.finish();
  if (!done || !done->dictionary_page_offset) return std::nullopt;
  const bool is_given_up = std::ranges::any_of(done->pages, [](const auto& pages) {
    return pages.first.first != PageType::DICTIONARY_PAGE && !is_dictionary_encoding(pages.first.second);
  });
  if (is_given_up) return std::nullopt;
  return TrialCosts{taken->size(),
                    chunk.pages_in(*taken),
                    chunk.stored_bytes(*taken),
                    {static_cast<double>(done->compressed_bytes)}};
}

}  // namespace parqproof
