#include "conformance/options/key_files.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/base/text.hpp"
#include "codec/encryption/key_material.hpp"
#include "codec/encryption/module.hpp"
#include "conformance/options/nearest.hpp"
#include "conformance/options/refuse.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxMaterialBytes = std::uint64_t{16} << 20;

/// A name in quotes. One that is as long as a key is not shown, for it may be a key that was exchanged with
/// its name.
std::string shown_name(const std::string& name) {
  if (name.size() >= encryption::kMinKeyBytes) return "with a name of " + counted(name.size(), "character");
  std::string out = "\"";
  for (const char c : name) out += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  return out + "\"";
}

/// Parses JSON in which no object has a member twice.
json parse(std::string_view text, bool& has_duplicate) {
  std::vector<std::set<std::string>> open;
  const auto callback = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
      has_duplicate = true;
    return true;
  };
  return json::parse(text, callback, false);
}

/// A JSON object with keys.
class KeyJson {
 public:
  /// Parses the text, or calls refuse().
  KeyJson(std::string_view text, std::string name);

  [[nodiscard]] const json& object() const noexcept { return object_; }

  /// The parts of a file; each calls refuse() unless the value is one.
  [[nodiscard]] std::string text(const json& value, const std::string& member) const;
  /// Hex, base64:... or text:... of 16, 24 or 32 bytes.
  [[nodiscard]] encryption::Bytes key(const json& value, const std::string& member) const;
  [[nodiscard]] std::map<std::string, encryption::Bytes, std::less<>> keys(const json& value,
                                                                           const std::string& member) const;
  [[nodiscard]] std::map<std::string, std::string> texts(const json& value, const std::string& member) const;

  [[noreturn]] void fail(const std::string& what) const;
  /// Refuses the first member of the file that is not one of `known`.
  void require_members_of(const std::vector<std::string>& known) const;
  /// A member of a member, for messages.
  [[nodiscard]] static std::string named(const std::string& member, const std::string& name);

 private:
  std::string name_;
  json object_;
};

KeyJson::KeyJson(std::string_view text, std::string name) : name_(std::move(name)) {
  bool has_duplicate = false;
  object_ = parse(text, has_duplicate);
  if (object_.is_discarded()) fail("is no JSON");
  if (has_duplicate) fail("a member occurs twice");
  if (!object_.is_object()) fail("is no JSON object");
}

void KeyJson::fail(const std::string& what) const { refuse(name_ + ": " + what); }

void KeyJson::require_members_of(const std::vector<std::string>& known) const {
  for (const auto& [name, value] : object_.items()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string expected = did_you_mean(name, known);
    if (expected.empty()) {
      for (const std::string& one : known)
        expected += (one == known.front() ? "; expected " : one == known.back() ? " and " : ", ") + one;
    }
    fail("has the member " + shown_name(name) + expected);
  }
}

std::string KeyJson::named(const std::string& member, const std::string& name) {
  return member + " " + shown_name(name);
}

std::string KeyJson::text(const json& value, const std::string& member) const {
  if (!value.is_string()) fail(member + " is no text");
  return value.get<std::string>();
}

std::map<std::string, encryption::Bytes, std::less<>> KeyJson::keys(const json& value,
                                                                    const std::string& member) const {
  std::map<std::string, encryption::Bytes, std::less<>> out;
  if (!value.is_object()) fail(member + " is no object of keys");
  for (const auto& [name, one] : value.items()) out.emplace(name, key(one, named(member, name)));
  return out;
}

std::map<std::string, std::string> KeyJson::texts(const json& value, const std::string& member) const {
  std::map<std::string, std::string> out;
  if (!value.is_object()) fail(member + " is no object of texts");
  for (const auto& [name, one] : value.items()) out.emplace(name, text(one, named(member, name)));
  return out;
}

encryption::Bytes KeyJson::key(const json& value, const std::string& member) const {
  const std::string written = text(value, member);
  constexpr std::string_view kBase64 = "base64:";
  constexpr std::string_view kText = "text:";
  std::optional<encryption::Bytes> bytes;
  if (written.starts_with(kBase64)) {
    bytes = encryption::decode_base64(std::string_view(written).substr(kBase64.size()));
  } else if (written.starts_with(kText)) {
    bytes = encryption::Bytes(written.begin() + kText.size(), written.end());
  } else {
    bytes = bytes_of_hex(written);
  }
  if (!bytes) fail(member + " is neither hex nor base64:... nor text:...");
  if (!encryption::is_key_length(bytes->size()))
    fail(member + " has " + counted(bytes->size(), "byte") + "; a key has 16, 24 or 32");
  return *std::move(bytes);
}

/// The words of a member, and what each means.
template <typename Value>
Value choice(const KeyJson& file, const json& value, const std::string& member, const std::string& first,
             Value if_first, const std::string& second, Value if_second) {
  const std::string word = file.text(value, member);
  if (word == first) return if_first;
  if (word != second) file.fail(member + " is neither " + first + " nor " + second);
  return if_second;
}

}  // namespace

Keys keys_of_json(std::string_view text, const std::string& name) {
  const KeyJson file(text, name);
  file.require_members_of({"footer_key", "column_keys", "keys", "master_keys", "aad_prefix"});
  encryption::KeyRing ring;
  for (const auto& [member, value] : file.object().items()) {
    if (member == "footer_key") {
      ring.footer_key = file.key(value, member);
    } else if (member == "column_keys") {
      ring.column_keys = file.keys(value, member);
    } else if (member == "keys") {
      ring.keys = file.keys(value, member);
    } else if (member == "master_keys") {
      ring.master_keys = file.keys(value, member);
    } else {
      ring.aad_prefix = file.text(value, member);
    }
  }
  return std::make_shared<const encryption::KeyRing>(std::move(ring));
}

RewriteEncryption encryption_of_json(std::string_view text, const std::string& name) {
  const KeyJson file(text, name);
  file.require_members_of({"algorithm", "footer", "footer_key", "column_keys", "other_columns",
                           "footer_key_metadata", "column_key_metadata", "aad_prefix", "store_aad_prefix"});
  RewriteEncryption out;
  EncryptionOptions& form = out.form;
  std::map<std::string, std::string> metadata;
  bool has_footer_key = false;
  for (const auto& [member, value] : file.object().items()) {
    if (member == "algorithm") {
      form.page_mode = choice(file, value, member, "AES_GCM_V1", encryption::Mode::gcm, "AES_GCM_CTR_V1",
                              encryption::Mode::ctr);
    } else if (member == "footer") {
      form.encrypted_footer = choice(file, value, member, "encrypted", true, "plaintext", false);
    } else if (member == "footer_key") {
      form.footer_key.bytes = file.key(value, member);
      has_footer_key = true;
    } else if (member == "column_keys") {
      for (const auto& [column, key] : file.keys(value, member)) out.column_keys[column].bytes = key;
    } else if (member == "other_columns") {
      form.other_columns = choice(file, value, member, "footer_key", true, "plaintext", false);
    } else if (member == "footer_key_metadata") {
      form.footer_key.metadata = file.text(value, member);
    } else if (member == "column_key_metadata") {
      metadata = file.texts(value, member);
    } else if (member == "aad_prefix") {
      form.aad_prefix = file.text(value, member);
    } else {
      if (!value.is_boolean()) file.fail(member + " is neither true nor false");
      form.store_aad_prefix = value.get<bool>();
    }
  }
  if (!has_footer_key) file.fail("has no footer_key, which encrypts or signs the footer");
  for (auto& [column, one] : metadata) {
    const auto key = out.column_keys.find(column);
    if (key == out.column_keys.end())
      file.fail(KeyJson::named("column_key_metadata", column) + " has no key in column_keys");
    key->second.metadata = one;
  }
  return out;
}

Keys keys_for_file(const std::string& path, const Keys& keys) {
  if (keys == nullptr || keys->master_keys.empty()) return keys;
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? std::string() : path.substr(0, slash + 1);
  const std::string name = slash == path.npos ? path : path.substr(slash + 1);
  std::string why;
  const std::unique_ptr<Source> stored =
      FileSource::open(folder + "_KEY_MATERIAL_FOR_" + name + ".json", why);
  if (stored == nullptr || stored->size() > kMaxMaterialBytes) return keys;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(stored->size()));
  if (!stored->read(0, bytes)) return keys;
  std::optional<encryption::FlatObject> material = encryption::parse_flat_json(text_of(bytes));
  if (!material) return keys;
  auto ring = std::make_shared<encryption::KeyRing>(*keys);
  ring->external_material = *std::move(material);
  return ring;
}

}  // namespace parqproof
