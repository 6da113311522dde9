#pragma once

#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/compression/compress.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/thrift/table.hpp"
#include "codec/write/chunk_writer.hpp"
#include "codec/write/file_cipher.hpp"
#include "codec/write/options.hpp"
#include "codec/write/sink.hpp"

namespace parqproof {

/// A column by which the rows of a row group are sorted; the caller knows that they are.
struct SortColumn {
  std::size_t leaf = 0;
  bool descending = false;
  bool nulls_first = false;
};

/// Returns the reason why a file cannot be written so, which names the option; success if it can. `schema` is
/// complete.
[[nodiscard]] WriteStatus check_options(const WriteOptions& options, const Schema& schema);

/// Writes a file in one pass: row group by row group, and of each all columns in the order of the schema. The
/// same calls give the same bytes, but for encrypted files without a seed. Memory is bounded by a page, the
/// pages of indices that wait for a dictionary (ChunkWriter), and the metadata.
class FileWriter {
 public:
  /// `schema`: of SchemaElement, the root first; it is copied. The sink outlives the writer.
  FileWriter(Sink& sink, WriteOptions options, const thrift::List& schema);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// Checks schema and options, and begins the file. Call it first.
  [[nodiscard]] WriteStatus begin();
  [[nodiscard]] const Schema& schema() const noexcept { return schema_; }

  [[nodiscard]] WriteStatus begin_row_group(std::vector<SortColumn> sorting = {});
  /// Ends the current column and begins the next one, whose entries go to the writer. Each row group has all
  /// columns.
  [[nodiscard]] std::expected<ChunkWriter*, std::string> next_column();
  /// Ends the row group. Fails if its columns differ in their rows, or in the lists and nulls that they
  /// share. `rows`: of a schema without columns.
  [[nodiscard]] WriteStatus end_row_group(std::uint64_t rows = 0);
  /// Two columns that differ in lists or nulls that they share, by ordinal, after end_row_group() has failed
  /// because of them.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> disagreeing() const noexcept {
    return disagreeing_;
  }
  /// Adds an entry to the key-value metadata of the footer.
  void add_key_value(std::string key, std::string value) {
    options_.key_values.emplace_back(std::move(key), std::move(value));
  }
  /// Writes indexes and footer. No call may follow.
  [[nodiscard]] WriteStatus finish();

  /// Bytes so far.
  [[nodiscard]] std::uint64_t offset() const noexcept { return out_.offset; }

 private:
  /// Counts the bytes.
  struct CountingSink final : Sink {
    explicit CountingSink(Sink& to) : sink(to) {}
    [[nodiscard]] WriteStatus write(std::span<const std::uint8_t> bytes) override {
      offset += bytes.size();
      return sink.write(bytes);
    }
    Sink& sink;
    std::uint64_t offset = 0;
  };
  /// A byte range of the file.
  struct Range {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
  };
  /// A chunk with the places of what does not follow its pages.
  struct PlacedChunk {
    WrittenChunk written;
    std::optional<Range> bloom_filter;
    std::optional<Range> column_index;
    std::optional<Range> offset_index;
    std::uint64_t metadata_copy = 0;
  };
  struct PlacedRowGroup {
    std::vector<PlacedChunk> chunks;
    std::vector<SortColumn> sorting;
    std::uint64_t offset = 0;
    std::uint64_t rows = 0;
  };

  [[nodiscard]] WriteStatus end_column();
  [[nodiscard]] WriteStatus check_siblings(const PlacedRowGroup& group);
  [[nodiscard]] WriteStatus put_metadata_copy(PlacedChunk& chunk, std::size_t leaf);
  [[nodiscard]] WriteStatus put_bloom_filters(PlacedRowGroup& group);
  [[nodiscard]] WriteStatus put_indexes();
  [[nodiscard]] WriteStatus put_footer();
  [[nodiscard]] WriteStatus add_row_group(std::size_t ordinal, thrift::ListBuilder<RowGroup>& out);
  [[nodiscard]] WriteStatus add_chunk(const PlacedChunk& placed, std::int32_t row_group, std::size_t leaf,
                                      thrift::ListBuilder<ColumnChunk>& out);
  /// Writes a structure of a chunk, encrypted if the column is.
  [[nodiscard]] WriteStatus put(const encryption::ModulePlace& place, const std::vector<std::uint8_t>& bytes,
                                std::optional<Range>& range);
  /// The cipher of an encrypted column; else null.
  [[nodiscard]] FileCipher* cipher_of(std::size_t leaf) const;
  [[nodiscard]] WriteStatus put(const std::vector<std::uint8_t>& bytes, std::optional<Range>& range);
  [[nodiscard]] Order order_of_leaf(std::size_t leaf) const;

  CountingSink out_;
  WriteOptions options_;
  std::vector<std::uint8_t> elements_;  // bytes of the schema, which schema_ refers to
  thrift::List schema_list_;
  Schema schema_;
  Compressor compressor_;
  ChunkRoom room_;
  std::deque<PlacedRowGroup> groups_;
  std::unique_ptr<FileCipher> cipher_;  // null if the file is not encrypted
  std::unique_ptr<ChunkWriter> column_;
  std::uint64_t rows_ = 0;
  std::optional<std::pair<std::size_t, std::size_t>> disagreeing_;
};

}  // namespace parqproof
