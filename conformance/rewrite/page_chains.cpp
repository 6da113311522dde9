#include "conformance/rewrite/page_chains.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "codec/format/bloom_filter_header.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/format/page_index.hpp"
#include "codec/page/page_search.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kStride = std::uint64_t{1} << 16;
/// Bytes read first for a struct.
constexpr std::uint64_t kFirstRoom = 1024;
/// Max bytes of an index or a copy of metadata.
constexpr std::uint64_t kMaxStructBytes = std::uint64_t{1} << 24;

/// Goes through the bytes of a file once.
class Search {
 public:
  Search(const Source& source, std::uint64_t to, const Limits& limits)
      : reader_(source, limits, 0), window_(source), to_(to), limits_(limits) {}

  std::vector<PageChain> run(std::uint64_t from, bool ends_at_footer) {
    std::uint64_t at = from;
    bool is_clean = true;
    while (at < to_) {
      Page page;
      if (read_page(at, page)) {
        if (out_.empty() || !is_clean || is_new_) out_.push_back({{}, {}, {}, is_clean, false});
        is_new_ = false;
        at = page.end();
        page.header.data_page_header.statistics = {};
        page.header.data_page_header_v2.statistics = {};
        page.header_bytes = {};
        out_.back().pages.push_back(std::move(page));
        out_.back().has_clean_end = false;
        is_clean = true;
      } else if (const std::uint64_t end = other_structure(at); end != at) {
        // Indexes and filters follow complete row groups.
        if (is_clean && !is_copy_ && !out_.empty()) out_.back().has_clean_end = true;
        at = end;
      } else {
        is_clean = false;
        at = next_candidate(at + 1);
      }
    }
    if (ends_at_footer && is_clean && at == to_ && !out_.empty()) out_.back().has_clean_end = true;
    for (PageChain& chain : out_) {
      chain.marks.assign(chain.pages.size(), PageChain::Mark::none);
      chain.ends.assign(chain.pages.size(), false);
    }
    mark_by_indexes();
    return std::move(out_);
  }

  /// Returns the end of an index, a Bloom filter or a copy of metadata at `at`; `at` if there is none.
  [[nodiscard]] std::uint64_t other_structure(std::uint64_t at);

 private:
  [[nodiscard]] bool read_page(std::uint64_t at, Page& page) {
    const View bytes = window_.view(at, std::min(kPageHeaderPrefix, to_ - at), kStride);
    if (bytes.empty() || !may_be_page_header(bytes)) return false;
    const std::uint64_t bound = std::min(to_, at + kPageHeaderRoom);
    if (reader_.read_header(at, bound, {}, page) != PageReader::State::read || !page.sound) return false;
    return page.is_plausible() && page.end() <= to_ &&
           (page.is_dictionary() || page.is_index() ||
            (page.is_data() && !kEncodingEnum.name_of(static_cast<std::int64_t>(page.encoding())).empty()));
  }

  template <typename Struct>
  [[nodiscard]] bool read_struct(std::uint64_t at, Struct& out) {
    const std::uint64_t most = std::min(to_ - at, kMaxStructBytes);
    for (std::uint64_t room = std::min(most, kFirstRoom);; room = std::min(most, room * 16)) {
      const View bytes = window_.view(at, room);
      if (bytes.size() != room) return false;
      thrift::Reader reader(bytes, {}, limits_);
      if (reader.read(out) && reader.sound()) return true;
      if (room == most || reader.offset() + room / 2 < bytes.end()) return false;
    }
  }

  [[nodiscard]] std::uint64_t offset_index(std::uint64_t at) {
    OffsetIndex index;
    if (!read_struct(at, index) || !index.has(OffsetIndex::id_page_locations) ||
        index.page_locations.count == 0)
      return at;
    std::vector<PageLocation> locations;
    thrift::for_each<PageLocation>(index.page_locations, limits_,
                                   [&](const PageLocation& one, std::uint32_t) { locations.push_back(one); });
    if (locations.size() != index.page_locations.count) return at;
    const std::uint64_t end = index.fields.end;
    indexes_.push_back(std::move(locations));
    return end;
  }

  /// An index counts if all pages that it names were found as it says.
  void mark_by_indexes() {
    std::unordered_map<std::uint64_t, std::pair<std::size_t, std::size_t>> at;
    for (std::size_t chain = 0; chain < out_.size(); ++chain) {
      for (std::size_t i = 0; i < out_[chain].pages.size(); ++i)
        at.emplace(out_[chain].pages[i].offset, std::pair(chain, i));
    }
    for (const std::vector<PageLocation>& index : indexes_) {
      const auto agrees = [&](const PageLocation& one) {
        const auto page = at.find(static_cast<std::uint64_t>(one.offset));
        if (page == at.end()) return false;
        const Page& found = out_[page->second.first].pages[page->second.second];
        return found.is_data() &&
               found.end() - found.offset == static_cast<std::uint64_t>(one.compressed_page_size);
      };
      if (!std::ranges::all_of(index, agrees)) continue;
      for (std::size_t i = 0; i < index.size(); ++i) {
        const auto [chain, page] = at.at(static_cast<std::uint64_t>(index[i].offset));
        out_[chain].marks[page] = i == 0 ? PageChain::Mark::first : PageChain::Mark::inside;
        if (i + 1 == index.size()) out_[chain].ends[page] = true;
      }
    }
  }

  /// Returns the first offset from `at` on at which a structure may begin.
  [[nodiscard]] std::uint64_t next_candidate(std::uint64_t at) {
    while (at < to_) {
      const View bytes = window_.view(at, std::min(kStride, to_ - at));
      if (bytes.empty()) return to_;
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::uint8_t byte = bytes.data()[i];
        if (byte != kNextI32 && byte != 0x19) continue;
        const View rest = bytes.from(i);
        if (rest.size() < kPageHeaderPrefix && at + bytes.size() < to_) return at + i;
        if (byte == kNextI32 ? may_be_page_header(rest)
                             : rest.size() > 2 && rest.data()[1] != 0 && (rest.data()[1] & 0x0F) == 12 &&
                                   rest.data()[2] == 0x16)
          return at + i;
      }
      at += bytes.size();
    }
    return to_;
  }

  PageReader reader_;
  Window window_;
  std::uint64_t to_;
  const Limits& limits_;
  std::vector<PageChain> out_;
  std::vector<std::vector<PageLocation>> indexes_;
  bool is_new_ = true;
  bool is_copy_ = false;  // the last structure is a copy of metadata
};

std::uint64_t Search::other_structure(std::uint64_t at) {
  constexpr std::uint8_t kFirstList = 0x19;
  is_copy_ = false;
  const View bytes = window_.view(at, std::min<std::uint64_t>(2, to_ - at), kStride);
  if (bytes.size() < 2) return at;
  if (bytes.data()[0] == kFirstList) {
    const std::uint8_t element = bytes.data()[1] & 0x0F;
    if (element == 12) return offset_index(at);
    ColumnIndex index;
    if ((element == 1 || element == 2) && read_struct(at, index) && index.has(ColumnIndex::id_null_pages) &&
        index.has(ColumnIndex::id_min_values) && index.has(ColumnIndex::id_max_values) &&
        index.has(ColumnIndex::id_boundary_order))
      return index.fields.end;
  } else if (bytes.data()[0] == kNextI32) {
    BloomFilterHeader filter;
    if (read_struct(at, filter) && filter.has(BloomFilterHeader::id_numBytes) && filter.numBytes > 0 &&
        filter.has(BloomFilterHeader::id_algorithm) && filter.has(BloomFilterHeader::id_hash)) {
      const std::uint64_t end = filter.fields.end + static_cast<std::uint64_t>(filter.numBytes);
      if (end <= to_) return end;
    }
    ColumnMetaData copy;
    if (read_struct(at, copy) && copy.has(ColumnMetaData::id_type) &&
        copy.has(ColumnMetaData::id_path_in_schema) && copy.has(ColumnMetaData::id_num_values) &&
        copy.has(ColumnMetaData::id_data_page_offset)) {
      is_copy_ = true;
      return copy.fields.end;
    }
  }
  return at;
}

}  // namespace

std::uint64_t end_of_structure(const Source& source, std::uint64_t at, std::uint64_t to,
                               const Limits& limits) {
  return at < to ? Search(source, to, limits).other_structure(at) : at;
}

std::vector<PageChain> find_page_chains(const Source& source, std::uint64_t from, std::uint64_t to,
                                        bool ends_at_footer, const Limits& limits) {
  return Search(source, to, limits).run(from, ends_at_footer);
}

}  // namespace parqproof
