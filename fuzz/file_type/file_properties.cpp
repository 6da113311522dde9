// The property of the fields of FILE: whatever a text is, faults are inside it, what is legal stays legal
// with legal additions, and digests have the form of a checksum.
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "conformance/file_type/file_fields.hpp"
#include "fuzz/property.hpp"

namespace parqproof::fuzz {
namespace {

bool is_plain(std::string_view text) {
  for (const char c : text) {
    if (c <= ' ' || c >= 0x7F) return false;
  }
  return true;
}

std::string uri_property(std::string_view text) {
  const std::optional<std::size_t> fault = uri_fault(text);
  if (!fault) {
    if (!is_plain(text)) return "a URI has a blank or a byte beyond ASCII";
    // What follows a fragment is part of it, and a bracket or a slash can end a host.
    const bool has_path = !text.contains('#') && !text.contains('[');
    if (has_path && uri_fault(std::string(text) + "/a%20b?c#d")) return "a URI with another path is none";
    return {};
  }
  if (*fault > text.size()) return "the fault of a URI is outside of it";
  // Characters are judged before a scheme, which ends with a colon, and before delimiters.
  const std::optional<std::size_t> before = uri_fault(text.substr(0, *fault));
  const bool has_more = text.find_first_of(":#[]@") != text.npos;
  if (before && *before < *fault && !has_more) return "a URI has a fault before its first one";
  return {};
}

std::string media_type_property(std::string_view text) {
  if (!is_media_type(text)) return {};
  if (!text.contains('/')) return "a media type has no slash";
  for (const std::string_view more : {"; a=b", ";a=\"b;\\\"c\"", " ;\ta=b "}) {
    if (!is_media_type(std::string(text) + std::string(more))) return "a media type with a parameter is none";
  }
  for (const std::string_view more : {";", "; a", "; a=", "/"}) {
    if (is_media_type(std::string(text) + std::string(more)))
      return "a media type has an incomplete parameter";
  }
  return {};
}

std::string checksum_property(std::string_view text, std::span<const std::uint8_t> bytes) {
  const std::optional<StoredChecksum> stored = stored_checksum(text);
  if (stored && std::string(stored->name) + ":" + std::string(stored->digest) != text)
    return "the parts of a checksum are not the text";
  static constexpr std::array<std::pair<const char*, ChecksumAlgorithm>, 4> kComputed = {
      {{"MD5", ChecksumAlgorithm::md5},
       {"CRC32", ChecksumAlgorithm::crc32},
       {"CRC32C", ChecksumAlgorithm::crc32c},
       {"SHA-256", ChecksumAlgorithm::sha256}}};
  for (const auto& [name, algorithm] : kComputed) {
    const std::optional<std::string> digest = digest_of(algorithm, bytes);
    if (!digest || !is_lowercase_hex(*digest)) return "a digest is no lowercase hex";
    const std::string written = std::string(name) + ":" + *digest;
    const std::optional<StoredChecksum> read = stored_checksum(written);
    if (!read || read->algorithm != algorithm || read->digits != digest->size())
      return "a digest is no checksum of its algorithm";
    if (bytes.empty()) continue;
    std::vector<std::uint8_t> other(bytes.begin(), bytes.end());
    other.back() ^= 1;
    if (digest_of(algorithm, other) == digest) return "a changed bit does not change a digest";
  }
  if (digest_of(ChecksumAlgorithm::etag, bytes) || digest_of(ChecksumAlgorithm::unknown, bytes))
    return "an opaque checksum is computed";
  return {};
}

std::string file_fields_fault(std::span<const std::uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string fault = uri_property(text);
  if (fault.empty()) fault = media_type_property(text);
  return fault.empty() ? checksum_property(text, bytes) : fault;
}

}  // namespace

void add_file_type_properties(std::vector<Property>& properties) {
  properties.push_back({"file_fields", file_fields_fault});
}

}  // namespace parqproof::fuzz
