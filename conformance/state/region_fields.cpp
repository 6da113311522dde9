#include "conformance/state/region_fields.hpp"

namespace parqproof {

std::string_view offset_field(Region::Kind kind) {
  switch (kind) {
    case Region::Kind::column_chunk:
      return "meta_data.data_page_offset";
    case Region::Kind::column_index:
      return "column_index_offset";
    case Region::Kind::offset_index:
      return "offset_index_offset";
    case Region::Kind::bloom_filter:
      return "meta_data.bloom_filter_offset";
  }
  return {};
}

std::string_view length_field(Region::Kind kind) {
  switch (kind) {
    case Region::Kind::column_chunk:
      return "meta_data.total_compressed_size";
    case Region::Kind::column_index:
      return "column_index_length";
    case Region::Kind::offset_index:
      return "offset_index_length";
    case Region::Kind::bloom_filter:
      return "meta_data.bloom_filter_length";
  }
  return {};
}

}  // namespace parqproof
