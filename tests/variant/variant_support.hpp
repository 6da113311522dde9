#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/rules/rule.hpp"
#include "codec/variant/assembly.hpp"

namespace parqproof {

using Bytes = std::vector<std::uint8_t>;

/// The bytes of hex digits; blanks separate them.
inline Bytes from_hex(std::string_view text) {
  Bytes bytes;
  std::string digits;
  for (const char c : text) {
    if (c == ' ') continue;
    digits += c;
    if (digits.size() < 2) continue;
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits, nullptr, 16)));
    digits.clear();
  }
  return bytes;
}

/// A violation: the id of its rule, the offset and length of the bytes at fault, the path.
using Violation = std::tuple<std::string, std::uint64_t, std::size_t, std::string>;

class Collected final : public variant::RowFaults {
 public:
  bool count(Rule rule) override { return wants(rule); }
  void describe(variant::Fault fault) override {
    all.emplace_back(std::string(info(fault.rule).id), fault.at.base, fault.at.size(), fault.path);
  }
  bool wants(Rule rule) const override { return with_advice || info(rule).severity != Severity::info; }
  void at_column(std::size_t) override {}
  void at_levels(std::size_t) override {}

  bool with_advice = false;
  std::vector<Violation> all;
};

}  // namespace parqproof
