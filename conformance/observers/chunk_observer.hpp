#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/page/levels.hpp"
#include "codec/page/page_content.hpp"
#include "conformance/observers/dictionary_usage.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

/// The source of values: the value section of a data page, or the entries of a dictionary page.
struct ValueSection {
  const Page& page;
  View bytes;             ///< of the section
  const ValueSpec& spec;  ///< the encoding, type and number of its values
  Notes& notes;           ///< findings of the page, each rule once with a count

  /// Bytes of the i-th value of a batch, of a BYTE_ARRAY without its length prefix. If the encoding stores no
  /// separate bytes for the value: an empty view at the start of the section.
  [[nodiscard]] View place_of(const ValueBatch& batch, std::uint64_t i) const noexcept;
};

/// A data page whose body was opened, after its last value.
struct PageEnd {
  const Page& page;
  std::uint64_t entries = 0;
  LevelSums levels = {};
  const DataPageParts* parts = nullptr;  ///< its sections, to be read again; null if there are none
  ValueSpec spec = {};                   ///< of its values
  bool misread = false;                  ///< its header is wrong about the body, so other bytes were read
  bool levels_known = false;             ///< the levels could be read
  bool values_known = false;             ///< all values could be read
  bool faultless = false;                ///< no error was found, so its values are evidence
};

/// A chunk after its last page was read.
struct ChunkEnd {
  bool sums_known = false;    ///< no page is missing in the sums
  bool complete = false;      ///< the sums are known, and no page has an unknown type or encoding
  bool values_known = false;  ///< all values of the data pages were read
  /// No checksum of a dictionary page is wrong, and none is damaged. Otherwise its entries are no evidence.
  bool entries_trusted = true;
  /// Number of data pages; nothing if pages were skipped.
  std::optional<std::uint64_t> data_pages = {};
  bool counts_trusted = false;            ///< the footer does not contradict the counts of the pages
  bool levels_known = false;              ///< levels were requested
  std::int64_t entries = 0;               ///< by the page headers
  std::optional<std::int64_t> rows = {};  ///< set if known by the levels or headers of all pages
};

/// One or a few related rules about the values of a column chunk. An object serves the chunks of one thread
/// one after the other. Calls come in the order of the file: open; dictionary and end_dictionary if there is
/// a dictionary page; for each data page expect_page, begin_page, levels, values, end_page; end_chunk when
/// the walk along the pages ends, which may be before the end of the chunk.
class ChunkObserver {
 public:
  /// The calls that an observer requests for a chunk. Calls that no observer requests cost nothing.
  struct Wants {
    bool dictionary = false;  ///< entries, and their end
    bool levels = false;
    bool values = false;
    bool pages = false;   ///< begin and end of data pages
    bool end = false;     ///< of the chunk
    bool choice = false;  ///< expect_page() decides for each page if its values are requested
  };

  virtual ~ChunkObserver() = default;

  /// Starts a new chunk; the state of the previous chunk is discarded. `scope` and `use` are valid until the
  /// next call.
  [[nodiscard]] virtual Wants open(const ChunkScope& scope, DictionaryUsage& use) = 0;
  /// Entries of the dictionary page, batch by batch.
  virtual void dictionary(const ValueSection&, const ValueBatch&) {}
  /// The dictionary page was read to its end. The use of its entries has to be requested here.
  virtual void end_dictionary(const ValueSection&) {}
  /// Called between header and body of a data page. Returns true if the values of this page are requested,
  /// without those of all pages.
  [[nodiscard]] virtual bool expect_page(const Page&) { return false; }
  virtual void begin_page(const Page&) {}
  /// All levels of a data page, batch by batch.
  virtual void levels(const Page&, const LevelBatch&) {}
  /// The values of a data page, batch by batch: one for each entry at the maximum definition level, in order.
  virtual void values(const ValueSection&, const ValueBatch&) {}
  virtual void end_page(const PageEnd&) {}
  virtual void end_chunk(const ChunkEnd&) {}
};

/// The observers of a thread; each gets the calls that it requested.
class ObserverLine {
 public:
  explicit ObserverLine(std::vector<std::unique_ptr<ChunkObserver>> observers);

  void open(const ChunkScope& scope, DictionarySource* again = nullptr);
  [[nodiscard]] DictionaryUsage& use() noexcept { return use_; }

  void dictionary(const ValueSection& section, const ValueBatch& batch);
  /// `buffer` may own the image of the dictionary page; it is replaced if the image is kept.
  void end_dictionary(const ValueSection& section, Buffer& buffer);
  void expect_page(const Page& page);
  void begin_page(const Page& page);
  /// The visitor for the levels of the page; null if no observer requested them.
  [[nodiscard]] LevelVisitor* level_visitor() noexcept;
  void values(const ValueSection& section, const ValueBatch& batch) {
    // Indices of a lost second dictionary would be looked up in the first one.
    const bool by_index =
        batch.form == ValueBatch::Form::indices || batch.form == ValueBatch::Form::index_run;
    if (by_index && use_.size() != 0 && use_.size() != section.spec.dictionary_size) return;
    if (use_.is_asked()) use_.mark(batch);
    for (ChunkObserver* observer : values_) observer->values(section, batch);
  }
  void end_page(const PageEnd& end);
  void end_chunk(const ChunkEnd& end);

 private:
  /// Passes the levels of a page to the observers that requested them.
  struct Levels final : LevelVisitor {
    void levels(const LevelBatch& batch) override;
    std::vector<ChunkObserver*> observers;
    const Page* page = nullptr;
  };

  std::vector<std::unique_ptr<ChunkObserver>> observers_;
  std::vector<ChunkObserver*> dictionary_;
  std::vector<ChunkObserver*>
      values_;                // first those that request all pages, then those that request this page
  std::size_t want_all_ = 0;  // number of observers in values_ that request all pages
  std::vector<ChunkObserver*> choosy_;
  std::vector<ChunkObserver*> pages_;
  std::vector<ChunkObserver*> end_;
  Levels levels_;
  DictionaryUsage use_;
};

}  // namespace parqproof
