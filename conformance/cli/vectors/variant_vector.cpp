#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "codec/base/limits.hpp"
#include "conformance/cli/section/variant_input.hpp"
#include "conformance/cli/vectors/vectors.hpp"
#include "conformance/report/variant_json.hpp"
#include "conformance/section/variant_section.hpp"

namespace parqproof::cli {
namespace {

class Variant final : public VectorSubject {
 public:
  explicit Variant(std::optional<nlohmann::json> value) : value_(std::move(value)) {}

  [[nodiscard]] Outcome decode(std::span<const std::uint8_t> bytes) const override {
    Outcome outcome{judge_variant(bytes, {}), {}};
    if (!value_) return outcome;
    const std::optional<std::string> text = variant_json(bytes, {});
    if (!text) {
      outcome.difference = "the value cannot be read";
    } else if (nlohmann::json::parse(*text, nullptr, false) != *value_) {
      outcome.difference = "the value is " + *text;
    }
    return outcome;
  }

 private:
  std::optional<nlohmann::json> value_;  // nothing if it cannot be read
};

}  // namespace

MadeSubject variant_subject(Members& members) {
  const std::string type = members.text("type");
  const std::uint64_t count = members.number("count").value_or(0);
  const nlohmann::json* const values = members.find("values", false);
  if (!members.missing().empty()) return nullptr;
  if (type != kVariant || count != 1) return std::unexpected("VARIANT is one value of type VARIANT");
  if (values == nullptr || values->empty()) return std::make_unique<Variant>(std::nullopt);
  if (!values->is_array() || values->size() != 1) return std::unexpected("there is more than one value");
  if (const auto encoded = encode_variant(values->front()); !encoded) return std::unexpected(encoded.error());
  return std::make_unique<Variant>(values->front());
}

}  // namespace parqproof::cli
