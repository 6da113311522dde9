#include "conformance/chunk/observers.hpp"

#include "conformance/indexes/bloom_filter_observer.hpp"
#include "conformance/indexes/column_index_observer.hpp"
#include "conformance/observers/page_bounds.hpp"
#include "conformance/row_group/sorting_proof.hpp"
#include "conformance/statistics/size_observer.hpp"
#include "conformance/statistics/statistics_observer.hpp"
#include "conformance/values/annotated_values.hpp"
#include "conformance/values/calendar_values.hpp"
#include "conformance/values/dictionary_rules.hpp"
#include "conformance/values/map_keys.hpp"
#include "conformance/values/type_length_bits.hpp"

namespace parqproof {

std::vector<std::unique_ptr<ChunkObserver>> all_observers() {
  std::vector<std::unique_ptr<ChunkObserver>> all;
  all.push_back(std::make_unique<TypeLengthBits>());
  all.push_back(std::make_unique<AnnotatedValues>());
  all.push_back(std::make_unique<MapKeys>());
  all.push_back(std::make_unique<SortingProof>());
  all.push_back(std::make_unique<DictionaryRules>());
  all.push_back(std::make_unique<StatisticsObserver>());
  all.push_back(std::make_unique<ColumnIndexObserver>());
  all.push_back(std::make_unique<SizeObserver>());
  all.push_back(std::make_unique<PageBoundsObserver>());
  all.push_back(std::make_unique<BloomFilterObserver>());
  all.push_back(std::make_unique<CalendarValues>());
  return all;
}

}  // namespace parqproof
