#include "conformance/chunk/observers.hpp"

#include "conformance/geo/geo_columns.hpp"
#include "conformance/indexes/index_observers.hpp"
#include "conformance/row_group/sorting_proof.hpp"
#include "conformance/statistics/statistics_observers.hpp"
#include "conformance/values/value_observers.hpp"

namespace parqproof {

std::vector<std::unique_ptr<ChunkObserver>> all_observers() {
  std::vector<std::unique_ptr<ChunkObserver>> all;
  all.push_back(type_length_bits());
  all.push_back(annotated_values());
  all.push_back(geo_values());
  all.push_back(map_keys());
  all.push_back(sorting_proof());
  all.push_back(dictionary_rules());
  all.push_back(statistics_observer());
  all.push_back(column_index_observer());
  all.push_back(size_observer());
  all.push_back(page_bounds_observer());
  all.push_back(bloom_filter_observer());
  all.push_back(calendar_values());
  return all;
}

}  // namespace parqproof
