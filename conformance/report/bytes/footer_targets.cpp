#include "conformance/report/bytes/footer_targets.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "codec/encryption/file_keys.hpp"
#include "codec/format/chunk_start.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/report/words/field_text.hpp"

namespace parqproof {
namespace {

/// Bit of MappedChunk::encodings for numbers without a bit of their own.
constexpr std::int64_t kOtherEncoding = 31;

class FooterReading final : public FooterVisitor {
 public:
  FooterReading(Layout& layout, const Limits& limits, const encryption::FileKeys* keys)
      : FooterVisitor({}), layout_(layout), limits_(limits), keys_(keys) {
    set_opened(layout.frame.opened.get(), limits_);
  }

  FooterTargets run() {
    FileMetaData meta;
    Findings findings(framing_rules());
    thrift::Reader reader(layout_.frame.footer, {&findings, {}, {}}, limits_);
    if (!visit(reader, meta)) {
      unread(findings.all().empty() ? reader.offset() : findings.all().back().offset, "footer", {});
    }
    set_algorithm(meta);
    layout_.schema.finish();
    for (std::vector<MappedChunk>& group : layout_.chunks) {
      for (std::size_t leaf = 0; leaf < group.size() && leaf < layout_.schema.leaf_count(); ++leaf) {
        if (layout_.schema.fault() == Schema::Fault::none)
          group[leaf].column = layout_.schema.dotted_path(layout_.schema.leaf_index(leaf));
      }
    }
    return std::move(targets_);
  }

 private:
  [[nodiscard]] bool begin_row_group(thrift::Reader& /*reader*/, std::uint32_t /*index*/) override {
    layout_.chunks.emplace_back();
    return true;
  }
  [[nodiscard]] bool schema_element(SchemaElement& element, const Element& at) override {
    if (at.complete) layout_.schema.add(element);
    return true;
  }
  [[nodiscard]] bool row_group(RowGroup& group, const Element& /*at*/) override {
    layout_.group_rows.push_back(group.num_rows);
    return true;
  }
  [[nodiscard]] bool column(ColumnChunk& chunk, const Element& at) override {
    column_chunk(chunk,
                 {static_cast<std::int32_t>(row_group_index()), static_cast<std::int32_t>(at.index), -1});
    return true;
  }

  /// Notes how pages are encrypted: according to the footer, or to the FileCryptoMetaData before it.
  void set_algorithm(const FileMetaData& meta) {
    layout_.has_algorithm = meta.has(FileMetaData::id_encryption_algorithm);
    bool is_ctr = meta.encryption_algorithm.has(EncryptionAlgorithm::id_AES_GCM_CTR_V1);
    if (!layout_.frame.crypto.empty()) {
      FileCryptoMetaData crypto;
      thrift::Reader reader(layout_.frame.crypto, {}, limits_);
      is_ctr = reader.read(crypto) && crypto.encryption_algorithm.has(EncryptionAlgorithm::id_AES_GCM_CTR_V1);
    }
    if (is_ctr) layout_.page_mode = encryption::Mode::ctr;
  }

  void column_chunk(const ColumnChunk& chunk, const Place& place) {
    is_encrypted_ = chunk.fields.mentions(ColumnChunk::id_crypto_metadata);
    name_chunk(chunk.meta_data);
    if (chunk.is_locked()) locked(chunk, place);
    if (chunk.has(ColumnChunk::id_file_path) && !chunk.file_path.empty()) return elsewhere(chunk);
    if (chunk.has(ColumnChunk::id_offset_index_offset) && chunk.offset_index_offset != 0)
      structure(SegmentKind::offset_index, place, chunk.offset_index_offset, chunk.offset_index_length);
    if (chunk.has(ColumnChunk::id_column_index_offset) && chunk.column_index_offset != 0)
      structure(SegmentKind::column_index, place, chunk.column_index_offset, chunk.column_index_length);
    if (!chunk.has(ColumnChunk::id_meta_data)) return;
    if (chunk.meta_data.has(ColumnMetaData::id_bloom_filter_offset) &&
        chunk.meta_data.bloom_filter_offset != 0) {
      structure(SegmentKind::bloom_filter_header, place, chunk.meta_data.bloom_filter_offset, std::nullopt);
    }
    pages(chunk, place);
  }

  /// Notes metadata that cannot be decrypted: without its key, or because its module does not authenticate.
  void locked(const ColumnChunk& chunk, const Place& place) {
    const encryption::ModuleFault* const fault = encryption::metadata_fault(keys_, place);
    if (fault == nullptr || !fault->is_of_module()) {
      layout_.encrypted = true;
    } else {
      unread(chunk.encrypted_column_metadata.base, "column metadata: its module does not authenticate",
             place);
    }
  }

  /// Records that all pages of the chunk are in the file that it names.
  void elsewhere(const ColumnChunk& chunk) {
    std::vector<OtherFile>& files = layout_.other_files;
    const auto [file, is_new] = other_files_.try_emplace(text_of(chunk.file_path), files.size());
    if (is_new) files.push_back({.path = std::string(file->first)});
    ++files[file->second].chunks;
  }

  /// Names a chunk whose column is not in the schema.
  void name_chunk(const ColumnMetaData& meta) {
    MappedChunk& chunk = layout_.chunks.back().emplace_back();
    chunk = {.codec = meta.codec,
             .column = {},
             .type = meta.type,
             .values = meta.num_values,
             .compressed = meta.total_compressed_size,
             .uncompressed = meta.total_uncompressed_size};
    thrift::for_each_integer(meta.encodings, [&chunk](std::int64_t encoding, std::uint32_t) {
      chunk.encodings |= std::uint32_t{1}
                         << (encoding < 0 ? kOtherEncoding : std::min(encoding, kOtherEncoding));
    });
    std::string& column = chunk.column;
    thrift::for_each_string(meta.path_in_schema, [&column](const View& name, std::uint32_t i) {
      column.append(i == 0 ? "" : ".").append(reinterpret_cast<const char*>(name.data()), name.size());
    });
  }

  void pages(const ColumnChunk& chunk, const Place& place) {
    const ColumnMetaData& meta = chunk.meta_data;
    ChunkTarget target{place, {}, chunk.file_offset, chunk.fields.offset, is_encrypted_, chunk.is_locked()};
    if (meta.num_values == 0 && meta.total_compressed_size == 0) {
      targets_.chunks_without_pages.push_back(target);
      return;
    }
    const std::int64_t start = chunk_start(meta).offset;
    if (!is_among_data(start))
      return unread(data_end(), "column chunk: it does not begin among the data", place);
    // If the size is negative, only num_values bounds the pages.
    target.extent =
        chunk_extent(static_cast<std::uint64_t>(start), std::max<std::int64_t>(meta.total_compressed_size, 0),
                     meta.num_values, data_end());
    targets_.chunks.push_back(target);
  }

  void structure(SegmentKind kind, const Place& place, std::int64_t offset,
                 std::optional<std::int64_t> length) {
    const auto fits = [&](std::int64_t bytes) {
      return bytes > 0 &&
             static_cast<std::uint64_t>(bytes) <= data_end() - static_cast<std::uint64_t>(offset);
    };
    if (!is_among_data(offset) || (length && !fits(*length)))
      return unread(data_end(), std::string(to_string(kind)) + ": it does not lie among the data", place);
    StructureTarget target{kind, place, static_cast<std::uint64_t>(offset), std::nullopt, is_encrypted_};
    if (length) target.length = static_cast<std::uint64_t>(*length);
    targets_.structures.push_back(target);
  }

  [[nodiscard]] std::uint64_t data_end() const noexcept { return layout_.frame.footer_offset; }
  [[nodiscard]] bool is_among_data(std::int64_t offset) const noexcept {
    return offset >= static_cast<std::int64_t>(kMagicBytes) &&
           static_cast<std::uint64_t>(offset) < data_end();
  }
  void unread(std::uint64_t offset, std::string what, const Place& place) {
    layout_.unread.push_back({offset, std::move(what), place});
  }

  Layout& layout_;
  const Limits& limits_;
  const encryption::FileKeys* keys_;
  FooterTargets targets_;
  bool is_encrypted_ = false;                                      // the current chunk
  std::unordered_map<std::string_view, std::size_t> other_files_;  // those of `layout_`, by their paths
};

}  // namespace

FooterTargets read_footer_targets(Layout& layout, const Limits& limits, const encryption::FileKeys* keys) {
  return FooterReading(layout, limits, keys).run();
}

}  // namespace parqproof
