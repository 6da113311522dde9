#include "codec/page/page_reader.hpp"

#include <algorithm>

namespace parqproof {
namespace {

/// Size that suffices for nearly all headers; only those with long statistics are longer.
constexpr std::uint64_t kUsualHeaderBytes = 256;

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

bool Page::has_unknown_type() const noexcept {
  return header.has(PageHeader::id_type) &&
         kPageTypeEnum.name_of(static_cast<std::int64_t>(header.type)).empty();
}

PageReader::State PageReader::read_header(std::uint64_t offset, std::uint64_t bound,
                                          const thrift::Judged& judged, Page& page) {
  const std::uint64_t room = std::min(bound - offset, limits_->page_header_bytes());
  const auto not_intact = [&] {
    const bool is_cut = room == limits_->page_header_bytes() && room < bound - offset;
    return page.too_deep || is_cut ? State::limit : State::framing_lost;
  };
  page.offset = offset;
  for (std::uint64_t want = std::min(room, kUsualHeaderBytes);; want = std::min(room, want * 8)) {
    const View view = window_.view(offset, want, ahead_of(offset + want));
    if (window_.failed()) return State::unreadable;
    // A search tries many offsets without a header; to avoid copying their bytes, a longer header is copied
    // only if it is complete.
    if (want > kUsualHeaderBytes && judged.findings == nullptr) {
      PageHeader header;
      thrift::Reader probe(view, {}, *limits_);
      if (!probe.read(header)) {
        if (want < room) continue;
        page.too_deep = probe.too_deep();
        return not_intact();
      }
    }
    // Views of the struct outlive the window, so they point into a copy of the bytes.
    header_bytes_.assign(view.data(), view.data() + view.size());
    const View bytes{header_bytes_, offset, Space::file};
    thrift::Reader quiet(bytes, {}, *limits_);
    const bool framed = quiet.read(page.header);
    if (!framed && want < room) continue;
    page.faults = quiet.faults();
    page.sound = quiet.sound();
    page.too_deep = quiet.too_deep();
    if (judged.findings != nullptr && quiet.faults() != 0) {
      const std::size_t length =
          framed ? static_cast<std::size_t>(page.header.fields.end - offset) : bytes.size();
      thrift::Reader reader(bytes.part(0, length), judged, *limits_);
      (void)reader.read(page.header);
    }
    if (!framed) return not_intact();
    page.header_bytes = bytes.part(0, static_cast<std::size_t>(page.header.fields.end - offset));
    page.body = page.header_bytes.end();
    return State::read;
  }
}

View PageReader::read_body(const Page& page) {
  return window_.view(page.body, page.stored_size(), ahead_of(page.end()));
}

}  // namespace parqproof
