#include "codec/encryption/module.hpp"

#include <string_view>

#include "codec/base/bits.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof::encryption {
namespace {

void append_ordinal(Bytes& out, std::int32_t ordinal) {
  const auto bits = static_cast<std::uint32_t>(ordinal);
  out.push_back(static_cast<std::uint8_t>(bits));
  out.push_back(static_cast<std::uint8_t>(bits >> 8));
}

std::string of_chunk(std::string_view what, const ModulePlace& place) {
  return std::string(what) + " of column " + std::to_string(place.column) + " in row group " +
         std::to_string(place.row_group);
}

}  // namespace

std::string describe(const ModulePlace& place) {
  const std::string page = "data page " + std::to_string(place.page);
  switch (place.type) {
    case ModuleType::footer:
      return "the footer";
    case ModuleType::column_metadata:
      return of_chunk("the metadata", place);
    case ModuleType::data_page:
      return of_chunk(page, place);
    case ModuleType::dictionary_page:
      return of_chunk("the dictionary page", place);
    case ModuleType::data_page_header:
      return of_chunk("the header of " + page, place);
    case ModuleType::dictionary_page_header:
      return of_chunk("the header of the dictionary page", place);
    case ModuleType::column_index:
      return of_chunk("the column index", place);
    case ModuleType::offset_index:
      return of_chunk("the offset index", place);
    case ModuleType::bloom_filter_header:
      return of_chunk("the header of the Bloom filter", place);
    case ModuleType::bloom_filter_bitset:
      break;
  }
  return of_chunk("the bitset of the Bloom filter", place);
}

void make_aad(std::span<const std::uint8_t> common, const ModulePlace& place, Bytes& out) {
  out.assign(common.begin(), common.end());
  out.push_back(static_cast<std::uint8_t>(place.type));
  if (place.type == ModuleType::footer) return;
  append_ordinal(out, place.row_group);
  append_ordinal(out, place.column);
  if (has_page_ordinal(place.type)) append_ordinal(out, place.page);
}

Result<Module> cut_module(View bytes, Mode mode) {
  const std::uint64_t smallest = kNonceBytes + (mode == Mode::gcm ? kTagBytes : 0);
  const bool has_length = bytes.size() >= kModuleLengthBytes;
  const std::uint64_t room = has_length ? bytes.size() - kModuleLengthBytes : 0;
  const std::uint64_t length = has_length ? load_le<std::uint32_t>(bytes.data()) : 0;
  // encryption/module-length
  if (!has_length || length < smallest || length > room) {
    const View at = bytes.part(0, has_length ? kModuleLengthBytes : bytes.size());
    Error error = Error::at(Rule::encryption_module_length, at, has_length ? length : bytes.size(), room);
    if (!has_length || length < smallest) error.expected = -static_cast<std::int64_t>(smallest);
    return std::unexpected(error);
  }
  return cut_module_of(bytes, length, mode);
}

Module cut_module_of(View bytes, std::uint64_t length, Mode mode) {
  Module module;
  module.length = kModuleLengthBytes + length;
  module.nonce = bytes.part(kModuleLengthBytes, kNonceBytes);
  const auto content = static_cast<std::size_t>(module.length - frame_bytes(mode));
  module.ciphertext = bytes.part(kModuleHeadBytes, content);
  if (mode == Mode::gcm) module.tag = bytes.part(kModuleHeadBytes + content, kTagBytes);
  return module;
}

bool append_module(Aes& key, Mode mode, std::span<const std::uint8_t, kNonceBytes> nonce,
                   std::span<const std::uint8_t> aad, std::span<const std::uint8_t> plaintext, Bytes& out) {
  const std::size_t at = out.size();
  const std::size_t length = kNonceBytes + plaintext.size() + (mode == Mode::gcm ? kTagBytes : 0);
  out.resize(at + kModuleLengthBytes + length);
  std::uint8_t* to = out.data() + at;
  for (std::size_t i = 0; i < kModuleLengthBytes; ++i) to[i] = static_cast<std::uint8_t>(length >> (8 * i));
  for (std::size_t i = 0; i < kNonceBytes; ++i) to[kModuleLengthBytes + i] = nonce[i];
  to += kModuleHeadBytes;
  if (mode == Mode::ctr) return key.apply_ctr(nonce, plaintext, to);
  Tag tag;
  if (!key.seal(nonce, aad, plaintext, to, tag)) return false;
  for (std::size_t i = 0; i < kTagBytes; ++i) to[plaintext.size() + i] = tag[i];
  return true;
}

}  // namespace parqproof::encryption
