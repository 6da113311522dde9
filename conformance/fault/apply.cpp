#include "conformance/fault/apply.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "codec/format/enums.hpp"
#include "conformance/fault/changes.hpp"

namespace parqproof::fault {
namespace {

std::string_view words_of(Where where) {
  switch (where) {
    case Where::file:
      return "a file";
    case Where::footer:
      return "a footer";
    case Where::root:
      return "a root of the schema";
    case Where::group:
      return "a group of the schema";
    case Where::leaf:
      return "a leaf of the schema";
    case Where::row_group:
      return "a row group";
    case Where::chunk:
      return "a column chunk";
    case Where::metadata:
      return "a column chunk with metadata";
    case Where::page:
      return "a page";
    case Where::dictionary_page:
      return "a dictionary page";
    case Where::data_page:
      return "a data page";
    case Where::index_page:
      return "an index page of 2013";
    case Where::column_index:
      return "a column index";
    case Where::offset_index:
      return "an offset index";
    case Where::bloom_filter:
      return "a Bloom filter";
  }
  return "";
}

/// The sites that have what the fault needs; the change may still find that one lacks something.
std::vector<Site> candidates(const Fault& fault, File& file) {
  std::vector<Site> sites = file.sites(fault.where);
  std::erase_if(sites, [&](const Site& site) {
    const std::int32_t encoding = fault.change.encoding;
    const bool is_of_other =
        encoding >= 0 && static_cast<std::int32_t>(file.page_of(site).encoding) != encoding;
    return is_of_other || !fault.need->holds(file, site);
  });
  return sites;
}

Place place_of(const Fault& fault, File& file, const Site& site) {
  Place place;
  if (fault.where == Where::row_group) place.row_group = static_cast<std::int32_t>(site.index);
  if (fault.where == Where::leaf) place.leaf = static_cast<std::int32_t>(site.index);
  if (site.chunk == model::kNoChunk) return place;
  const Chunk& chunk = file.chunk_of(site);
  place.row_group = static_cast<std::int32_t>(chunk.row_group);
  place.leaf = static_cast<std::int32_t>(chunk.leaf);
  const bool is_page = fault.where == Where::page || fault.where == Where::data_page ||
                       fault.where == Where::dictionary_page || fault.where == Where::index_page;
  if (is_page)
    place.page = static_cast<std::int32_t>(std::ranges::find(chunk.pages, site.index) - chunk.pages.begin());
  return place;
}

/// The same in words.
std::string place_text(const Place& place, const Fault& fault, File& file, const Site& site) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (place.row_group >= 0) add("row group " + std::to_string(place.row_group));
  if (place.leaf >= 0)
    add("column " +
        file.schema().dotted_path(file.schema().leaf_index(static_cast<std::size_t>(place.leaf))));
  if (place.page >= 0) add("page " + std::to_string(place.page));
  if (!text.empty()) return text;
  const std::string path = file.footer().path(site.node);
  return fault.where == Where::file ? "the file" : path.empty() ? "the footer" : path;
}

}  // namespace

bool Faulty::write(const model::Model::Sink& sink) {
  if (file == nullptr) return sink(bytes);
  return file->model().emit(sink) == model::EmitEnd::complete;
}

std::string needs_of(const Fault& fault) {
  std::string text(fault.need->words.empty() ? words_of(fault.where) : fault.need->words);
  const bool is_made = fault.change.apply == apply_make || fault.change.apply == apply_text;
  if (!fault.change.path.empty() && !is_made) text += ", with the field " + std::string(fault.change.path);
  if (fault.change.encoding >= 0)
    text += ", with values in " + std::string(kEncodingEnum.name_of(fault.change.encoding));
  return text;
}

std::expected<Faulty, std::string> apply(const Fault& fault, const Source& source, std::uint64_t seed) {
  std::string why;
  std::unique_ptr<File> file = File::open(source, why);
  if (file == nullptr) return std::unexpected(why);
  if (file->footer().find("encryption_algorithm") && !info(fault.rule).id.starts_with("encryption/"))
    return std::unexpected("its footer is signed, so it can only have faults of encryption");
  const std::vector<Site> sites = candidates(fault, *file);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Site& site = sites[(seed + i) % sites.size()];
    if (i != 0 && !file->unchanged) file = File::open(source, why);
    if (file == nullptr) return std::unexpected(why);
    file->unchanged = false;
    Faulty faulty;
    faulty.at = place_of(fault, *file, site);
    faulty.segment = site.segment;
    faulty.place = place_text(faulty.at, fault, *file, site);
    if (!fault.change.apply(*file, site, fault.change)) continue;
    file->finish();
    faulty.bytes = std::move(file->bytes);
    if (faulty.bytes.empty()) faulty.file = std::move(file);
    return faulty;
  }
  return std::unexpected("it needs " + needs_of(fault));
}

}  // namespace parqproof::fault
