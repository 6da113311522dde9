#include "codec/encryption/key_material.hpp"

#include <array>
#include <cctype>
#include <utility>

namespace parqproof::encryption {
namespace {

constexpr std::size_t kMaxMaterialBytes = std::size_t{64} << 10;

/// Reads a flat JSON object. Key material has ASCII texts, so \u escapes above it are refused.
class FlatJson {
 public:
  explicit FlatJson(std::string_view text) : rest_(text) {}

  std::optional<std::map<std::string, std::string, std::less<>>> run() {
    std::map<std::string, std::string, std::less<>> members;
    if (!take('{')) return std::nullopt;
    if (!take('}')) {
      do {
        std::optional<std::string> name = string();
        if (!name || !take(':')) return std::nullopt;
        std::optional<std::string> value = next() == '"' ? string() : word();
        if (!value || !members.emplace(std::move(*name), std::move(*value)).second) return std::nullopt;
      } while (take(','));
      if (!take('}')) return std::nullopt;
    }
    return next() == 0 && rest_.empty() ? std::optional(std::move(members)) : std::nullopt;
  }

 private:
  char next() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool take(char wanted) {
    if (next() != wanted || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::optional<std::string> word() {
    const std::size_t end = rest_.find_first_of(",}{[\"");
    if (end == 0 || end == rest_.npos || rest_[end] == '{' || rest_[end] == '[') return std::nullopt;
    std::string out(rest_.substr(0, end));
    rest_.remove_prefix(end);
    while (!out.empty() && std::isspace(static_cast<unsigned char>(out.back())) != 0) out.pop_back();
    return out;
  }
  std::optional<std::string> string() {
    if (!take('"')) return std::nullopt;
    std::string out;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return out;
      if (c != '\\') {
        out.push_back(c);
        continue;
      }
      if (!escape(out)) return std::nullopt;
    }
    return std::nullopt;
  }
  bool escape(std::string& out) {
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) return false;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (const std::size_t at = kEscapes.find(c); at != kEscapes.npos) {
      out.push_back(kMeant[at]);
      return true;
    }
    if (c != 'u' || rest_.size() < 4 || rest_.substr(0, 2) != "00") return false;
    constexpr std::string_view kDigits = "0123456789abcdef";
    unsigned value = 0;
    for (const char digit : rest_.substr(2, 2)) {
      const std::size_t at = kDigits.find(static_cast<char>(std::tolower(static_cast<unsigned char>(digit))));
      if (at == kDigits.npos) return false;
      value = value * 16 + static_cast<unsigned>(at);
    }
    rest_.remove_prefix(4);
    if (value >= 0x80) return false;
    out.push_back(static_cast<char>(value));
    return true;
  }

  std::string_view rest_;
};

/// Opens nonce, ciphertext and tag.
std::optional<Bytes> open_wrapped(std::span<const std::uint8_t> key, std::span<const std::uint8_t> aad,
                                  const Bytes& wrapped) {
  if (wrapped.size() < kNonceBytes + kTagBytes) return std::nullopt;
  const std::span<const std::uint8_t> all(wrapped);
  Bytes out(wrapped.size() - kNonceBytes - kTagBytes);
  Aes aes(key);
  if (!aes.open(all.first<kNonceBytes>(), aad, all.subspan(kNonceBytes, out.size()), all.last<kTagBytes>(),
                out.data()))
    return std::nullopt;
  return out;
}

/// Unwraps a key that a master key has wrapped: base64 of nonce, ciphertext and tag with the id of the master
/// key as AAD, as it is or in the JSON object of a local key wrap.
std::optional<Bytes> unwrap_by_master(std::string_view wrapped, std::string_view id,
                                      const MasterKeys& master_keys) {
  const auto master = master_keys.find(id);
  if (master == master_keys.end()) return std::nullopt;
  std::string encoded(wrapped);
  if (const auto local = parse_flat_json(wrapped)) {
    const auto at = local->find("encryptedKey");
    if (at == local->end()) return std::nullopt;
    encoded = at->second;
  }
  const std::optional<Bytes> bytes = decode_base64(encoded);
  if (!bytes) return std::nullopt;
  std::optional<Bytes> key = open_wrapped(master->second, bytes_of(id), *bytes);
  if (!key) key = open_wrapped(master->second, {}, *bytes);
  return key;
}

}  // namespace

std::optional<std::map<std::string, std::string, std::less<>>> parse_flat_json(std::string_view json) {
  if (json.size() > kMaxMaterialBytes) return std::nullopt;
  return FlatJson(json).run();
}

std::optional<Bytes> decode_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  text.remove_suffix(padding);
  Bytes out;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out.push_back(static_cast<std::uint8_t>(bits >> held));
    bits &= (1U << held) - 1;
  }
  return bits == 0 ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Bytes> unwrap_key(std::string_view material, const MasterKeys& master_keys,
                                const ExternalMaterial& external) {
  auto members = parse_flat_json(material);
  if (!members) return std::nullopt;
  const auto text = [&](std::string_view name) -> std::string_view {
    const auto at = members->find(name);
    return at == members->end() ? std::string_view() : std::string_view(at->second);
  };
  if (text("internalStorage") == "false" && text("wrappedDEK").empty()) {
    const auto stored = external.find(text("keyReference"));
    if (stored == external.end()) return std::nullopt;
    members = parse_flat_json(stored->second);
    if (!members) return std::nullopt;
  }
  if (text("keyMaterialType") != "PKMT1") return std::nullopt;
  std::optional<Bytes> key;
  if (text("doubleWrapping") == "true") {
    const std::optional<Bytes> kek = unwrap_by_master(text("wrappedKEK"), text("masterKeyID"), master_keys);
    const std::optional<Bytes> kek_id = decode_base64(text("keyEncryptionKeyID"));
    const std::optional<Bytes> wrapped = decode_base64(text("wrappedDEK"));
    if (kek && kek_id && wrapped) key = open_wrapped(*kek, *kek_id, *wrapped);
  } else {
    key = unwrap_by_master(text("wrappedDEK"), text("masterKeyID"), master_keys);
  }
  return key && is_key_length(key->size()) ? key : std::nullopt;
}

}  // namespace parqproof::encryption
