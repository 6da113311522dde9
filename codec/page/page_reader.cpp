#include "codec/page/page_reader.hpp"

#include <algorithm>
#include <utility>

#include "codec/base/bits.hpp"

namespace parqproof {
namespace {

/// Size that suffices for nearly all headers; only those with long statistics are longer.
constexpr std::uint64_t kUsualHeaderBytes = 256;

/// Returns the end of the module at `offset`, by its length; 0 if that is after `bound`.
std::uint64_t end_of_module(Window& window, std::uint64_t offset, std::uint64_t bound) {
  if (bound - offset < encryption::kModuleLengthBytes) return 0;
  const View head = window.view(offset, encryption::kModuleLengthBytes);
  const std::uint64_t length =
      head.size() == encryption::kModuleLengthBytes ? load_le<std::uint32_t>(head.data()) : UINT64_MAX;
  return length <= bound - offset - encryption::kModuleLengthBytes
             ? offset + encryption::kModuleLengthBytes + length
             : 0;
}

/// Returns true if the module at `offset` is the page header of `place`.
bool opens_as(Window& window, std::uint64_t offset, std::uint64_t bound, encryption::ChunkCipher& cipher,
              const encryption::ModulePlace& place) {
  const View bytes = window.view(offset, std::min(bound - offset, encryption::kMaxSealedHeader));
  const Result<encryption::Module> module = encryption::cut_module(bytes, encryption::Mode::gcm);
  if (!module) return false;
  std::vector<std::uint8_t> plain(module->ciphertext.size() + 1);
  return cipher.open(*module, place, plain.data());
}

/// What trials to find the ordinals of pages of a chunk may cost.
constexpr std::uint64_t kSearchBytes = std::uint64_t{256} << 20;

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
  page.module.reset();
  page.misnamed_module.reset();
  page.module_frame = 0;
  page.wrong_size.reset();
  page.has_other_length = false;
  sealed_end_ = 0;
  if (cipher_ != nullptr) return read_sealed_header(offset, bound, judged, page);
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

void PageReader::enter(const Place& chunk) {
  if (chunk.row_group < 0) return;
  encryption::FileKeys* const keys = window_.source().keys();
  cipher_ = keys == nullptr ? nullptr : keys->cipher_of(chunk.row_group, chunk.leaf);
  chunk_ = chunk.chunk();
  last_header_ = next_header_ = kAnywhere;
  last_ordinal_ = next_ordinal_ = 0;
  is_ordered_ = true;
  search_budget_ = kSearchBytes;
  size_trials_ = kSizeTrials;
}

namespace {

PageFault page_fault_of(encryption::ModuleFault fault) {
  return PageFault::in_bytes(fault.error, std::move(fault.contrast));
}

/// Cuts a module that has all of `bytes`. Error: encryption/module-length.
std::expected<encryption::Module, encryption::ModuleFault> cut_all(View bytes, encryption::Mode mode) {
  const Result<encryption::Module> module = encryption::cut_module(bytes, mode);
  if (!module) return std::unexpected(encryption::length_fault(module.error()));
  if (module->length == bytes.size()) return *module;
  constexpr std::uint64_t kField = encryption::kModuleLengthBytes;
  return std::unexpected(encryption::ModuleFault{
      Error::at(Rule::encryption_module_length, bytes.part(0, kField), module->length, bytes.size()),
      contrast(module->length - kField, bytes.size() - kField)});
}

void report(const thrift::Judged& judged, const encryption::ModuleFault& fault) {
  if (judged.findings != nullptr && judged.findings->wants(fault.error.rule))
    judged.findings->add(finding_of(fault, judged.place));
}

}  // namespace

/// Returns the number of data pages before the header at `offset`; negative if it is unknown.
std::int32_t PageReader::expected_ordinal(std::uint64_t offset) const noexcept {
  if (offset == last_header_) return last_ordinal_;
  return offset == next_header_ || next_header_ == kAnywhere ? next_ordinal_ : -1;
}

std::optional<encryption::ModulePlace> PageReader::open_header(const encryption::Module& module,
                                                               std::uint64_t offset) {
  using encryption::ModuleType;
  const auto opens = [&](const encryption::ModulePlace& place) {
    return cipher_->open(module, place, header_bytes_.data());
  };
  const std::int32_t expected = expected_ordinal(offset);
  if (expected >= 0) {  // encryption/ordinal-limit: beyond it, writers let the two bytes overflow
    const encryption::ModulePlace data = cipher_->place(ModuleType::data_page_header, expected);
    if (opens(data)) return data;
  }
  const encryption::ModulePlace dictionary = cipher_->place(ModuleType::dictionary_page_header);
  if (opens(dictionary)) return dictionary;
  if (expected >= 0 && is_ordered_) return std::nullopt;
  const std::uint64_t cost = cipher_->cost_of(module);
  for (std::int32_t page = 0; page <= encryption::kMaxOrdinal; ++page) {
    const encryption::ModulePlace data = cipher_->place(ModuleType::data_page_header, page);
    if (search_budget_ < cost) break;
    search_budget_ -= cost;
    if (opens(data)) return data;
  }
  return std::nullopt;
}

std::uint64_t PageReader::clear_header(std::uint64_t offset, std::uint64_t bound) {
  std::unique_ptr<encryption::ChunkCipher> cipher = std::move(cipher_);
  Page page;
  const bool is_clear = read_header(offset, bound, {}, page) == State::read && page.faults == 0 &&
                        page.has_member() && page.can_be_skipped() && page.end() <= bound;
  cipher_ = std::move(cipher);
  return is_clear ? page.header_bytes.size() : 0;
}

bool PageReader::report_clear(std::uint64_t offset, std::uint64_t bound, const thrift::Judged& judged) {
  if (last_header_ != kAnywhere || next_header_ != kAnywhere) return false;
  const std::uint64_t length = clear_header(offset, bound);
  if (length == 0) return false;
  const View at = window_.view(offset, length);
  report(judged, {Error::at(Rule::encryption_clear_pages, at, 0, 0), contrast("a page header", "a module")});
  return true;
}

std::optional<std::uint64_t> PageReader::find_header_length(std::uint64_t offset, std::uint64_t bound,
                                                            const thrift::Judged& judged) {
  using encryption::ModuleType;
  constexpr std::uint64_t kMost = encryption::kModuleLengthBytes + encryption::kMaxSealedHeader;
  const View bytes = window_.view(offset, std::min(bound - offset, kMost));
  const encryption::ModulePlace places[] = {
      cipher_->place(ModuleType::data_page_header, std::max(expected_ordinal(offset), 0)),
      cipher_->place(ModuleType::dictionary_page_header)};
  const std::optional<std::uint64_t> length = window_.source().keys()->find_length(bytes, places);
  if (!length) return std::nullopt;
  const View at = bytes.part(0, encryption::kModuleLengthBytes);
  const auto stated = load_le<std::uint32_t>(at.data());
  report(judged, {Error::at(Rule::encryption_module_length, at, stated, *length), contrast(stated, *length)});
  return length;
}

/// Reports the header at `offset`, a module of `size` bytes that does not authenticate.
void PageReader::explain_header(std::uint64_t offset, std::uint64_t size, std::uint64_t bound,
                                const thrift::Judged& judged) {
  using encryption::ModuleType;
  // The lengths of the header and of the body lead to the next page.
  const std::int32_t ordinal = std::max(expected_ordinal(offset), 0);
  if (const std::uint64_t end = end_of_module(window_, offset + size, bound); end != 0) sealed_end_ = end;
  next_header_ = sealed_end_ == 0 ? kAnywhere : sealed_end_;
  // A first page before data page 0 is a dictionary.
  const bool is_dictionary =
      last_header_ == kAnywhere && sealed_end_ != 0 &&
      opens_as(window_, sealed_end_, bound, *cipher_, cipher_->place(ModuleType::data_page_header));
  next_ordinal_ = ordinal + (is_dictionary ? 0 : 1);
  if (judged.findings == nullptr) return;
  const View all = window_.view(offset, size);
  const Result<encryption::Module> module = encryption::cut_module(all, encryption::Mode::gcm);
  if (!module) return;
  const encryption::ModulePlace dictionary = cipher_->place(ModuleType::dictionary_page_header);
  encryption::ModuleFault fault = window_.source().keys()->explain(
      *module, all, is_dictionary ? dictionary : cipher_->place(ModuleType::data_page_header, ordinal));
  // A first page that is the dictionary page of another place is a dictionary, too.
  if (last_header_ == kAnywhere && !is_dictionary && fault.found &&
      fault.found->type == ModuleType::dictionary_page_header) {
    next_ordinal_ = ordinal;
    fault.contrast.expected = describe(dictionary);
  }
  report(judged, fault);
}

/// Takes the place at which the header of a page authenticates, and judges its type.
void PageReader::take_place(const encryption::ModulePlace& place, const View& all,
                            const thrift::Judged& judged, Page& page) {
  using encryption::ModuleType;
  const bool names_data = place.type == ModuleType::data_page_header;
  const bool states_type = page.header.has(PageHeader::id_type) && !page.has_unknown_type();
  const bool is_data = states_type ? !page.is_dictionary() : names_data;
  const std::int32_t ordinal = names_data ? place.page : std::max(expected_ordinal(page.offset), 0);
  const auto body_of = [&](bool data) {
    return data ? cipher_->place(ModuleType::data_page, ordinal)
                : cipher_->place(ModuleType::dictionary_page);
  };
  page.module = body_of(is_data);
  if (is_data != names_data) {
    page.misnamed_module = body_of(names_data);
    const encryption::ModulePlace expected = is_data ? cipher_->place(ModuleType::data_page_header, ordinal)
                                                     : cipher_->place(ModuleType::dictionary_page_header);
    report(judged, {Error::at(Rule::encryption_module_place, all, 0, 0),
                    contrast(describe(place), describe(expected))});
  }
  page.module_frame =
      static_cast<std::uint32_t>(encryption::frame_bytes(cipher_->mode_of(page.module->type)));
  is_ordered_ = is_data || !names_data;  // data pages may be counted from such a dictionary page on
  last_header_ = page.offset;
  last_ordinal_ = is_data ? ordinal : std::max(expected_ordinal(page.offset), 0);
  next_header_ = page.can_be_skipped() ? page.end() : kAnywhere;
  next_ordinal_ = last_ordinal_ + (is_data ? 1 : 0);
}

PageReader::State PageReader::read_sealed_header(std::uint64_t offset, std::uint64_t bound,
                                                 const thrift::Judged& judged, Page& page) {
  page.offset = offset;
  page.faults = 0;
  page.sound = true;
  page.too_deep = false;
  const std::uint64_t room = bound - offset;
  const View head = window_.view(offset, std::min<std::uint64_t>(room, encryption::kModuleLengthBytes),
                                 ahead_of(offset + kUsualHeaderBytes));
  if (window_.failed()) return State::unreadable;
  const std::uint64_t length =
      head.size() == encryption::kModuleLengthBytes ? load_le<std::uint32_t>(head.data()) : 0;
  const bool is_too_long = length > limits_->page_header_bytes();
  const std::uint64_t size = std::min(room, encryption::kModuleLengthBytes + length);
  View all = window_.view(offset, is_too_long ? head.size() : size, ahead_of(offset + size));
  if (window_.failed()) return State::unreadable;
  Result<encryption::Module> module = encryption::cut_module(all, encryption::Mode::gcm);
  const auto open = [&] {
    header_bytes_.resize(std::max<std::size_t>(module->ciphertext.size(), 1));
    return open_header(*module, offset);
  };
  std::optional<encryption::ModulePlace> place = module ? open() : std::nullopt;
  if (!place) {
    if (report_clear(offset, bound, judged)) return State::framing_lost;
    const std::optional<std::uint64_t> other = find_header_length(offset, bound, judged);
    if (!other) {
      if (is_too_long && length <= room) return State::limit;
      if (module) {
        explain_header(offset, size, bound, judged);
      } else {
        Error error = module.error();
        if (error.expected >= 0)
          error.expected = static_cast<std::int64_t>(room - encryption::kModuleLengthBytes);
        report(judged, encryption::length_fault(error));
      }
      return State::framing_lost;
    }
    all = window_.view(offset, encryption::kModuleLengthBytes + *other);
    module = encryption::cut_module_of(all, *other, encryption::Mode::gcm);
    place = open();
    if (!place) return State::framing_lost;
  }
  const View bytes{{header_bytes_.data(), module->ciphertext.size()}, module->ciphertext.base, Space::module};
  thrift::Reader quiet(bytes, {}, *limits_);
  const bool framed = quiet.read(page.header);
  page.faults = quiet.faults();
  page.sound = quiet.sound();
  page.too_deep = quiet.too_deep();
  if (judged.findings != nullptr && quiet.faults() != 0) {
    thrift::Reader reader(bytes, judged, *limits_);
    (void)reader.read(page.header);
  }
  if (!framed) return page.too_deep ? State::limit : State::framing_lost;
  page.header_bytes = bytes.part(0, static_cast<std::size_t>(page.header.fields.end - bytes.base));
  page.body = offset + module->length;
  take_place(*place, all, judged, page);
  take_module_size(bound, page);
  return State::read;
}

void PageReader::take_module_size(std::uint64_t bound, Page& page) {
  using encryption::ModuleType;
  constexpr std::uint64_t kMaxTriedBody = std::uint64_t{16} << 20;
  if (!page.can_be_skipped()) return;
  const std::uint64_t end = end_of_module(window_, page.body, bound);
  if (end == page.end()) return;
  // Levels that are not encrypted may be where a length is expected: encryption/v2-levels.
  page.has_other_length = !page.is_v2() || page.level_bytes() <= 0;
  if (end == 0 || end - page.body > std::min<std::uint64_t>(limits_->page_bytes, INT32_MAX)) return;
  if (size_trials_ == 0) return;
  const auto leads_on = [&](std::uint64_t at) {
    return at == bound ||
           (at < bound && opens_as(window_, at, bound, *cipher_,
                                   cipher_->place(ModuleType::data_page_header, next_ordinal_)));
  };
  if (leads_on(page.end())) return;
  if (!leads_on(end)) {
    --size_trials_;
    if (cipher_->mode_of(page.module->type) != encryption::Mode::gcm) return;
    if (end - page.body > kMaxTriedBody) return;
    const View stored = window_.view(page.body, end - page.body);
    const Result<encryption::Module> module = encryption::cut_module(stored, encryption::Mode::gcm);
    if (!module) return;
    std::vector<std::uint8_t> plain(module->ciphertext.size() + 1);
    if (!cipher_->open(*module, *page.module, plain.data())) return;
    ++size_trials_;
  }
  page.has_other_length = false;
  page.wrong_size = page.header.compressed_page_size;
  page.header.compressed_page_size = static_cast<std::int32_t>(end - page.body);
  next_header_ = end;
}

std::expected<PageReader::OpenedBody, PageFault> PageReader::open_body(const Page& page, View stored,
                                                                       std::size_t levels) {
  // Another reader may have read the header, and this one may have been in another chunk, with another key.
  if (const Place chunk{page.module->row_group, page.module->column}; cipher_ == nullptr || chunk_ != chunk)
    enter(chunk);
  if (cipher_ == nullptr) return std::unexpected(PageFault::source_unreadable());
  const encryption::Mode mode = cipher_->mode_of(page.module->type);
  const auto module = cut_all(stored, mode);
  if (module) {
    module_bytes_.resize(std::max<std::size_t>(module->ciphertext.size(), 1));
    if (cipher_->open(*module, *page.module, module_bytes_.data())) {
      return OpenedBody{
          {{module_bytes_.data(), module->ciphertext.size()}, module->ciphertext.base, Space::module}, false};
    }
  }
  // The finding about the header is about the page.
  if (module && page.misnamed_module && cipher_->open(*module, *page.misnamed_module, module_bytes_.data())) {
    return OpenedBody{
        {{module_bytes_.data(), module->ciphertext.size()}, module->ciphertext.base, Space::module}, false};
  }
  // encryption/v2-levels: parquet-java encrypts only what follows the levels.
  if (page.is_v2() && levels < stored.size()) {
    const auto values = cut_all(stored.from(levels), mode);
    if (values) {
      module_bytes_.resize(levels + std::max<std::size_t>(values->ciphertext.size(), 1));
      if (cipher_->open(*values, *page.module, module_bytes_.data() + levels)) {
        std::copy_n(stored.data(), levels, module_bytes_.data());
        return OpenedBody{{{module_bytes_.data(), levels + values->ciphertext.size()},
                           values->ciphertext.base - levels,
                           Space::module},
                          levels != 0};
      }
    }
  }
  if (!module) return std::unexpected(page_fault_of(module.error()));
  return std::unexpected(page_fault_of(window_.source().keys()->explain(*module, stored, *page.module)));
}

std::expected<View, PageFault> PageReader::open_structure(View stored, encryption::ModuleType type) {
  if (cipher_ == nullptr) return stored;
  const auto module = cut_all(stored, encryption::Mode::gcm);
  if (!module) return std::unexpected(page_fault_of(module.error()));
  const encryption::ModulePlace place = cipher_->place(type);
  module_bytes_.resize(std::max<std::size_t>(module->ciphertext.size(), 1));
  if (!cipher_->open(*module, place, module_bytes_.data()))
    return std::unexpected(page_fault_of(window_.source().keys()->explain(*module, stored, place)));
  return View{{module_bytes_.data(), module->ciphertext.size()}, module->ciphertext.base, Space::module};
}

std::expected<PageReader::OpenedModule, PageFault> PageReader::read_module(std::uint64_t offset,
                                                                           std::uint64_t end,
                                                                           encryption::ModuleType type) {
  const std::uint64_t room = end - std::min(offset, end);
  const View head = window_.view(offset, std::min<std::uint64_t>(room, encryption::kModuleLengthBytes));
  if (window_.failed()) return std::unexpected(PageFault::source_unreadable());
  const std::uint64_t length =
      head.size() == encryption::kModuleLengthBytes ? load_le<std::uint32_t>(head.data()) : 0;
  const std::uint64_t size = std::min(room, encryption::kModuleLengthBytes + length);
  const View stored = window_.view(offset, size);
  if (window_.failed()) return std::unexpected(PageFault::source_unreadable());
  const std::expected<View, PageFault> opened = open_structure(stored, type);
  if (!opened) return std::unexpected(opened.error());
  return OpenedModule{*opened, offset + size};
}

}  // namespace parqproof
