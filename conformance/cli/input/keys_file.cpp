#include "conformance/cli/input/keys_file.hpp"

#include <sys/stat.h>

#include <optional>
#include <utility>

#include "codec/base/bytes.hpp"
#include "codec/encryption/key_material.hpp"
#include "conformance/cli/input/key_json.hpp"

namespace parqproof::cli {
namespace {

constexpr std::uint64_t kMaxMaterialBytes = std::uint64_t{16} << 20;

}  // namespace

Keys read_keys(const std::string& path) {
  const KeyJson file("--keys", path);
  encryption::KeyRing ring;
  ring.origin = path;
  for (const auto& [name, value] : file.object().items()) {
    if (name == "footer_key") {
      ring.footer_key = file.key(value, name);
    } else if (name == "column_keys") {
      ring.column_keys = file.keys(value, name);
    } else if (name == "keys") {
      ring.keys = file.keys(value, name);
    } else if (name == "master_keys") {
      ring.master_keys = file.keys(value, name);
    } else if (name == "aad_prefix") {
      ring.aad_prefix = file.text(value, name);
    } else {
      file.fail_of_member(name, "footer_key, column_keys, keys, master_keys and aad_prefix");
    }
  }
  return std::make_shared<const encryption::KeyRing>(std::move(ring));
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
  const std::optional<std::vector<std::uint8_t>> bytes = read_input(stored, kMaxMaterialBytes, why);
  if (!bytes) return keys;
  auto material = encryption::parse_flat_json(text_of(*bytes));
  if (!material) return keys;
  auto ring = std::make_shared<encryption::KeyRing>(*keys);
  ring->external_material = std::move(*material);
  return ring;
}

}  // namespace parqproof::cli
