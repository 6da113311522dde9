#include "conformance/file_type/file_fields.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/encryption/digest.hpp"
#include "codec/page/checksum.hpp"

namespace parqproof {
namespace {

constexpr bool is_hex(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Characters of a URI, but for `%`: unreserved and reserved.
constexpr bool is_of_uri(char c) noexcept { return is_alphanumeric(c, "-._~:/?#[]@!$&'()*+,;="); }

/// Characters of a token (RFC 2045): no space, no control character, none of the separators.
constexpr bool is_of_token(char c) noexcept {
  return c > ' ' && c < 0x7F && !std::string_view("()<>@,;:\\\"/[]?=").contains(c);
}

/// Takes a token from the beginning of a text. Returns false if there is none.
bool take_token(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_of_token);
  const auto size = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(size);
  return size != 0;
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// Takes a quoted string, in which a backslash quotes the next character.
bool take_quoted(std::string_view& text) {
  if (!take(text, '"')) return false;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '"') return true;
    if (c == '\\' && !text.empty()) text.remove_prefix(1);
  }
  return false;
}

struct Algorithm {
  std::string_view name;
  ChecksumAlgorithm algorithm;
  std::size_t digits;
};
constexpr std::array<Algorithm, 5> kAlgorithms = {{
    {"ETAG", ChecksumAlgorithm::etag, 0},
    {"MD5", ChecksumAlgorithm::md5, 32},
    {"CRC32", ChecksumAlgorithm::crc32, 8},
    {"CRC32C", ChecksumAlgorithm::crc32c, 8},
    {"SHA-256", ChecksumAlgorithm::sha256, 64},
}};

/// The first index and the end of the authority of a URI; both are the end of the scheme if there is none.
std::pair<std::size_t, std::size_t> authority_of(std::string_view text) {
  const std::size_t begin = text.substr(0, text.find_first_of("/?#")).find(':') + 1;  // after the scheme
  if (!text.substr(begin).starts_with("//")) return {begin, begin};
  return {begin + 2, std::min(text.find_first_of("/?#", begin + 2), text.size())};
}

/// The index of a second `#`, or of a bracket outside of the authority; npos if there is none.
std::size_t misplaced_delimiter(std::string_view text) {
  const std::size_t fragment = text.find('#');
  const auto [authority, authority_end] = authority_of(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_bracket = text[i] == '[' || text[i] == ']';
    if ((is_bracket && (i < authority || i >= authority_end)) || (text[i] == '#' && i > fragment)) return i;
  }
  return text.npos;
}

/// The index of the fault in an authority, [userinfo@]host[:port]; npos if there is none (RFC 3986, 3.2).
std::size_t authority_fault(std::string_view text) {
  const std::size_t host = text.find('@') + 1;
  if (const std::size_t bracket = text.substr(0, host).find_first_of("[]"); bracket != text.npos)
    return bracket;
  if (const std::size_t second = text.find('@', host); second != text.npos) return second;
  std::size_t port = text.find(':', host);
  if (text.substr(host).starts_with('[')) {
    const std::size_t literal_end = text.find(']', host);
    if (literal_end == text.npos) return host;
    if (literal_end == host + 1) return literal_end;
    const std::size_t nested = text.substr(0, literal_end).find('[', host + 1);
    if (nested != text.npos) return nested;
    port = literal_end + 1;
    if (port == text.size()) return text.npos;
    if (text[port] != ':') return port;
  } else if (const std::size_t bracket = text.substr(0, port).find_first_of("[]", host);
             bracket != text.npos) {
    return bracket;
  }
  return port == text.npos ? port : text.find_first_not_of("0123456789", port + 1);
}

}  // namespace

std::optional<std::size_t> uri_fault(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return text.size();
      if (!is_hex(text[i + 1]) || !is_hex(text[i + 2])) return i;
    } else if (!is_of_uri(text[i])) {
      return i;
    }
  }
  // A colon in the first segment ends a scheme.
  const std::size_t end = std::min(text.find_first_of("/?#"), text.size());
  const std::size_t colon = text.substr(0, end).find(':');
  if (colon != text.npos) {
    if (colon == 0 || !is_letter(text.front())) return 0;
    for (std::size_t i = 1; i < colon; ++i) {
      if (!is_alphanumeric(text[i], "+-.")) return i;
    }
  }
  if (const std::size_t misplaced = misplaced_delimiter(text); misplaced != text.npos) return misplaced;
  const auto [authority, authority_end] = authority_of(text);
  const std::size_t fault = authority_fault(text.substr(authority, authority_end - authority));
  return fault == text.npos ? std::nullopt : std::optional(authority + fault);
}

bool is_media_type(std::string_view text) {
  if (!take_token(text) || !take(text, '/') || !take_token(text)) return false;
  for (;;) {
    skip_blanks(text);
    if (text.empty()) return true;
    if (!take(text, ';')) return false;
    skip_blanks(text);
    if (!take_token(text) || !take(text, '=')) return false;
    if (!take_quoted(text) && !take_token(text)) return false;
  }
}

std::optional<StoredChecksum> stored_checksum(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos || colon == 0) return std::nullopt;
  StoredChecksum out;
  out.name = text.substr(0, colon);
  out.digest = text.substr(colon + 1);
  const auto known = std::ranges::find(kAlgorithms, out.name, &Algorithm::name);
  if (known == kAlgorithms.end()) return out;
  out.algorithm = known->algorithm;
  out.digits = known->digits;
  return out;
}

bool is_lowercase_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

std::optional<std::string> digest_of(ChecksumAlgorithm algorithm, std::span<const std::uint8_t> bytes) {
  switch (algorithm) {
    case ChecksumAlgorithm::crc32:
      return hex_number(crc32(bytes));
    case ChecksumAlgorithm::crc32c:
      return hex_number(crc32c(bytes));
    case ChecksumAlgorithm::md5:
    case ChecksumAlgorithm::sha256: {
      Digest digest(algorithm == ChecksumAlgorithm::md5 ? Digest::Algorithm::md5 : Digest::Algorithm::sha256);
      digest.add(bytes);
      std::string hex = digest.hex();
      return hex.empty() ? std::nullopt : std::optional(std::move(hex));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace parqproof
