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

/// Where values come from: the value section of a data page, or the entries of a dictionary page.
struct ValueSection {
  const Page& page;
  View bytes;             ///< of the section
  const ValueSpec& spec;  ///< how it is decoded
  Notes& notes;           ///< findings of the page, each rule once with a count

  /// Where the i-th value of a batch stands, a BYTE_ARRAY without its length word; where the encoding leaves
  /// it no bytes of its own, no bytes at the beginning of the section.
  [[nodiscard]] View place_of(const ValueBatch& batch, std::uint64_t i) const noexcept;
};

/// A data page whose body was opened, at its end.
struct PageEnd {
  const Page& page;
  std::uint64_t entries = 0;
  LevelSums levels = {};
  const DataPageParts* parts = nullptr;  ///< its sections, to be read once more; null where there are none
  ValueSpec spec = {};                   ///< how its values are decoded
  bool misread = false;                  ///< its header lies about the body: what was read is something else
  bool levels_known = false;             ///< the levels could be read
  bool values_known = false;             ///< and so could all values
  bool faultless = false;  ///< no error was found in it, so that it is evidence of what it holds
};

/// A chunk of which no further page is read.
struct ChunkEnd {
  bool whole = false;         ///< no page is lost
  bool complete = false;      ///< whole, and no page is of an unknown type or encoding
  bool values_known = false;  ///< all values of the data pages were read
  /// How many data pages there are; nothing where pages were passed over.
  std::optional<std::uint64_t> data_pages = {};
  bool counts_trusted = false;            ///< nothing in the footer contradicts what the pages count
  bool levels_known = false;              ///< levels were asked for
  std::int64_t entries = 0;               ///< as the page headers say
  std::optional<std::int64_t> rows = {};  ///< where levels or headers of all pages tell them
};

/// A rule, or a few that look at the same things, about the values of a column chunk. An object serves the
/// chunks of one thread one after the other. Calls come in the order of the file: open; dictionary and
/// end_dictionary where there is a dictionary page; for each data page expect_page, begin_page, levels,
/// values, end_page; end_chunk where the walk along the pages is over, at the end of the chunk or before it.
class ChunkObserver {
 public:
  /// Which calls an observer wants for a chunk. Calls that no observer wants cost nothing.
  struct Wants {
    bool dictionary = false;  ///< entries, and their end
    bool levels = false;
    bool values = false;
    bool pages = false;   ///< begin and end of data pages
    bool end = false;     ///< of the chunk
    bool choice = false;  ///< expect_page() tells of each page whether its values are wanted
  };

  virtual ~ChunkObserver() = default;

  /// A new chunk; what was kept of the chunk before is forgotten. `scope` and `use` stay until the next one.
  [[nodiscard]] virtual Wants open(const ChunkScope& scope, DictionaryUsage& use) = 0;
  /// Entries of the dictionary page, batch by batch.
  virtual void dictionary(const ValueSection&, const ValueBatch&) {}
  /// The dictionary page was read to its end. The time to ask for the use of its entries.
  virtual void end_dictionary(const ValueSection&) {}
  /// The header of a data page was read, and its body comes next. Whether the values of this page are wanted,
  /// where those of all pages are not.
  [[nodiscard]] virtual bool expect_page(const Page&) { return false; }
  virtual void begin_page(const Page&) {}
  /// All levels of a data page, batch by batch.
  virtual void levels(const Page&, const LevelBatch&) {}
  /// The values of a data page, batch by batch: those of the entries at the maximum definition level, in
  /// their order.
  virtual void values(const ValueSection&, const ValueBatch&) {}
  virtual void end_page(const PageEnd&) {}
  virtual void end_chunk(const ChunkEnd&) {}
};

/// The observers of a thread, each called where it wants to be.
class ObserverLine {
 public:
  explicit ObserverLine(std::vector<std::unique_ptr<ChunkObserver>> observers);

  void open(const ChunkScope& scope, DictionarySource* again = nullptr);
  [[nodiscard]] DictionaryUsage& use() noexcept { return use_; }

  void dictionary(const ValueSection& section, const ValueBatch& batch);
  /// `buffer` may own the image of the dictionary page; it is exchanged for another where the image is kept.
  void end_dictionary(const ValueSection& section, Buffer& buffer);
  void expect_page(const Page& page);
  void begin_page(const Page& page);
  /// The visitor for the levels of the page; null where no observer wants them.
  [[nodiscard]] LevelVisitor* level_visitor() noexcept;
  void values(const ValueSection& section, const ValueBatch& batch) {
    // Indices of a dictionary that was lost behind the one that is known would be taken for those of the
    // known.
    const bool by_index =
        batch.form == ValueBatch::Form::indices || batch.form == ValueBatch::Form::index_run;
    if (by_index && use_.size() != 0 && use_.size() != section.spec.dictionary_size) return;
    if (use_.is_asked()) use_.mark(batch);
    for (ChunkObserver* observer : values_) observer->values(section, batch);
  }
  void end_page(const PageEnd& end);
  void end_chunk(const ChunkEnd& end);

 private:
  /// Hands the levels of a page to the observers that want them.
  struct Levels final : LevelVisitor {
    void levels(const LevelBatch& batch) override;
    std::vector<ChunkObserver*> observers;
    const Page* page = nullptr;
  };

  std::vector<std::unique_ptr<ChunkObserver>> observers_;
  std::vector<ChunkObserver*> dictionary_;
  std::vector<ChunkObserver*> values_;  // behind those that want all pages those that want this one
  std::size_t want_all_ = 0;            // of values_
  std::vector<ChunkObserver*> choosy_;
  std::vector<ChunkObserver*> pages_;
  std::vector<ChunkObserver*> end_;
  Levels levels_;
  DictionaryUsage use_;
};

}  // namespace parqproof
