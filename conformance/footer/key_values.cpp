#include "conformance/footer/key_values.hpp"

#include <string>
#include <unordered_set>

namespace parqproof {

void check_keys(FileCheck& check, const Place& place, const thrift::List& pairs, std::string_view path) {
  std::unordered_set<std::string_view> keys;
  thrift::for_each<KeyValue>(pairs, check.options.limits, [&](const KeyValue& pair, std::uint32_t i) {
    if (!pair.has(KeyValue::id_key) || keys.insert(text_of(pair.key)).second) return;
    const FindingSite site{check.outcome.findings, place, check.footer.footer_from(pair.fields.offset),
                           KeyValue::kType, std::string(path) + "[" + std::to_string(i) + "]"};
    site.report(Rule::footer_key_unique, "key", contrast(text_of(pair.key), "a key of its own"));
  });
}

}  // namespace parqproof
