#include "conformance/cli/input/key_json.hpp"

#include <sys/stat.h>

#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "codec/encryption/key_material.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof::cli {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxKeysBytes = std::uint64_t{16} << 20;

std::string printable_name(const std::string& name) {
  std::string out;
  for (const char c : name.substr(0, 100)) out += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  return out;
}

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

KeyJson::KeyJson(std::string option, std::string path) : option_(std::move(option)), path_(std::move(path)) {
  std::string why;
  const std::optional<std::vector<std::uint8_t>> bytes = read_input(path_, kMaxKeysBytes, why);
  if (!bytes) fail(why);
  struct stat status{};
  if (::stat(path_.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
      (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    complain(option_ + ": " + path_ + ": other users can read the keys; use chmod 600");
  bool has_duplicate = false;
  object_ = parse(*bytes, has_duplicate);
  if (object_.is_discarded()) fail("is no JSON");
  if (has_duplicate) fail("a member occurs twice");
  if (!object_.is_object()) fail("is no JSON object");
}

void KeyJson::fail(const std::string& what) const { refuse(option_ + ": " + path_ + ": " + what); }

void KeyJson::fail_of_member(const std::string& name, const std::string& expected) const {
  fail("has the member \"" + printable_name(name) + "\"; expected " + expected);
}

std::string KeyJson::named(const std::string& member, const std::string& name) {
  return member + " \"" + printable_name(name) + "\"";
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
    fail(member + " has " + std::to_string(bytes->size()) + " bytes; a key has 16, 24 or 32");
  return *std::move(bytes);
}

}  // namespace parqproof::cli
