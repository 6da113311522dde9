#include "conformance/indexes/column_index_observer.hpp"

namespace parqproof {

ChunkObserver::Wants ColumnIndexObserver::open(const ChunkScope& scope, DictionaryUsage&) {
  if (!scope.page_index.column.sound) return {};
  scope_ = &scope;
  claims_ = ColumnIndexCheck(scope);
  if (claims_.are_about_values()) scope.services.page_values.subscribe(*this);
  return {.pages = true, .end = true};
}

bool ColumnIndexObserver::are_about(const Page&) {
  return scope_->position().data_page && *scope_->position().data_page < claims_.entries();
}

void ColumnIndexObserver::judge(const PageEnd& end, const ValueTally& tally, const Find& find) {
  claims_.page(*scope_->position().data_page, end, &tally, find);
}

/// Judges a page without values.
void ColumnIndexObserver::end_page(const PageEnd& end) {
  if (scope_->position().data_page) claims_.page(*scope_->position().data_page, end);
}

void ColumnIndexObserver::end_chunk(const ChunkEnd& end) { claims_.end(end.data_pages); }

}  // namespace parqproof
