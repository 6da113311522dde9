#include "conformance/cli/input/encryption_file.hpp"

#include "conformance/cli/input/key_json.hpp"

namespace parqproof::cli {
namespace {

using nlohmann::json;

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

RewriteEncryption read_encryption(const std::string& path) {
  const KeyJson file("--encryption", path);
  RewriteEncryption out;
  EncryptionOptions& form = out.form;
  std::map<std::string, std::string> metadata;
  bool has_footer_key = false;
  for (const auto& [name, value] : file.object().items()) {
    if (name == "algorithm") {
      form.page_mode = choice(file, value, name, "AES_GCM_V1", encryption::Mode::gcm, "AES_GCM_CTR_V1",
                              encryption::Mode::ctr);
    } else if (name == "footer") {
      form.encrypted_footer = choice(file, value, name, "encrypted", true, "plaintext", false);
    } else if (name == "footer_key") {
      form.footer_key.bytes = file.key(value, name);
      has_footer_key = true;
    } else if (name == "column_keys") {
      for (const auto& [column, key] : file.keys(value, name)) out.column_keys[column].bytes = key;
    } else if (name == "other_columns") {
      form.other_columns = choice(file, value, name, "footer_key", true, "plaintext", false);
    } else if (name == "footer_key_metadata") {
      form.footer_key.metadata = file.text(value, name);
    } else if (name == "column_key_metadata") {
      if (!value.is_object()) file.fail(name + " is no object of texts");
      for (const auto& [column, text] : value.items())
        metadata[column] = file.text(text, KeyJson::named(name, column));
    } else if (name == "aad_prefix") {
      form.aad_prefix = file.text(value, name);
    } else if (name == "store_aad_prefix") {
      if (!value.is_boolean()) file.fail(name + " is neither true nor false");
      form.store_aad_prefix = value.get<bool>();
    } else {
      file.fail_of_member(name,
                          "algorithm, footer, footer_key, column_keys, other_columns, footer_key_metadata, "
                          "column_key_metadata, aad_prefix and store_aad_prefix");
    }
  }
  if (!has_footer_key) file.fail("has no footer_key, which encrypts or signs the footer");
  for (const auto& [column, text] : metadata) {
    const auto key = out.column_keys.find(column);
    if (key == out.column_keys.end())
      file.fail(KeyJson::named("column_key_metadata", column) + " has no key in column_keys");
    key->second.metadata = text;
  }
  return out;
}

}  // namespace parqproof::cli
