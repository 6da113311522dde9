#include "conformance/advice/encoding_advice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "codec/base/text.hpp"
#include "codec/encoding/table.hpp"

namespace parqproof {
namespace {

/// An encoding that can be advised, and the noun of the bytes that it takes.
struct Choice {
  Encoding encoding;
  Rule rule;
  std::string_view bytes;
};

/// The order is that of the readers that support an encoding: it decides between similar sizes. Encodings in
/// preview are not advised, nor BYTE_STREAM_SPLIT of types that came later
/// (CONTRIBUTING.md#compatibility-and- feature-enablement).
constexpr std::array kChoices{
    Choice{Encoding::RLE_DICTIONARY, Rule::dictionary_smaller, "bytes as RLE_DICTIONARY"},
    Choice{Encoding::PLAIN, Rule::plain_smaller, "bytes as PLAIN"},
    Choice{Encoding::RLE, Rule::rle_smaller, "bytes as RLE"},
    Choice{Encoding::DELTA_BINARY_PACKED, Rule::delta_binary_packed_smaller, "bytes as DELTA_BINARY_PACKED"},
    Choice{Encoding::BYTE_STREAM_SPLIT, Rule::byte_stream_split_smaller, "bytes as BYTE_STREAM_SPLIT"},
    Choice{Encoding::DELTA_LENGTH_BYTE_ARRAY, Rule::delta_length_byte_array_preferred,
           "bytes as DELTA_LENGTH_BYTE_ARRAY"},
    Choice{Encoding::DELTA_BYTE_ARRAY, Rule::delta_byte_array_smaller, "bytes as DELTA_BYTE_ARRAY"},
};
/// A dictionary that was given up is reported if this share of the chunk would be saved without it.
constexpr double kMinFallbackShare = 0.05;
/// An encoding later in the list has to be smaller than an earlier one by this share.
constexpr double kPreferredShare = 0.05;

std::string_view noun_of(Encoding encoding) {
  if (encoding == Encoding::PLAIN_DICTIONARY) return "bytes as PLAIN_DICTIONARY";
  if (encoding == Encoding::ALP) return "bytes as ALP";
  const auto* const choice = std::ranges::find(kChoices, encoding, &Choice::encoding);
  return choice == kChoices.end() ? "bytes" : choice->bytes;
}

bool is_advisable(Encoding encoding, Type type) {
  if (encoding == Encoding::BYTE_STREAM_SPLIT) return type == Type::FLOAT || type == Type::DOUBLE;
  return can_decode(encoding, type);
}

/// An estimate with two significant digits.
std::uint64_t rounded(double bytes) {
  if (bytes < 1) return 0;
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(bytes)) - 1));
  return static_cast<std::uint64_t>(std::llround(bytes / unit) * std::llround(unit));
}

std::string percent(double share) {
  const long long number = std::llround(100 * share);
  return number == 0 ? "less than 1 %" : std::to_string(number) + " %";
}

/// Sums of runs of the pages with, or without, dictionary indices.
struct Part {
  std::uint64_t entries = 0;  ///< of all pages of the chunks, sampled or not
  TrialCosts sampled;

  /// By how much the runs are to be multiplied to represent all pages.
  [[nodiscard]] double weight() const {
    return sampled.entries == 0 ? 0 : static_cast<double>(entries) / static_cast<double>(sampled.entries);
  }
  void add(const TrialCosts& run) {
    sampled.entries += run.entries;
    sampled.pages += run.pages;
    sampled.stored += run.stored;
    sampled.bytes.resize(run.bytes.size());
    for (std::size_t i = 0; i < run.bytes.size(); ++i) sampled.bytes[i] += run.bytes[i];
  }
};

class ColumnTrials {
 public:
  ColumnTrials(FileCheck& check, const AdvisedColumn& column, std::span<const ChunkPages> chunks,
               TrialEncoding& trials)
      : check_(check),
        column_(column),
        chunks_(chunks),
        trials_(trials),
        type_(check.footer.schema.leaf(chunks.front().claim().leaf).type) {}

  void run() {
    find_encodings();
    if (!sample()) return;
    stored_ = plain_.weight() * plain_.sampled.stored + indexed_.weight() * indexed_.sampled.stored;
    if (stored_ <= 0) return;
    add_estimates();
    try_dictionary();
    if (!report_smaller()) report_fallback();
  }

 private:
  struct Estimate {
    const Choice* choice;
    double share;  ///< of the bytes that the column takes in the file
    std::string sample;
  };

  /// Finds the current encodings, and those that are tried on each run.
  void find_encodings() {
    for (const ChunkPages& chunk : chunks_) {
      for (const PageOutline& page : chunk.pages()) {
        (is_dictionary_encoding(page.encoding) ? indexed_ : plain_).entries += page.entries;
        if (is_dictionary_encoding(page.encoding)) {
          index_encoding_ = page.encoding;
        } else if (!current_) {
          current_ = page.encoding;
        }
      }
    }
    for (const Choice& choice : kChoices) {
      const bool is_plain = choice.encoding == Encoding::PLAIN;  // it is needed for a fallback
      if (is_dictionary_encoding(choice.encoding) || !is_advisable(choice.encoding, type_)) continue;
      if (is_plain || choice.encoding == current_ || check_.outcome.findings.wants(choice.rule))
        encodings_.push_back(choice.encoding);
    }
    if (current_ && std::ranges::find(encodings_, *current_) == encodings_.end() &&
        can_decode(*current_, type_))
      encodings_.push_back(*current_);
  }

  /// Encodes three runs: the first entries of the first chunk, the last of the last, and some in the middle.
  [[nodiscard]] bool sample() {
    static constexpr std::uint64_t kRun = TrialEncoding::kRunEntries;
    const auto last_run = [](const ChunkPages& chunk) {
      return chunk.entries() - std::min(chunk.entries(), kRun);
    };
    const ChunkPages& first = chunks_.front();
    const ChunkPages& middle = chunks_[chunks_.size() / 2];
    const ChunkPages& last = chunks_.back();
    if (!encode(first, 0)) return false;
    if (&middle != &first || first.entries() >= 3 * kRun) {
      if (!encode(middle, last_run(middle) / 2)) return false;
    }
    return (&last == &middle && last.entries() < 2 * kRun) || encode(last, last_run(last));
  }
  [[nodiscard]] bool encode(const ChunkPages& chunk, std::uint64_t begin) {
    const std::optional<TrialCosts> run = trials_.encode(chunk, begin, encodings_);
    if (!run) return false;
    (is_dictionary_encoding(chunk.page_of(begin).encoding) ? indexed_ : plain_).add(*run);
    return true;
  }

  [[nodiscard]] double bytes_of(std::size_t i) const {
    const auto of = [i](const Part& part) {
      return part.sampled.bytes.empty() ? 0 : part.weight() * part.sampled.bytes[i];
    };
    return of(plain_) + of(indexed_);
  }

  void add_estimates() {
    const std::uint64_t entries = plain_.sampled.entries + indexed_.sampled.entries;
    const std::uint64_t pages = plain_.sampled.pages + indexed_.sampled.pages;
    for (std::size_t i = 0; i < encodings_.size(); ++i) {
      if (encodings_[i] == current_) {
        // A column that gets smaller in its own encoding was compressed at another level.
        recoded_ = std::min(
            1.0, plain_.sampled.bytes.empty() ? 1.0 : plain_.sampled.bytes[i] / plain_.sampled.stored);
        if (indexed_.entries == 0) continue;
      }
      add_estimate(encodings_[i], bytes_of(i) / stored_, entries, pages);
    }
  }
  void add_estimate(Encoding encoding, double share, std::uint64_t entries, std::uint64_t pages) {
    const auto* const choice = std::ranges::find(kChoices, encoding, &Choice::encoding);
    if (choice == kChoices.end() || !check_.outcome.findings.wants(choice->rule)) return;
    estimates_.push_back(
        {choice, share,
         percent(share) + " in a sample of " + counted(entries, "value") + " of " + counted(pages, "page")});
  }

  /// Writes the middle chunk with a dictionary: if the column has none, or if all of it has, to see what
  /// another compression level changes.
  void try_dictionary() {
    if (type_ == Type::BOOLEAN || (indexed_.entries != 0 && plain_.entries != 0)) return;
    const bool has_dictionary = indexed_.entries != 0;
    const auto saves = [](const Estimate& estimate) { return estimate.share <= 1 - kMinSavedShare; };
    if (has_dictionary ? std::ranges::none_of(estimates_, saves)
                       : !check_.outcome.findings.wants(Rule::dictionary_smaller))
      return;
    const std::optional<TrialCosts> costs = trials_.encode_with_dictionary(chunks_[chunks_.size() / 2]);
    if (!costs || costs->stored <= 0) return;
    const double share = costs->bytes.front() / costs->stored;
    if (has_dictionary) {
      recoded_ = std::min(1.0, share);
    } else {
      add_estimate(Encoding::RLE_DICTIONARY, share, costs->entries, costs->pages);
    }
  }

  /// Returns the encoding that most entries have.
  [[nodiscard]] Encoding main_encoding() const {
    return indexed_.entries >= plain_.entries ? index_encoding_ : *current_;
  }

  [[nodiscard]] bool report_smaller() {
    std::ranges::stable_sort(estimates_, {}, &Estimate::choice);
    const auto best = std::ranges::min_element(estimates_, {}, &Estimate::share);
    if (best == estimates_.end()) return false;
    const double enough = best->share * (1 + kPreferredShare);
    const auto chosen =
        std::ranges::find_if(estimates_, [&](const Estimate& one) { return one.share <= enough; });
    const auto stored = static_cast<double>(column_.stored);
    if (chosen->share > (1 - kMinSavedShare) * recoded_) return false;
    if ((recoded_ - chosen->share) * stored < static_cast<double>(kMinSavedBytes)) return false;
    const ChunkClaim& claim = check_.footer.chunks[column_.first_chunk];
    FindingSite::of_chunk(check_, claim)
        .report(chosen->choice->rule, "meta_data.encodings",
                contrast(FindingValue::Count{column_.stored, noun_of(main_encoding())},
                         FindingValue::Count{rounded(stored * chosen->share), chosen->choice->bytes},
                         chosen->sample));
    return true;
  }

  /// dictionary/fallback, in the first chunk that has one: the dictionary and the pages of indices are
  /// compared with what their values take in the encoding of the other pages.
  void report_fallback() {
    if (!check_.outcome.findings.wants(Rule::dictionary_fallback) || !current_) return;
    const auto has_fallback = [](const ChunkPages& chunk) {
      return chunk.indexed_entries() != 0 && chunk.indexed_entries() != chunk.entries();
    };
    const auto chunk = std::ranges::find_if(chunks_, has_fallback);
    const auto at = std::ranges::find(encodings_, *current_);
    if (chunk == chunks_.end() || at == encodings_.end() || indexed_.sampled.entries == 0) return;
    const auto of_run = indexed_.sampled.bytes[static_cast<std::size_t>(at - encodings_.begin())] /
                        static_cast<double>(indexed_.sampled.entries);
    std::uint64_t other = 0;
    for (const PageOutline& page : chunk->pages())
      other += is_dictionary_encoding(page.encoding) ? 0 : page.stored;
    const auto of_others =
        static_cast<double>(other) / static_cast<double>(chunk->entries() - chunk->indexed_entries());
    const double without = std::max(of_run, of_others) * static_cast<double>(chunk->indexed_entries());
    const std::uint64_t with = chunk->dictionary_bytes() + chunk->indexed_bytes();
    if (static_cast<double>(with) * (1 - kMinSavedShare) < without ||
        static_cast<double>(with) - without < std::max(static_cast<double>(kMinSavedBytes),
                                                       kMinFallbackShare * static_cast<double>(with + other)))
      return;
    FindingSite::of_chunk(check_, chunk->claim())
        .report(Rule::dictionary_fallback, "meta_data.encodings",
                contrast(FindingValue::Count{with, noun_of(index_encoding_)},
                         FindingValue::Count{rounded(without), noun_of(*current_)},
                         "a dictionary of " + counted(chunk->dictionary_entries(), "value") +
                             " was given up after " + std::to_string(chunk->indexed_entries()) + " of " +
                             counted(chunk->entries(), "value")));
  }

  FileCheck& check_;
  const AdvisedColumn& column_;
  std::span<const ChunkPages> chunks_;
  TrialEncoding& trials_;
  Type type_;
  std::optional<Encoding> current_;  // of pages without dictionary indices
  Encoding index_encoding_ = Encoding::RLE_DICTIONARY;
  std::vector<Encoding> encodings_;  // that are tried on each run
  Part plain_;                       // pages without dictionary indices
  Part indexed_;                     // pages with them
  double stored_ = 0;                // bytes of all entries of the chunks, by the runs
  double recoded_ = 1;               // share that the column takes in its own encoding, at most 1
  std::vector<Estimate> estimates_;
};

}  // namespace

bool wants_encoding_advice(const Findings& findings) {
  return findings.wants(Rule::dictionary_fallback) ||
         std::ranges::any_of(kChoices, [&](const Choice& choice) { return findings.wants(choice.rule); });
}

std::optional<AdvisedEncoding> advised_encoding(const Finding& finding) {
  const auto is_rule = [&](const Choice& choice) { return choice.rule == finding.rule; };
  if (finding.rule != Rule::dictionary_fallback && std::ranges::none_of(kChoices, is_rule))
    return std::nullopt;
  const auto* const found = std::get_if<FindingValue::Count>(&finding.found.alternatives());
  const auto* const expected = std::get_if<FindingValue::Count>(&finding.expected.alternatives());
  if (found == nullptr || expected == nullptr || found->number < expected->number) return std::nullopt;
  const auto* const choice = std::ranges::find(kChoices, expected->noun, &Choice::bytes);
  if (choice == kChoices.end()) return std::nullopt;
  return AdvisedEncoding{choice->encoding, found->number - expected->number};
}

void advise_encoding(FileCheck& check, const AdvisedColumn& column, std::span<const ChunkPages> chunks,
                     TrialEncoding& trials) {
  ColumnTrials(check, column, chunks, trials).run();
}

}  // namespace parqproof
