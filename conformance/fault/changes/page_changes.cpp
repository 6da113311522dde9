// Changes of pages: their bodies, and their order.
#include <algorithm>

#include "codec/encoding/values.hpp"
#include "conformance/fault/bounds.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault {
namespace {

/// The dictionary page of a chunk as a site; nullopt if it has none.
std::optional<Site> dictionary_of(File& file, model::ChunkId chunk) {
  for (const std::uint32_t page : file.chunks()[chunk].pages) {
    if (file.pages()[page].is_dictionary())
      return Site{file.pages()[page].segment, model::kRoot, chunk, page};
  }
  return std::nullopt;
}

/// Bytes at the beginning of a stream; all codecs have a header or a length there.
constexpr std::size_t kCorruptBytes = 8;

}  // namespace

bool corrupt_body(File& file, const Site& site, const Change& change) {
  auto body = file.model().body(site.segment);
  if (!body || body->size() < 4) return false;
  if (change.text == "first") {
    std::fill_n(body->begin(), std::min<std::size_t>(body->size(), kCorruptBytes), std::uint8_t{0xFF});
  } else {
    (*body)[body->size() / 2] ^= 1;
  }
  if (change.number != 0) {
    model::set_stored_body(file.model(), site.segment, std::move(*body));
  } else {
    file.model().set_body(site.segment, std::move(*body));
  }
  return true;
}

bool lengthen_body(File& file, const Site& site, const Change& /*change*/) {
  auto body = file.model().body(site.segment);
  if (!body) return false;
  body->push_back(0);
  model::set_stored_body(file.model(), site.segment, std::move(*body));
  return true;
}

bool remove_dictionary(File& file, const Site& site, const Change& /*change*/) {
  const auto dictionary = dictionary_of(file, site.chunk);
  const auto has_indices = [&](std::uint32_t page) {
    const Site data{file.pages()[page].segment, model::kRoot, site.chunk, page};
    return file.pages()[page].is_data() && is_dictionary_encoding(file.pages()[page].encoding) &&
           stored_count(file, data).value_or(0) != 0;
  };
  if (!dictionary || std::ranges::none_of(file.chunk_of(site).pages, has_indices)) return false;
  file.model().remove(dictionary->segment);
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    if (const auto offset = tree->find("dictionary_page_offset", node)) tree->remove(*offset);
  }
  file.count_page(*dictionary, -1);
  return true;
}

bool repeat_dictionary(File& file, const Site& site, const Change& /*change*/) {
  const auto dictionary = dictionary_of(file, site.chunk);
  if (!dictionary) return false;
  file.model().duplicate(dictionary->segment);
  file.count_page(*dictionary, 1);
  return true;
}

bool append_entry(File& file, const Site& site, const Change& change) {
  auto image = file.image_of(site);
  const auto count = file.tree_of(site).find("dictionary_page_header.num_values");
  const bool is_sorted = file.tree_of(site).number("dictionary_page_header.is_sorted") == 1;
  if (!image || !count || is_sorted) return false;
  const Node& leaf = file.leaf_of(site);
  std::size_t width = 0;
  if (leaf.type == Type::INT32 || leaf.type == Type::FLOAT) width = 4;
  if (leaf.type == Type::INT64 || leaf.type == Type::DOUBLE) width = 8;
  if (width == 0 || image->values.size() < width) return false;
  if (change.text == "copy") {
    const std::vector<std::uint8_t> first(image->values.begin(),
                                          image->values.begin() + static_cast<std::ptrdiff_t>(width));
    image->values.insert(image->values.end(), first.begin(), first.end());
  } else {
    image->values.insert(image->values.end(), width, std::uint8_t{0x11});
  }
  file.tree_of(site).set_number(*count, file.tree_of(site).number(*count) + 1);
  return file.set_image(site, *image);
}

bool flip_is_compressed(File& file, const Site& site, const Change& /*change*/) {
  model::Tree& header = file.tree_of(site);
  const PageInfo& page = file.page_of(site);
  if (file.chunk_of(site).stated.codec == CompressionCodec::UNCOMPRESSED ||
      stored_count(file, site).value_or(0) == 0)
    return false;
  header.set_number(*header.make("data_page_header_v2.is_compressed"), page.is_compressed ? 0 : 1);
  return true;
}

bool claim_sorted(File& file, const Site& site, const Change& /*change*/) {
  const auto image = file.image_of(site);
  const Node& leaf = file.leaf_of(site);
  const std::size_t width = leaf.type == Type::INT32 ? 4 : 8;
  if (!image || !is_signed_integer(leaf) ||
      file.tree_of(site).number("dictionary_page_header.is_sorted") == 1)
    return false;
  bool is_ascending = true;
  for (std::size_t at = width; at + width <= image->values.size(); at += width) {
    const auto number = [&](std::size_t from) {
      return integer_of(std::span(image->values).subspan(from, width), leaf.type);
    };
    is_ascending = is_ascending && number(at - width) <= number(at);
  }
  const auto flag = file.tree_of(site).make("dictionary_page_header.is_sorted");
  if (is_ascending || !flag) return false;
  file.tree_of(site).set_number(*flag, 1);
  return true;
}

}  // namespace parqproof::fault
