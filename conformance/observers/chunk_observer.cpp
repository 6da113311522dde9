#include "conformance/observers/chunk_observer.hpp"

#include <functional>
#include <utility>

namespace parqproof {
namespace {

/// Position of `size` bytes at `data` in the section; nothing if they are not in it.
std::optional<std::size_t> position_in(View section, const std::uint8_t* data, std::size_t size) noexcept {
  const std::less<const std::uint8_t*> before;
  const std::uint8_t* const begin = section.data();
  if (before(data, begin) || before(begin + section.size(), data)) return std::nullopt;
  const auto at = static_cast<std::size_t>(data - begin);
  return size <= section.size() - at ? std::optional(at) : std::nullopt;
}

}  // namespace

View ValueSection::place_of(const ValueBatch& batch, std::uint64_t i) const noexcept {
  std::optional<std::size_t> at;
  std::size_t size = 0;
  switch (batch.form) {
    case ValueBatch::Form::fixed:
      size = fixed_width(spec.type, spec.type_length);
      at = position_in(bytes, batch.fixed + i * size, size);
      break;
    case ValueBatch::Form::byte_arrays:
      size = batch.byte_arrays[i].size;
      at = position_in(bytes, batch.stored == nullptr ? batch.byte_arrays[i].data : batch.stored[i], size);
      break;
    case ValueBatch::Form::booleans:  // eight in a byte of PLAIN
      size = 1;
      if (spec.encoding == Encoding::PLAIN) at = static_cast<std::size_t>(batch.offset - bytes.base + i / 8);
      break;
    case ValueBatch::Form::boolean_run:
    case ValueBatch::Form::indices:
    case ValueBatch::Form::index_run:
      break;
  }
  return at ? bytes.part(*at, size) : bytes.part(0, 0);
}

ObserverLine::ObserverLine(std::vector<std::unique_ptr<ChunkObserver>> observers)
    : observers_(std::move(observers)) {}

void ObserverLine::open(const ChunkScope& scope, DictionarySource* again) {
  for (std::vector<ChunkObserver*>* list :
       {&dictionary_, &values_, &pages_, &end_, &choosy_, &levels_.observers})
    list->clear();
  use_.begin_chunk(again);
  for (const std::unique_ptr<ChunkObserver>& observer : observers_) {
    const ChunkObserver::Wants wants = observer->open(scope, use_);
    if (wants.dictionary) dictionary_.push_back(observer.get());
    if (wants.levels) levels_.observers.push_back(observer.get());
    if (wants.values) values_.push_back(observer.get());
    if (wants.pages) pages_.push_back(observer.get());
    if (wants.end) end_.push_back(observer.get());
    if (wants.choice) choosy_.push_back(observer.get());
  }
  want_all_ = values_.size();
}

void ObserverLine::dictionary(const ValueSection& section, const ValueBatch& batch) {
  for (ChunkObserver* observer : dictionary_) observer->dictionary(section, batch);
}

void ObserverLine::end_dictionary(const ValueSection& section, Buffer& buffer) {
  if (section.spec.count == 0) return;
  use_.begin(section.bytes, buffer, section.spec);
  for (ChunkObserver* observer : dictionary_) observer->end_dictionary(section);
}

void ObserverLine::expect_page(const Page& page) {
  values_.resize(want_all_);
  for (ChunkObserver* observer : choosy_) {
    if (observer->expect_page(page)) values_.push_back(observer);
  }
}

void ObserverLine::begin_page(const Page& page) {
  levels_.page = &page;
  for (ChunkObserver* observer : pages_) observer->begin_page(page);
}

LevelVisitor* ObserverLine::level_visitor() noexcept {
  return levels_.observers.empty() ? nullptr : &levels_;
}

void ObserverLine::Levels::levels(const LevelBatch& batch) {
  for (ChunkObserver* observer : observers) observer->levels(*page, batch);
}

void ObserverLine::end_page(const PageEnd& end) {
  for (ChunkObserver* observer : pages_) observer->end_page(end);
}

void ObserverLine::end_chunk(const ChunkEnd& end) {
  for (ChunkObserver* observer : end_) observer->end_chunk(end);
}

}  // namespace parqproof
