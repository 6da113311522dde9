#include "codec/encoding/encode.hpp"

#include "codec/encoding/any_encoder.hpp"
#include "codec/encoding/table.hpp"

namespace parqproof {
namespace {

constexpr unsigned kMaxVarintBytes = 10;  // of a number of 64 bits

}  // namespace

ValueEncoder::ValueEncoder() : any_(std::make_unique<AnyEncoder>()) {}
ValueEncoder::~ValueEncoder() = default;
ValueEncoder::ValueEncoder(ValueEncoder&&) noexcept = default;
ValueEncoder& ValueEncoder::operator=(ValueEncoder&&) noexcept = default;

EncodeStatus check_options(const EncodeOptions& options) noexcept {
  if (options.varint_bytes == 0 || options.varint_bytes > kMaxVarintBytes) {
    return std::unexpected("a ULEB128 number takes 1 to 10 bytes");
  }
  if (options.longest_run == 0 || options.longest_run > INT32_MAX) {
    return std::unexpected("a run has 1 to 2147483647 values");
  }
  return {};
}

EncodeStatus ValueEncoder::open(Encoding encoding, const NewSection& section) {
  if (const EncodeStatus valid = check_options(section.options); !valid) return valid;
  return find_encoding(encoding)->codec(section.type).open_encoder(*any_, section);
}

EncodeStatus ValueEncoder::add(const ValueBatch& batch) {
  return any_->visit([&](auto& encoder) { return encoder.add(batch); });
}

EncodeStatus ValueEncoder::finish() {
  return any_->visit([](auto& encoder) { return encoder.finish(); });
}

EncodeStatus encode_values(Encoding encoding, const NewSection& section, const ValueBatch& values) {
  ValueEncoder encoder;
  if (const EncodeStatus opened = encoder.open(encoding, section); !opened) return opened;
  if (const EncodeStatus added = encoder.add(values); !added) return added;
  return encoder.finish();
}

}  // namespace parqproof
