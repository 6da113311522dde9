#include "codec/encryption/key_material.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace parqproof::encryption {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxMaterialBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxBase64Characters = std::size_t{16} << 20;
constexpr std::size_t kBase64Step = 4;  // characters for so many bytes:
constexpr std::size_t kBase64Bytes = 3;

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

/// Names a master key or key material, for messages.
std::string named(std::string_view what, std::string_view name) {
  constexpr std::size_t kMaxShown = 64;
  std::string out(what);
  const bool is_shown = !name.empty() && name.size() <= kMaxShown &&
                        std::ranges::all_of(name, [](char c) { return c >= ' ' && c < 0x7F && c != '"'; });
  if (is_shown) out.append(" \"").append(name).append("\"");
  return out;
}

/// Unwraps a key that a master key has wrapped: base64 of nonce, ciphertext and tag with the id of the master
/// key as AAD, as it is or in the JSON object of a local key wrap.
FoundKey unwrap_by_master(std::string_view wrapped, std::string_view id, const MasterKeys& master_keys) {
  const auto master = master_keys.find(id);
  if (master == master_keys.end())
    return std::unexpected("its key is wrapped by the " + named("master key", id) + ", which is not given");
  std::string encoded(wrapped);
  if (const auto local = parse_flat_json(wrapped)) {
    const auto at = local->find("encryptedKey");
    if (at == local->end()) return std::unexpected("its local key wrap has no encryptedKey");
    encoded = at->second;
  }
  const std::optional<Bytes> bytes = decode_base64(encoded);
  if (!bytes) return std::unexpected("its wrapped key is no base64");
  std::optional<Bytes> key = open_wrapped(master->second, bytes_of(id), *bytes);
  if (!key) key = open_wrapped(master->second, {}, *bytes);
  if (!key) return std::unexpected("the given " + named("master key", id) + " does not unwrap its key");
  return *key;
}

}  // namespace

std::optional<FlatObject> parse_flat_json(std::string_view json) {
  FlatObject members;
  std::set<std::string, std::less<>> names;
  bool is_flat = true;
  const auto take = [&](int depth, Json::parse_event_t event, Json& parsed) {
    using enum Json::parse_event_t;
    if (event == array_start || (event == object_start && depth > 0)) is_flat = false;
    if (event == key && !names.insert(parsed.get<std::string>()).second) is_flat = false;
    return is_flat;
  };
  const Json object = Json::parse(json.begin(), json.end(), take, false);
  if (!is_flat || !object.is_object()) return std::nullopt;
  for (const auto& [name, value] : object.items())
    members.emplace(name, value.is_string() ? value.get<std::string>() : value.dump());
  return members;
}

std::optional<Bytes> decode_base64(std::string_view text) {
  if (text.size() % kBase64Step != 0 || text.size() > kMaxBase64Characters) return std::nullopt;
  Bytes out(text.size() / kBase64Step * kBase64Bytes);
  const auto* const characters = reinterpret_cast<const unsigned char*>(text.data());
  const int size = EVP_DecodeBlock(out.data(), characters, static_cast<int>(text.size()));
  if (std::cmp_not_equal(size, out.size())) return std::nullopt;
  if (!out.empty()) out.resize(out.size() - (text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0));
  // The library accepts padding in the middle, and bits that belong to no byte.
  std::vector<unsigned char> again(text.size() + 1);
  EVP_EncodeBlock(again.data(), out.data(), static_cast<int>(out.size()));
  again.pop_back();
  return std::ranges::equal(again, bytes_of(text)) ? std::optional(std::move(out)) : std::nullopt;
}

FoundKey unwrap_key(std::string_view material, const MasterKeys& master_keys,
                    const ExternalMaterial& external) {
  const FoundKey none = std::unexpected("no key is given for it");
  if (material.empty() || material.size() > kMaxMaterialBytes) return none;
  auto members = parse_flat_json(material);
  if (!members) return none;
  const auto text = [&](std::string_view name) -> std::string_view {
    const auto at = members->find(name);
    return at == members->end() ? std::string_view() : std::string_view(at->second);
  };
  if (text("internalStorage") == "false" && text("wrappedDEK").empty()) {
    const std::string_view reference = text("keyReference");
    const auto stored = external.find(reference);
    if (stored == external.end())
      return std::unexpected("the file next to it has no " + named("key material", reference));
    members = parse_flat_json(stored->second);
  }
  if (!members || text("keyMaterialType") != "PKMT1")
    return std::unexpected("its key material is not of the type PKMT1");
  const bool is_double = text("doubleWrapping") == "true";
  FoundKey key =
      unwrap_by_master(text(is_double ? "wrappedKEK" : "wrappedDEK"), text("masterKeyID"), master_keys);
  if (!key) return key;
  if (is_double) {
    const std::optional<Bytes> kek_id = decode_base64(text("keyEncryptionKeyID"));
    const std::optional<Bytes> wrapped = decode_base64(text("wrappedDEK"));
    const std::optional<Bytes> data_key =
        kek_id && wrapped ? open_wrapped(*key, *kek_id, *wrapped) : std::nullopt;
    if (!data_key)
      return std::unexpected("the key encryption key of its key material does not unwrap its key");
    key = *data_key;
  }
  if (!is_key_length(key->size())) return std::unexpected("its unwrapped key has no length of AES");
  return key;
}

}  // namespace parqproof::encryption
