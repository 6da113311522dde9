#pragma once

#include "conformance/values/embedded_documents.hpp"
#include "conformance/values/value_judges.hpp"

namespace parqproof {

/// logical-type/utf8, and for JSON logical-type/json: the values of a BYTE_ARRAY column are valid UTF-8.
/// Values of JSON that are valid UTF-8 are one JSON document each.
class TextJudge final : public ValueJudge {
 public:
  explicit TextJudge(bool json) noexcept : json_(json) {}
  void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) override;
  [[nodiscard]] Contrast describe(Rule rule, std::span<const std::uint8_t> value) override;

 private:
  bool json_;
  JsonGrammar grammar_;
};

/// logical-type/bson: each value of a BYTE_ARRAY column is one BSON document.
class BsonJudge final : public ValueJudge {
 public:
  void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) override;
  [[nodiscard]] Contrast describe(Rule rule, std::span<const std::uint8_t> value) override;

 private:
  BsonGrammar grammar_;
};

}  // namespace parqproof
