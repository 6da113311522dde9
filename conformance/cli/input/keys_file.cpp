#include "conformance/cli/input/keys_file.hpp"

#include <sys/stat.h>

#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "codec/encryption/key_material.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof::cli {
namespace {

constexpr std::uint64_t kMaxKeysBytes = std::uint64_t{16} << 20;

using encryption::Bytes;
using nlohmann::json;

/// Reads the members of the object; `where_` names a member in complaints, which never have its value.
class KeysReader {
 public:
  explicit KeysReader(std::string path) : path_(std::move(path)) {}

  encryption::KeyRing run(const json& object) {
    encryption::KeyRing ring;
    if (!object.is_object()) fail("is no JSON object");
    for (const auto& [name, value] : object.items()) {
      if (name == "footer_key") {
        ring.footer_key = key(value, name);
      } else if (name == "column_keys") {
        ring.column_keys = keys(value, name);
      } else if (name == "keys") {
        ring.keys = keys(value, name);
      } else if (name == "master_keys") {
        ring.master_keys = keys(value, name);
      } else if (name == "aad_prefix") {
        if (!value.is_string()) fail("aad_prefix is no text");
        ring.aad_prefix = value.get<std::string>();
      } else {
        fail("has the member \"" + printable_name(name) +
             "\"; expected footer_key, column_keys, keys, master_keys and aad_prefix");
      }
    }
    return ring;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { refuse("--keys: " + path_ + ": " + what); }

  static std::string printable_name(const std::string& name) {
    std::string out;
    for (const char c : name.substr(0, 100))
      out += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
    return out;
  }

  std::map<std::string, Bytes, std::less<>> keys(const json& object, const std::string& member) const {
    std::map<std::string, Bytes, std::less<>> out;
    if (!object.is_object()) fail(member + " is no object of keys");
    for (const auto& [name, value] : object.items())
      out.emplace(name, key(value, member + " \"" + printable_name(name) + "\""));
    return out;
  }

  Bytes key(const json& value, const std::string& member) const {
    if (!value.is_string()) fail(member + " is no text");
    const auto text = value.get<std::string>();
    constexpr std::string_view kBase64 = "base64:";
    constexpr std::string_view kText = "text:";
    std::optional<Bytes> bytes;
    if (text.starts_with(kBase64)) {
      bytes = encryption::decode_base64(std::string_view(text).substr(kBase64.size()));
    } else if (text.starts_with(kText)) {
      bytes = Bytes(text.begin() + kText.size(), text.end());
    } else {
      bytes = bytes_of_hex(text);
    }
    if (!bytes) fail(member + " is neither hex nor base64:... nor text:...");
    if (!encryption::is_key_length(bytes->size()))
      fail(member + " has " + std::to_string(bytes->size()) + " bytes; a key has 16, 24 or 32");
    return *std::move(bytes);
  }

  std::string path_;
};

/// Parses JSON in which no object has a member twice.
json parse(const std::vector<std::uint8_t>& bytes, bool& has_duplicate) {
  std::vector<std::set<std::string>> open;
  const auto callback = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
      has_duplicate = true;
    return true;
  };
  return json::parse(bytes.begin(), bytes.end(), callback, false);
}

}  // namespace

Keys read_keys(const std::string& path) {
  std::string why;
  const std::optional<std::vector<std::uint8_t>> bytes = read_input(path, kMaxKeysBytes, why);
  if (!bytes) refuse("--keys: " + path + ": " + why);
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
      (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    complain("--keys: " + path + ": other users can read the keys; use chmod 600");
  bool has_duplicate = false;
  const json parsed = parse(*bytes, has_duplicate);
  if (parsed.is_discarded()) refuse("--keys: " + path + ": is no JSON");
  if (has_duplicate) refuse("--keys: " + path + ": a member occurs twice");
  return std::make_shared<const encryption::KeyRing>(KeysReader(path).run(parsed));
}

Keys keys_of(const std::string& path, const Keys& keys) {
  if (keys->master_keys.empty() || path == kStandardInput) return keys;
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? std::string() : path.substr(0, slash + 1);
  const std::string name = slash == path.npos ? path : path.substr(slash + 1);
  struct stat status{};
  const std::string stored = folder + "_KEY_MATERIAL_FOR_" + name + ".json";
  if (::stat(stored.c_str(), &status) != 0) return keys;
  std::string why;
  const std::optional<std::vector<std::uint8_t>> bytes = read_input(stored, kMaxKeysBytes, why);
  if (!bytes) return keys;
  const json parsed = json::parse(bytes->begin(), bytes->end(), nullptr, false);
  if (!parsed.is_object()) return keys;
  auto ring = std::make_shared<encryption::KeyRing>(*keys);
  for (const auto& [reference, material] : parsed.items()) {
    if (material.is_string()) ring->external_material.emplace(reference, material.get<std::string>());
  }
  return ring;
}

}  // namespace parqproof::cli
