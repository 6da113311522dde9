#include "conformance/check/broken_footer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/format/schema_element.hpp"
#include "codec/thrift/list_walk.hpp"
#include "conformance/check/cut_footer.hpp"

namespace parqproof {
namespace {

/// The FileMetaData is looked for in so many bytes around the place that its length gives it.
constexpr std::uint64_t kAround = std::uint64_t{1} << 16;
/// Places that look like its first bytes, which are read on.
constexpr unsigned kMostPlaces = 64;

/// Whether the schema of a FileMetaData that may begin there has a root: a name, and how many children it
/// has.
bool has_root(View bytes, const Limits& limits) {
  constexpr std::size_t kRoom = 512;
  std::size_t header = 4;
  if ((bytes.data()[3] >> 4) == 15) {
    while (header < std::min(bytes.size(), kRoom) && (bytes.data()[header] & 0x80) != 0) ++header;
    ++header;
  }
  if (header >= bytes.size()) return false;
  thrift::Reader element(bytes.from(header), {}, limits);
  SchemaElement root;
  return element.read(root) && element.sound() && element.faults() == 0 && root.has(SchemaElement::id_name) &&
         root.has(SchemaElement::id_num_children);
}

/// How far a FileMetaData is sound; nothing where all of it is.
std::optional<std::uint64_t> first_fault(View bytes, const Limits& limits) {
  FileMetaData meta;
  thrift::Reader reader(bytes, {}, limits);
  if (reader.read(meta) && reader.sound() && !reader.damaged()) return std::nullopt;
  return reader.offset();
}

}  // namespace

std::optional<Mangling> find_broken_footer(const FileCheck& as_is) {
  const Source& source = as_is.facts.source;
  const std::uint64_t end = source.size();
  std::array<std::uint8_t, kFooterTailBytes> tail{};
  if (end < kMinFileBytes || !source.read(end - tail.size(), tail)) return std::nullopt;
  const std::uint64_t length = load_le<std::uint32_t>(tail.data());
  if (load_le<std::uint32_t>(tail.data() + 4) != kPlainMagic || length < 4) return std::nullopt;
  const std::uint64_t footer_end = end - tail.size();
  const std::uint64_t stated = footer_end - std::min(length, footer_end);
  const std::uint64_t from = std::max(stated, kAround + kMagicBytes) - kAround;
  const std::uint64_t to = std::min(footer_end, stated + kAround);
  if (from >= to || footer_end - from > as_is.options.limits.footer_bytes()) return std::nullopt;
  Window window(source);
  const View bytes = window.view(from, footer_end - from);
  if (bytes.size() != footer_end - from) return std::nullopt;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> found;  // its offset, and how far it is sound
  unsigned places = 0;
  for (std::uint64_t at = from; at + 4 < to; ++at) {
    const View here = bytes.from(static_cast<std::size_t>(at - from));
    if (!may_be_footer(here)) continue;
    if (++places > kMostPlaces) return std::nullopt;
    if (!has_root(here, as_is.options.limits)) continue;
    if (found) return std::nullopt;  // which of them is the footer is not known
    const std::optional<std::uint64_t> sound_to = first_fault(here, as_is.options.limits);
    if (!sound_to) return std::nullopt;
    found = {at, *sound_to};
  }
  if (!found || found->first == stated) return std::nullopt;
  const bool missing = found->first > stated;
  const std::uint64_t count = missing ? found->first - stated : stated - found->first;
  const std::string what = counted(count, "byte");
  const std::uint64_t begin = std::clamp(found->second, found->first, footer_end);
  Mangling out;
  out.cause = mangling_finding(
      missing ? Rule::file_bytes_missing : Rule::file_bytes_inserted, {found->first, footer_end},
      contrast(what, "0 bytes",
               " in the footer, which begins at byte " + std::to_string(found->first) + " and has " +
                   std::to_string(footer_end - found->first) + " bytes, where the footer length says " +
                   std::to_string(length) + "; it can be read up to byte " + std::to_string(begin)));
  return out;
}

}  // namespace parqproof
