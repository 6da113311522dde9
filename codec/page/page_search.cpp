#include "codec/page/page_search.hpp"

#include <algorithm>

#include "codec/base/cursor.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kStride = std::uint64_t{1} << 16;
/// Max distance of the first page from `from`: few pages are larger.
constexpr std::uint64_t kMaxDistanceBytes = std::uint64_t{16} << 20;
/// Max number of candidates. Bytes that look like a page header without being one are rare, except in crafted
/// files.
constexpr unsigned kMaxCandidates = 64;

/// Removes a varint from the front: a 32-bit zigzag number. Returns false if it is negative or too long.
bool take_number(View& bytes, std::uint64_t& number) {
  Cursor cursor(bytes, {});
  const Result<Varint> varint = cursor.uleb<std::uint32_t>();
  if (!varint || varint->value % 2 != 0) return false;
  number = varint->value / 2;
  bytes = cursor.rest();
  return true;
}

/// Removes a byte from the front.
bool take_byte(View& bytes, std::uint8_t& byte) {
  if (bytes.empty()) return false;
  byte = bytes.data()[0];
  bytes = bytes.from(1);
  return true;
}

}  // namespace

bool may_be_page_header(View bytes) {
  std::uint8_t field = 0;
  std::uint64_t number = 0;
  for (const bool is_type : {true, false, false}) {
    if (!take_byte(bytes, field) || field != kNextI32 || !take_number(bytes, number)) return false;
    if (is_type && kPageTypeEnum.name_of(static_cast<std::int64_t>(number)).empty()) return false;
  }
  if (!take_byte(bytes, field)) return false;
  unsigned id = 3;
  if (field == kNextI32) {  // a crc of either sign
    id = 4;
    Cursor cursor(bytes, {});
    if (!cursor.uleb<std::uint32_t>()) return false;
    bytes = cursor.rest();
    if (!take_byte(bytes, field)) return false;
  }
  constexpr unsigned kStruct = 12;
  const unsigned member = id + (field >> 4);
  return (field & 0x0F) == kStruct && member >= 5 && member <= 8;
}

namespace {

/// Returns the number of bytes before the first position that may be a page header, or has too few bytes to
/// decide.
std::size_t next_candidate(View bytes) {
  for (std::size_t at = 0;; ++at) {
    const auto from = bytes.bytes.begin() + static_cast<std::ptrdiff_t>(at);
    at = static_cast<std::size_t>(std::find(from, bytes.bytes.end(), kNextI32) - bytes.bytes.begin());
    const std::size_t left = bytes.size() - at;
    if (left < kPageHeaderPrefix || may_be_page_header(bytes.from(at))) return at;
  }
}

/// A walk along pages from some offset on.
class Pages {
 public:
  Pages(std::uint64_t end, PageReader& reader) : end_(end), reader_(reader) {}

  /// Returns true if contiguous pages from `at` on end exactly at the end.
  [[nodiscard]] bool lead_to_end(std::uint64_t at) {
    bool has_data = false;
    first_ = last_ = at;
    while (at < end_ && page(at)) {
      has_data = has_data || page_.is_data();
      last_ = at;
      at = page_.end();
    }
    return at == end_ && has_data;
  }
  /// Offset of the last page that was found.
  [[nodiscard]] std::uint64_t last() const noexcept { return last_; }

 private:
  [[nodiscard]] bool page(std::uint64_t at) {
    const std::uint64_t bound = std::min(end_, at + kPageHeaderRoom);
    const bool is_read = reader_.read_header(at, bound, {}, page_) == PageReader::State::read;
    const bool may_be_here = page_.is_data() || page_.is_index() || (page_.is_dictionary() && at == first_);
    return is_read && page_.sound && may_be_here && page_.is_plausible() && page_.end() <= end_;
  }

  std::uint64_t end_;
  PageReader& reader_;
  Page page_;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace

std::uint64_t find_next_i32(Window& window, std::uint64_t from, std::uint64_t to) {
  while (from < to) {
    // Strides are aligned, so that a search that continues in one does not read it again.
    const View bytes = window.view(from, std::min(kStride - from % kStride, to - from));
    if (bytes.empty()) return to;
    const auto first = std::ranges::find(bytes.bytes, kNextI32);
    from += static_cast<std::uint64_t>(first - bytes.bytes.begin());
    if (first != bytes.bytes.end()) return from;
  }
  return to;
}

std::optional<std::uint64_t> find_pages_up_to(std::uint64_t end, std::uint64_t from, PageReader& reader) {
  Pages pages(end, reader);
  unsigned attempts = 0;
  const std::uint64_t stop = std::min(end, from + kMaxDistanceBytes);
  for (std::uint64_t at = from; at < stop;) {
    const View bytes = reader.read(at, std::min(kStride, end - at));
    if (bytes.empty()) break;  // read error
    const std::size_t place = next_candidate(bytes);
    at += place;
    if (place == bytes.size()) continue;
    const bool is_cut = bytes.size() - place < kPageHeaderPrefix && at + kPageHeaderPrefix <= end;
    if (is_cut && !may_be_page_header(reader.read(at, kPageHeaderPrefix))) {
      ++at;
    } else if (pages.lead_to_end(at)) {
      return at;
    } else if (++attempts == kMaxCandidates) {
      break;
    } else {
      at = pages.last() + 1;  // the pages up to there do not lead to the end
    }
  }
  return std::nullopt;
}

}  // namespace parqproof
