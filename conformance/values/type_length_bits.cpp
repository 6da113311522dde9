#include <cstdint>

#include "codec/base/bits.hpp"
#include "conformance/values/value_observers.hpp"

namespace parqproof {
namespace {

class TypeLengthBits final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage&) override {
    const bool integer = scope.leaf.type == Type::INT32 || scope.leaf.type == Type::INT64;
    const std::int32_t all = scope.leaf.type == Type::INT32 ? 32 : 64;
    bits_ = scope.leaf.type_length;
    const bool asked = integer && bits_ > 0 && bits_ < all && scope.site.wants(Rule::schema_type_length_bits);
    return {.dictionary = asked, .values = asked};
  }
  void dictionary(const ValueSection& section, const ValueBatch& batch) override { values(section, batch); }

  void values(const ValueSection& section, const ValueBatch& batch) override {
    if (batch.form != ValueBatch::Form::fixed) return;
    const bool narrow = section.spec.type == Type::INT32;
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      const std::int64_t value = narrow ? std::int64_t{load_le<std::int32_t>(batch.fixed + i * 4)}
                                        : load_le<std::int64_t>(batch.fixed + i * 8);
      const std::int64_t top = value >> (bits_ - 1);
      if (top == 0 || top == -1 || value >> bits_ == 0) continue;
      const View at = section.place_of(batch, i);
      Error error;
      error.offset = at.base;
      error.length = static_cast<std::uint32_t>(at.size());
      error.space = at.space;
      error.found = value;
      error.expected = bits_;
      section.notes.add(Rule::schema_type_length_bits, error);
    }
  }

 private:
  std::int32_t bits_ = 0;
};

}  // namespace

std::unique_ptr<ChunkObserver> type_length_bits() { return std::make_unique<TypeLengthBits>(); }

}  // namespace parqproof
