#include "codec/file/page_reader.hpp"

#include <algorithm>

namespace parqproof {
namespace {

/// What nearly every header fits into; longer ones hold long statistics.
constexpr std::uint64_t kUsualHeader = 1024;

}  // namespace

std::int64_t Page::num_values() const noexcept {
  switch (header.type) {
    case PageType::DATA_PAGE:
      return header.data_page_header.num_values;
    case PageType::DATA_PAGE_V2:
      return header.data_page_header_v2.num_values;
    case PageType::DICTIONARY_PAGE:
      return header.dictionary_page_header.num_values;
    case PageType::INDEX_PAGE:
      break;
  }
  return 0;
}

bool Page::has_member() const noexcept {
  switch (header.type) {
    case PageType::DATA_PAGE:
      return header.has(PageHeader::id_data_page_header);
    case PageType::DATA_PAGE_V2:
      return header.has(PageHeader::id_data_page_header_v2);
    case PageType::DICTIONARY_PAGE:
      return header.has(PageHeader::id_dictionary_page_header);
    case PageType::INDEX_PAGE:
      return header.has(PageHeader::id_index_page_header);
  }
  return false;
}

PageReader::State PageReader::read_header(std::uint64_t offset, std::uint64_t bound,
                                          const thrift::Judged& judged, Page& page) {
  const std::uint64_t room = std::min(bound - offset, limits_->page_header_bytes());
  std::uint64_t want = std::min(room, kUsualHeader);
  for (;;) {
    const View view = window_.view(offset, want, ahead_of(offset + want));
    if (window_.failed()) return State::unreadable;
    thrift::Reader quiet(view, {}, *limits_);
    page.offset = offset;
    if (quiet.read(page.header)) {
      // The struct's views must outlive the window, so it is read once more from bytes of its own.
      const auto length = static_cast<std::size_t>(page.header.fields.end - offset);
      header_bytes_.assign(view.data(), view.data() + length);
      page.header_bytes = {header_bytes_, offset, Space::file};
      page.body = offset + length;
      const bool loud = judged.findings != nullptr && quiet.faults() != 0;
      thrift::Reader reader(page.header_bytes, loud ? judged : thrift::Judged{}, *limits_);
      (void)reader.read(page.header);
      page.sound = quiet.sound();
      return State::read;
    }
    if (want < room) {
      want = std::min(room, want * 8);
      continue;
    }
    page.sound = quiet.sound();
    if (judged.findings != nullptr) {
      thrift::Reader reader(view, judged, *limits_);
      (void)reader.read(page.header);
    }
    return room == limits_->page_header_bytes() && room < bound - offset ? State::limit : State::framing_lost;
  }
}

View PageReader::read_body(const Page& page) {
  return window_.view(page.body, page.stored_size(), ahead_of(page.end()));
}

}  // namespace parqproof
