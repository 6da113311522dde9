#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "codec/page/levels.hpp"
#include "codec/record/data_pages.hpp"

namespace parqproof {

/// Tries pages as pages of a leaf.
class PageFit {
 public:
  /// What a page has as a page of a leaf.
  struct Fit {
    std::uint64_t rows = 0;   ///< that begin in it
    bool continues = false;   ///< its first entry continues a row
    bool is_damaged = false;  ///< its checksum is wrong, or that of its dictionary; the rows are stated ones
  };

  /// `source` and `schema` outlive this object.
  PageFit(const Source& source, const Schema& schema, const Limits& limits);

  /// Decodes a data page of a leaf with its dictionary page, if there is one; nullopt if it is none.
  [[nodiscard]] std::optional<Fit> fit(const Page& page, std::size_t leaf, const Page* dictionary,
                                       CompressionCodec codec);
  /// The rows that the header of a data page states, if it may be of the leaf.
  [[nodiscard]] std::optional<Fit> stated(const Page& page, std::size_t leaf) const;
  /// Pages have been tried too often for the size of the file.
  [[nodiscard]] bool is_exhausted() const noexcept { return work_ > most_; }

 private:
  struct Column {
    Column(ReadingContext& context, std::size_t leaf)
        : pages(context, leaf, 0), levels(context.schema, leaf) {}
    DataPages pages;
    LevelReader levels;
    ValueDecoder values;
  };

  [[nodiscard]] std::optional<Fit> decode(const Page& page, std::size_t leaf, const Page* dictionary,
                                          CompressionCodec codec);
  [[nodiscard]] bool decode_values(Column& column, std::size_t leaf, std::uint64_t stored);

  const Source& source_;
  const Schema& schema_;
  Limits limits_;
  ReadingContext context_;
  std::vector<std::unique_ptr<Column>> columns_;
  std::map<std::tuple<std::uint64_t, std::size_t, std::uint64_t, CompressionCodec>, std::optional<Fit>>
      known_;
  std::uint64_t work_ = 0;
  std::uint64_t most_;
};

}  // namespace parqproof
