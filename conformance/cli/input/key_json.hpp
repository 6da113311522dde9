#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "codec/encryption/module.hpp"

/// A JSON file with keys, given by an option. Complaints name a member, and never have its value.
namespace parqproof::cli {

class KeyJson {
 public:
  /// Reads the file, in which no object has a member twice, or calls refuse(). Writes a warning to stderr if
  /// others can read it.
  KeyJson(std::string option, std::string path);

  [[nodiscard]] const nlohmann::json& object() const noexcept { return object_; }

  /// The parts of a file; each calls refuse() unless the value is one.
  [[nodiscard]] std::string text(const nlohmann::json& value, const std::string& member) const;
  /// Hex, base64:... or text:... of 16, 24 or 32 bytes.
  [[nodiscard]] encryption::Bytes key(const nlohmann::json& value, const std::string& member) const;
  [[nodiscard]] std::map<std::string, encryption::Bytes, std::less<>> keys(const nlohmann::json& value,
                                                                           const std::string& member) const;

  [[noreturn]] void fail(const std::string& what) const;
  /// Refuses a member that the file does not have; `expected` lists those that it may have.
  [[noreturn]] void fail_of_member(const std::string& name, const std::string& expected) const;
  /// A member of a member, for messages.
  [[nodiscard]] static std::string named(const std::string& member, const std::string& name);

 private:
  std::string option_;
  std::string path_;
  nlohmann::json object_;
};

}  // namespace parqproof::cli
