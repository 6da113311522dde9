#include <algorithm>
#include <span>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/encoding/table.hpp"
#include "codec/model/page_image.hpp"
#include "conformance/rewrite/shrink/shrink_parts.hpp"

namespace parqproof {

using model::ChunkId;
using model::Segment;
using model::SegmentId;
using model::Tree;

namespace {

/// The entries of a dictionary in PLAIN; nullopt if their sizes do not fit the section.
std::optional<std::vector<std::span<const std::uint8_t>>> entries_of(std::span<const std::uint8_t> section,
                                                                     const Node& leaf) {
  constexpr std::size_t kPrefixBytes = 4;
  const bool is_prefixed = leaf.type == Type::BYTE_ARRAY;
  const std::size_t width = fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
  if (leaf.type == Type::BOOLEAN || (!is_prefixed && width == 0)) return std::nullopt;
  std::vector<std::span<const std::uint8_t>> entries;
  while (!section.empty()) {
    if (is_prefixed && section.size() < kPrefixBytes) return std::nullopt;
    const std::size_t size =
        is_prefixed ? kPrefixBytes + std::size_t{load_le<std::uint32_t>(section.data())} : width;
    if (size > section.size()) return std::nullopt;
    entries.push_back(section.first(size));
    section = section.subspan(size);
  }
  return entries;
}

}  // namespace

std::optional<ShrinkFile::UnusedEntries> ShrinkFile::unused_entries(ChunkId chunk) {
  const auto form = form_of(chunk);
  UnusedEntries found{.chunk = chunk};
  for (const SegmentId id : segments_of(Segment::Kind::page, chunk)) {
    if (model_.segment(id).page_type != static_cast<std::int32_t>(PageType::DICTIONARY_PAGE)) continue;
    if (found.dictionary != model::kNoSegment) return std::nullopt;
    found.dictionary = id;
  }
  if (!form || found.dictionary == model::kNoSegment) return std::nullopt;
  const Tree* const header = model_.tree(found.dictionary);
  const auto stated = header == nullptr ? std::nullopt : header->number("dictionary_page_header.num_values");
  const auto image = model::open_image(model_, found.dictionary, form->leaf, form->codec, limits_);
  const auto entries = image ? entries_of(image->values, form->leaf) : std::nullopt;
  if (!stated || !entries || *stated != static_cast<std::int64_t>(entries->size())) return std::nullopt;
  std::vector<bool> used(entries->size());
  for (const SegmentId page : data_pages(chunk)) {
    const Tree* const data = model_.tree(page);
    if (data == nullptr) return std::nullopt;
    const auto encoding = data->number("data_page_header.encoding");
    const auto number = encoding ? encoding : data->number("data_page_header_v2.encoding");
    if (!number || !is_dictionary_encoding(static_cast<Encoding>(*number))) continue;
    auto indices = read_indices(model_, page, form->leaf, form->codec, limits_);
    if (!indices) return std::nullopt;  // it may use any entry
    for (const std::uint32_t index : *indices) {
      if (index < used.size()) used[index] = true;
    }
    found.pages.emplace_back(page, std::move(*indices));
  }
  std::vector<std::uint32_t> renumbered(entries->size());
  for (std::size_t i = 0; i < entries->size(); ++i) {
    renumbered[i] = found.left;
    if (!used[i]) continue;
    ++found.left;
    found.values.insert(found.values.end(), (*entries)[i].begin(), (*entries)[i].end());
  }
  if (found.left == entries->size()) return std::nullopt;
  for (auto& [page, indices] : found.pages) {
    // An index out of range remains as far out of range.
    for (std::uint32_t& index : indices) {
      index = index < renumbered.size()
                  ? renumbered[index]
                  : found.left + (index - static_cast<std::uint32_t>(renumbered.size()));
    }
  }
  return found;
}

std::vector<ShrinkFile::UnusedEntries> ShrinkFile::all_unused_entries() {
  std::vector<UnusedEntries> all;
  for (ChunkId chunk = 0; chunk < model_.chunk_count(); ++chunk) {
    if (auto unused = unused_entries(chunk)) all.push_back(std::move(*unused));
  }
  return all;
}

std::size_t ShrinkFile::dictionaries() { return all_unused_entries().size(); }

bool ShrinkFile::remove_unused_entries(std::size_t from, std::size_t count) {
  const std::vector<UnusedEntries> all = all_unused_entries();
  for (std::size_t i = from; i < from + count; ++i) {
    const UnusedEntries& one = all[i];
    const auto form = form_of(one.chunk);
    Tree* const header = model_.tree(one.dictionary);
    if (!form || header == nullptr) return false;
    const auto sum = [&] {
      std::int64_t bytes = uncompressed_bytes(*header);
      for (const auto& [page, indices] : one.pages) bytes += uncompressed_bytes(*model_.tree(page));
      return bytes;
    };
    const std::int64_t before = sum();
    model::PageImage image;
    image.values = one.values;
    if (!model::set_image(model_, one.dictionary, form->leaf, form->codec, image)) return false;
    header->set_number(*header->find("dictionary_page_header.num_values"), one.left);
    for (const auto& [page, indices] : one.pages) {
      const std::uint32_t most =
          std::max(one.left == 0 ? 0 : one.left - 1, indices.empty() ? 0 : std::ranges::max(indices));
      if (!write_indices(model_, page, form->leaf, form->codec, indices, bit_width_for(most), limits_))
        return false;
    }
    subtract(one.chunk, {}, before - sum());
  }
  return true;
}

}  // namespace parqproof
