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

/// Bytes worth reading along with a page header, where the body is asked for.
inline constexpr std::uint64_t kReadAhead = std::uint64_t{1} << 18;

/// Buffers that a thread keeps from chunk to chunk.
struct Scratch {
  explicit Scratch(const Context& context)
      : reader(context.input.source, context.options.limits,
               context.options.tier == Tier::values ? kReadAhead : 0),
        index_readers(context.input.source, context.options.limits),
        dictionary_reader(context.input.source, context.options.limits, 0) {}

  PageReader reader;
  PageIndexReaders index_readers;
  PageReader dictionary_reader;  ///< for a dictionary page that is read once more
  Decompressor decompressor;
  ValueDecoder values;
  Buffer image;  ///< the uncompressed page
  ObserverLine observers{all_observers()};
};

/// Asked before something is said of the body of a page: whether a field of its header, or of the column
/// metadata, lies about the body. Whoever finds that makes the finding.
class PageExplanation {
 public:
  virtual ~PageExplanation() = default;
  [[nodiscard]] virtual bool explains(const Page& page) = 0;
};

/// What became of a page body.
struct BodyOutcome {
  bool unreadable = false;  ///< the source could not be read
  bool lost = false;        ///< it is damaged, and counts in no sum
  bool untrusted = false;   ///< its checksum is wrong: nothing more is judged of it, and it counts in no sum
  std::optional<Rule> cause = {};  ///< where it is lost by a rule that by itself takes nothing away
  bool faulty = false;             ///< an error was found in it
  bool surplus = false;            ///< bytes are left behind the entries that its header counts
  std::string skipped;             ///< why its values were not judged, if they were not
  bool has_levels = false;         ///< its levels could be read; they say:
  std::int64_t rows = 0;           ///< how many rows begin in the page
  bool continues = false;          ///< whether it begins inside of a row
};

/// Judges the bodies of the pages of one chunk, in their order: checksum, compression, levels, values.
class PageBodies : DictionarySource {
 public:
  /// All three outlive the bodies.
  PageBodies(const ChunkScope& chunk, Scratch& scratch, PageExplanation& doubt);

  /// Judges the body of a data, dictionary or index page whose header lets it be read; of an index page no
  /// more than that it can be opened. Then image() is there.
  [[nodiscard]] BodyOutcome judge(const Page& page);
  /// The uncompressed bytes of the page that was judged last, until the next read of any kind; none where it
  /// could not be opened.
  [[nodiscard]] const std::optional<View>& image() const noexcept { return image_; }
  /// Judges the checksum of a page of which nothing else can be judged.
  [[nodiscard]] BodyOutcome judge_checksum(const Page& page);

  /// What is known of the entries of the dictionary.
  enum class Entries : std::uint8_t {
    sound,
    unknown,    ///< they could not be read
    untrusted,  ///< the checksum of their page is wrong
    damaged,    ///< data pages that refer to them are lost, too
  };
  /// The dictionary page, or a page that may be the dictionary page, cannot be read, or is not to be trusted.
  void lose_dictionary(Entries why) noexcept;
  [[nodiscard]] bool has_dictionary() const noexcept { return dictionary_.has_value(); }
  /// Entries of the dictionary; UINT64_MAX where it could not be read.
  [[nodiscard]] std::uint64_t dictionary_size() const noexcept {
    return dictionary_ ? dictionary_->size : UINT64_MAX;
  }
  /// Entries before the next page are missing: no rule compares the levels across the gap.
  void lose_entries() noexcept;
  /// A page that was passed over may be the first data page.
  void pass_first_data_page() noexcept { first_data_page_ = false; }

  /// Fingerprints of the levels of all pages, by shared ancestor.
  [[nodiscard]] auto fingerprints() { return levels_.fingerprints(); }

 private:
  /// What is known of the dictionary.
  struct Dictionary {
    std::uint64_t size = 0;  ///< entries; UINT64_MAX where the page could not be read
    Entries entries = Entries::sound;
  };

  [[nodiscard]] View read_again(Buffer& room) override;
  [[nodiscard]] bool explained(Rule rule);
  void fault(Rule rule, std::string_view path, Contrast what);
  void error(const Error& error);
  void failed(Rule rule);
  void flush(Notes& notes, const Status& end = {});
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
  PageExplanation& doubt_;
  PageContent content_;
  LevelReader levels_;
  std::optional<Dictionary> dictionary_;
  std::optional<Page> dictionary_page_;  // whose entries could be read
  bool first_data_page_ = true;
  std::optional<View> image_;
  const Page* page_ = nullptr;     // that is being judged
  std::optional<bool> explained_;  // by the header, once that was asked
  BodyOutcome out_;                // of it
};

}  // namespace parqproof
