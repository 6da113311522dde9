#include "conformance/check/column_index_observer.hpp"

namespace parqproof {

ChunkObserver::Wants ColumnIndexObserver::open(ChunkScope& scope, DictionaryUse&) {
  if (!scope.page_index.column.sound) return {};
  scope_ = &scope;
  claims_ = ColumnIndexClaims(scope);
  return {.dictionary = false, .levels = false, .values = false, .pages = true, .end = true};
}

void ColumnIndexObserver::end_page(const PageEnd& end) {
  if (scope_->data_page) claims_.page(*scope_->data_page, end, nullptr);
}

void ColumnIndexObserver::end_chunk(const ChunkEnd& end) { claims_.end(end.data_pages); }

}  // namespace parqproof
