#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/model/tree.hpp"

/// A whole file as values: parse() makes a Model of a file, emit() makes a file of a Model. An unchanged
/// Model gives the same bytes.
namespace parqproof::model {

/// Index of a segment in its Model; it stays valid when other segments are added or removed.
using SegmentId = std::uint32_t;
inline constexpr SegmentId kNoSegment = UINT32_MAX;

/// Ordinal of a column chunk in the footer that was parsed; chunks keep it when others are removed.
using ChunkId = std::uint32_t;
inline constexpr ChunkId kNoChunk = UINT32_MAX;

/// Bytes of the source, or other bytes that replace them.
class Content {
 public:
  Content() = default;
  /// `length` bytes of the source at `offset`.
  [[nodiscard]] static Content stored(std::uint64_t offset, std::uint64_t length);
  [[nodiscard]] static Content own(std::vector<std::uint8_t> bytes);

  [[nodiscard]] std::uint64_t size() const noexcept { return own_ ? own_->size() : length_; }
  [[nodiscard]] bool is_stored() const noexcept { return own_ == nullptr; }
  /// Offset in the source; only if is_stored().
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  /// Only if not is_stored().
  [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return *own_; }

 private:
  std::uint64_t offset_ = 0;
  std::uint64_t length_ = 0;
  std::shared_ptr<const std::vector<std::uint8_t>> own_;  // shared by copies of a segment
};

/// A number of four bytes in the body of an index page of 2013: the offset of a page from the first data page
/// of the chunk, or its length.
struct BodyNumber {
  std::uint32_t position = 0;  ///< in the body
  SegmentId page = kNoSegment;
  SegmentId base = kNoSegment;  ///< the first data page; kNoSegment: the number is a length
};

/// A structure of the file: a Thrift struct, then bytes. Either may be absent.
struct Segment {
  enum class Kind : std::uint8_t {
    magic,
    page,              ///< PageHeader, then the body
    column_metadata,   ///< ColumnMetaData or ColumnChunk, the copy after a chunk
    column_index,      ///< ColumnIndex
    offset_index,      ///< OffsetIndex
    bloom_filter,      ///< BloomFilterHeader, then the bitset
    footer,            ///< FileMetaData, also of an earlier footer
    encrypted_footer,  ///< FileCryptoMetaData, then the encrypted footer
    footer_length,     ///< four bytes
    unread,            ///< a structure that the footer refers to, and that cannot be read or is encrypted
    gap,               ///< bytes that nothing refers to
  };

  Kind kind = Kind::gap;
  ChunkId chunk = kNoChunk;                   ///< of pages, metadata copies, indexes and Bloom filters
  std::int32_t page_type = -1;                ///< PageHeader.type of a page when it was parsed
  std::unique_ptr<Tree> tree = {};            ///< the struct, once it was parsed
  Content head = {};                          ///< the struct as stored, while `tree` is null
  Content body = {};                          ///< what follows the struct
  std::vector<BodyNumber> body_numbers = {};  ///< references in the body
  SegmentId footer = kNoSegment;  ///< of a footer length: the footer, unless the length is kept as stored
  bool states_body = false;       ///< the struct has the size of `body`
  bool removed = false;           ///< it is not emitted
};

/// Name of a kind: "page", "column index", ...
[[nodiscard]] std::string_view to_string(Segment::Kind kind) noexcept;

/// What a number in a tree is the offset or length of.
struct Target {
  enum class What : std::uint8_t {
    none,
    begin,        ///< offset of the first byte of a segment
    end,          ///< offset of the byte after it
    size,         ///< its bytes
    own_body,     ///< bytes of the body of the segment that has the number
    chunk_size,   ///< bytes of the pages of a chunk
    chunk_span,   ///< bytes from the first page of a chunk to the end of the last one
    chunks_size,  ///< sum of chunk_size or chunk_span over `count` chunks from `id` on
  };
  What what = What::none;
  std::uint32_t id = 0;     ///< SegmentId or ChunkId
  std::uint32_t count = 1;  ///< number of chunks
};

/// Position of a column chunk in the footer that was parsed.
struct ChunkPlace {
  std::uint32_t row_group = 0;
  std::uint32_t column = 0;
  bool spans = false;  ///< total_compressed_size counts the bytes between its pages too
};

enum class EmitEnd : std::uint8_t {
  complete,
  stopped,     ///< the sink returned false
  unreadable,  ///< the source could not be read
};

/// A file as an ordered list of segments. Offsets and lengths that match a segment are references: they are
/// computed when the file is emitted, so segments can be changed, inserted, moved and removed. Numbers that
/// match none are kept. Page bodies and headers stay in the source until they are changed.
class Model {
 public:
  /// The caller keeps the source alive.
  explicit Model(const Source& source) : source_(&source), targets_(1), self_(kNoTarget) {}

  [[nodiscard]] const Source& source() const noexcept { return *source_; }

  // ---- Segments ----

  /// All segments in the order of the file, including removed ones.
  [[nodiscard]] const std::vector<SegmentId>& order() const noexcept { return order_; }
  [[nodiscard]] const Segment& segment(SegmentId id) const noexcept { return segments_[id]; }
  /// The footer at the end of the file; kNoSegment if it is encrypted.
  [[nodiscard]] SegmentId footer() const noexcept { return footer_; }
  [[nodiscard]] std::size_t chunk_count() const noexcept { return chunks_.size(); }
  [[nodiscard]] const ChunkPlace& chunk(ChunkId id) const noexcept { return chunks_[id]; }
  /// The chunk at a position of the parsed footer; kNoChunk if there is none.
  [[nodiscard]] ChunkId chunk_at(std::uint32_t row_group, std::uint32_t column) const noexcept;
  /// The segments of a kind and chunk in the order of the file.
  [[nodiscard]] std::vector<SegmentId> segments_of(Segment::Kind kind, ChunkId chunk = kNoChunk) const;

  /// Adds a segment before `next`, or at the end of the file.
  SegmentId insert(Segment segment, SegmentId next = kNoSegment);
  /// Adds a copy of a segment after it. Numbers that refer to its own parts refer to those of the copy.
  SegmentId duplicate(SegmentId id);
  /// Removes a segment. References to its beginning or end then lead to the next segment; its size is 0.
  void remove(SegmentId id);
  /// Moves a segment before `next`, or to the end of the file.
  void move(SegmentId id, SegmentId next = kNoSegment);

  // ---- Contents ----

  [[nodiscard]] bool has_struct(SegmentId id) const noexcept;
  /// The struct of a segment, for changes; parsed at the first call. Null if the segment has none, or if the
  /// source can no longer be read.
  [[nodiscard]] Tree* tree(SegmentId id);
  /// The bytes after the struct; nullopt if the source cannot be read.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> body(SegmentId id) const;
  /// Replaces the bytes after the struct. The size that the struct states follows.
  void set_body(SegmentId id, std::vector<std::uint8_t> bytes);
  /// Replaces the struct by any bytes, which have no references.
  void set_head(SegmentId id, std::vector<std::uint8_t> bytes);

  // ---- References ----

  [[nodiscard]] const Target& target(ReferenceId id) const noexcept { return targets_[id]; }
  /// Makes a number in a struct refer to a segment or chunk.
  void refer(SegmentId owner, NodeId node, Target target);
  /// Keeps a footer length as it is from now on; `length` in bytes.
  void set_footer_length(SegmentId id, std::uint32_t length);

  // ---- Emission ----

  /// Receives bytes of the file in order. Returns false to stop.
  using Sink = std::function<bool(std::span<const std::uint8_t>)>;
  /// Computes all references and writes the file.
  [[nodiscard]] EmitEnd emit(const Sink& sink);
  /// Computes all references.
  void resolve();
  /// After resolve() or emit(): offset of the first byte of a segment in the emitted file.
  [[nodiscard]] std::uint64_t offset_of(SegmentId id) const noexcept { return places_[id].begin; }
  /// After resolve() or emit(): offset of its body.
  [[nodiscard]] std::uint64_t body_offset_of(SegmentId id) const noexcept {
    return places_[id].begin + places_[id].head;
  }
  /// After resolve() or emit(): offset of the byte after it.
  [[nodiscard]] std::uint64_t end_of(SegmentId id) const noexcept { return places_[id].end; }

 private:
  friend class Parser;
  friend class Linker;

  /// Where a segment lies in the emitted file.
  struct PlaceInFile {
    std::uint64_t begin = 0;
    std::uint64_t head = 0;  ///< bytes of the struct
    std::uint64_t end = 0;
  };
  /// The pages of a chunk in the emitted file.
  struct Extent {
    std::uint64_t begin = UINT64_MAX;
    std::uint64_t end = 0;
    std::uint64_t pages = 0;  ///< their bytes
  };
  static constexpr ReferenceId kNoTarget = 0;

  [[nodiscard]] ReferenceId add(Target target);
  /// Computes the sizes of all structs, then lay_out().
  void measure();
  /// Computes places_ and extents_ from the sizes of the structs.
  void lay_out();
  [[nodiscard]] std::int64_t value_of(const Target& target, SegmentId owner) const;
  /// Sets each reference to its value in the current layout. Returns true if one has changed.
  bool update_references();
  bool update_tree(SegmentId owner);
  /// Replaces the body by a copy with the current values of its numbers.
  void update_body(Segment& segment) const;
  void zero_references();

  const Source* source_;
  std::vector<Segment> segments_;
  std::vector<SegmentId> order_;
  std::vector<ChunkPlace> chunks_;
  std::vector<Target> targets_;  // the first is none
  ReferenceId self_;             // of Target::What::own_body
  SegmentId footer_ = kNoSegment;
  std::vector<PlaceInFile> places_;  // by SegmentId
  std::vector<Extent> extents_;      // by ChunkId
};

}  // namespace parqproof::model
