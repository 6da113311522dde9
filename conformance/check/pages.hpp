#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/compression/decompress.hpp"
#include "codec/encoding/values.hpp"
#include "codec/file/levels.hpp"
#include "codec/file/page_reader.hpp"
#include "codec/file/regions.hpp"
#include "conformance/check/context.hpp"
#include "conformance/check/index_pages.hpp"
#include "conformance/check/statistics_claims.hpp"

namespace parqproof {

/// What the check of one chunk found; each chunk has its own, so that chunks can be judged side by side.
struct ChunkOutcome {
  explicit ChunkOutcome(const RuleSet& wanted) : findings(wanted) {}

  Findings findings;
  ChunkTally tally;
  std::vector<NotRun> not_run;
  std::vector<Lost> lost;
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  bool io_failed = false;
};

/// Bytes worth reading along with a page header, where the body is asked for.
inline constexpr std::uint64_t kReadAhead = std::uint64_t{1} << 18;

/// Buffers that a thread keeps from chunk to chunk.
struct Scratch {
  explicit Scratch(const Context& context)
      : reader(context.facts.source, context.options.limits,
               context.options.tier == Tier::values ? kReadAhead : 0) {}

  Decompressor decompressor;
  ValueDecoder values;
  Buffer image;  ///< the uncompressed page
  PageReader reader;
  StatisticsBuffers statistics;
};

/// Walks over the pages of one chunk and judges headers, and at tier values their bodies; then the chunk's
/// claims on them.
void check_chunk(const Context& context, const RegionMap& regions, const ChunkClaim& claim, Scratch& scratch,
                 ChunkOutcome& outcome);

/// What the pages of a chunk share while their bodies are judged.
struct ChunkBody {
  const Context& context;
  const ColumnMetaData& meta;
  const Node& leaf;
  Judge judge;
  Scratch& scratch;
  LevelReader levels;
  Budget budget;
  Place place;
  std::string_view doubt;  ///< why the values cannot be told apart; empty where they can
  StatisticsObserver statistics;
  std::uint64_t dictionary_size = 0;  ///< entries; UINT64_MAX where the dictionary page could not be read
  bool has_dictionary = false;
  bool first_data_page = true;
  bool dictionary_lost = false;  ///< to damage, and with it the pages that refer to it
  IndexRules* index = nullptr;   ///< of a chunk that has index pages to be judged
};

/// What became of a page body.
struct BodyOutcome {
  bool lost = false;     ///< damage: it is no part of any sum
  bool surplus = false;  ///< there are bytes behind what its header counts
  std::string skipped;   ///< why it was not judged, if it was not
  std::int64_t rows = 0;
};

/// Judges the checksum of a page, of which nothing else can be judged.
void check_checksum(ChunkBody& chunk, const Page& page, View stored);

/// Judges the body of a data, dictionary or index page whose header is sound: checksum, decompression,
/// levels, values.
[[nodiscard]] BodyOutcome check_body(ChunkBody& chunk, const Page& page, View stored);

}  // namespace parqproof
