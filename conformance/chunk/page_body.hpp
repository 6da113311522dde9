#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codec/compression/decompress.hpp"
#include "codec/encoding/values.hpp"
#include "codec/page/page_content.hpp"
#include "conformance/chunk/index_reader.hpp"
#include "conformance/chunk/observers.hpp"
#include "conformance/observers/chunk_observer.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

/// Read-ahead size after a page header, if the body is also read.
inline constexpr std::uint64_t kReadAhead = std::uint64_t{1} << 18;

/// Buffers that a thread reuses from chunk to chunk.
struct Scratch {
  explicit Scratch(const Context& context)
      : reader(context.input.source, context.options.limits,
               context.options.tier == Tier::values ? kReadAhead : 0),
        index_readers(context.input.source, context.options.limits),
        dictionary_reader(context.input.source, context.options.limits, 0) {}

  PageReader reader;
  PageIndexReaders index_readers;
  PageReader dictionary_reader;  ///< for reading a dictionary page a second time
  Decompressor decompressor;
  ValueDecoder values;
  Buffer image;  ///< the uncompressed page
  ObserverLine observers{all_observers()};
};

/// Called before a finding about the body of a page: returns true if a wrong field of the page header or of
/// the column metadata explains it. The implementation reports the finding.
class PageExplanation {
 public:
  virtual ~PageExplanation() = default;
  [[nodiscard]] virtual bool explains(const Page& page) = 0;
};

/// The outcome of judging one page body.
struct BodyOutcome {
  bool unreadable = false;  ///< the source could not be read
  bool lost = false;        ///< it is damaged, and does not enter any sum
  bool untrusted = false;   ///< its checksum is wrong: nothing else is judged, and it does not enter any sum
  std::optional<Rule> cause = {};  ///< of the loss, if breaking this rule alone loses no data
  bool verified = false;           ///< its bytes match a checksum
  bool faulty = false;             ///< an error was found in it
  bool in_doubt = false;           ///< an error in levels, indices or lengths: its rows are not intact
  bool surplus = false;            ///< bytes are left after the entries that its header counts
  std::string skipped;             ///< why its values were not judged, if they were not
  bool has_levels = false;         ///< its levels could be read; `rows` and `continues` are set
  std::int64_t rows = 0;           ///< rows that begin in the page
  bool continues = false;          ///< the page begins inside a row
};

/// Judges the page bodies of one chunk, in order: checksum, compression, levels, values.
class PageBodies : DictionarySource {
 public:
  /// All three arguments must outlive this object.
  PageBodies(const ChunkScope& chunk, Scratch& scratch, PageExplanation& explanation);

  /// Judges the body of a data, dictionary or index page whose header allows reading it; an index page is
  /// only decompressed. image() is available afterwards.
  [[nodiscard]] BodyOutcome judge(const Page& page);
  /// Uncompressed bytes of the page that was judged last, until the next read of any kind; nothing if it
  /// could not be decompressed.
  [[nodiscard]] const std::optional<View>& image() const noexcept { return image_; }
  /// Judges the checksum of a page of which nothing else can be judged.
  [[nodiscard]] BodyOutcome judge_checksum(const Page& page);

  /// State of the dictionary entries, in ascending severity.
  enum class Entries : std::uint8_t {
    sound,
    unknown,    ///< they could not be read
    untrusted,  ///< the checksum of their page is wrong
    damaged,    ///< lost, and so are data pages that refer to them
  };
  /// Marks the entries of the dictionary as unusable: its page, or a page that may be it, cannot be read or
  /// has a wrong checksum.
  void mark_dictionary_unusable(Entries why) noexcept;
  /// Returns false if the entries of the dictionary are damaged, or the checksum of their page is wrong.
  [[nodiscard]] bool trusts_entries() const noexcept {
    return !dictionary_ || dictionary_->entries < Entries::untrusted;
  }
  [[nodiscard]] bool has_dictionary() const noexcept { return dictionary_.has_value(); }
  /// Entries of the dictionary; UINT64_MAX if it could not be read.
  [[nodiscard]] std::uint64_t dictionary_size() const noexcept {
    return dictionary_ ? dictionary_->size : UINT64_MAX;
  }
  /// Marks entries before the next page as missing: no rule compares levels across the gap.
  void mark_entries_missing() noexcept;
  /// Records that a page that was not judged may be the first data page.
  void skip_first_data_page() noexcept { first_data_page_ = false; }

  /// Fingerprints of the levels of all pages, by shared ancestor.
  [[nodiscard]] auto fingerprints() { return levels_.fingerprints(); }

 private:
  /// The dictionary of the chunk.
  struct Dictionary {
    std::uint64_t size = 0;  ///< entries; UINT64_MAX if the page could not be read
    Entries entries = Entries::sound;
  };

  [[nodiscard]] View read_again(Buffer& room) override;
  [[nodiscard]] bool is_explained_by_field(Rule rule);
  [[nodiscard]] bool is_explained() const noexcept { return explained_.value_or(false); }
  void report_at_header(Rule rule, std::string_view path, Contrast what);
  void report_in_body(const Error& error, std::size_t section_bytes = 0);
  void record_effect(Rule rule);
  [[nodiscard]] bool puts_levels_in_doubt(Rule rule) const;
  [[nodiscard]] bool is_harmless_bug(const Error& error) const;
  void doubt(const Error& error, std::size_t section_bytes);
  void flush(Notes& notes, const Status& end = {}, std::size_t section_bytes = 0);
  void judge_checksum_of(const Page& page);
  void dictionary_page();
  [[nodiscard]] Status entries(const ValueSpec& spec, Notes& notes);
  void data_page();
  [[nodiscard]] bool levels(DataPageParts& parts, LevelSums& sums);
  void v2_counts(std::uint64_t count, const LevelSums& sums);
  void values(const DataPageParts& parts, ValueSpec& spec);
  void doubtful_values(View section, const ValueSpec& spec);
  [[nodiscard]] Status run_decoder(View section, const ValueSpec& spec, Notes& notes);

  const ChunkScope& chunk_;
  Scratch& scratch_;
  PageExplanation& explanation_;
  PageContent content_;
  LevelReader levels_;
  std::optional<Dictionary> dictionary_;
  std::optional<Page> dictionary_page_;  // set if its entries could be read
  bool first_data_page_ = true;
  std::optional<View> image_;
  const Page* page_ = nullptr;     // being judged
  std::optional<bool> explained_;  // result of explains() for this page, once called
  BodyOutcome out_;                // of this page
};

}  // namespace parqproof
