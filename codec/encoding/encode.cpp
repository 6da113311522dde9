#include "codec/encoding/encode.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "codec/encoding/any_encoder.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/table.hpp"

namespace parqproof {
namespace {

using Form = ValueBatch::Form;

constexpr unsigned kMaxVarintBytes = 10;  // of a 64-bit number
// Max bytes of a batch of copies, unless one value is longer.
constexpr std::uint64_t kCopiedBytes = 1U << 16;

template <typename Encoder>
concept TakesRuns = requires(Encoder& encoder, const ValueBatch& value) { encoder.add_run(value, 1); };

// Makes a run of the first boolean or index of a batch.
ValueBatch run_of(const ValueBatch& value, std::uint64_t count) noexcept {
  const bool boolean = value.form == Form::booleans || value.form == Form::boolean_run;
  ValueBatch run;
  run.form = boolean ? Form::boolean_run : Form::index_run;
  run.count = count;
  run.run = value.form == Form::booleans  ? *value.booleans
            : value.form == Form::indices ? *value.indices
                                          : value.run;
  return run;
}

// Adds the first value of a batch `count` times, in batches: for encodings that write each value.
template <typename Encoder>
EncodeStatus add_copies(Encoder& encoder, const ValueBatch& value, std::uint64_t count, std::uint32_t width) {
  const auto most =
      std::min(count, std::clamp<std::uint64_t>(kCopiedBytes / std::max(width, 1U), 1, kBatchValues));
  std::vector<std::uint8_t> bytes;
  std::vector<ByteArray> windows;
  ValueBatch copies;
  copies.form = value.form;
  if (value.form == Form::fixed) {
    append_copies(bytes, {value.fixed, width}, most);
    copies.fixed = bytes.data();
  } else {
    windows.assign(static_cast<std::size_t>(most), *value.byte_arrays);
    copies.byte_arrays = windows.data();
  }
  for (std::uint64_t left = count; left != 0; left -= copies.count) {
    copies.count = std::min(left, most);
    if (const EncodeStatus added = encoder.add(copies); !added) return added;
  }
  return {};
}

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

// Returns call(encoder) for the open section. A failure ends the section.
template <typename Call>
EncodeStatus ValueEncoder::in_section(Call call) {
  const EncodeStatus status = any_->visit(call);
  if (!status) any_->encoder.emplace<std::monostate>();
  return status;
}

// Counts values and fails above the max of a section.
EncodeStatus ValueEncoder::count_in(std::uint64_t count) noexcept {
  if (count > UINT32_MAX - count_) return std::unexpected("more than 4294967295 values in a section");
  count_ += count;
  return {};
}

EncodeStatus ValueEncoder::open(Encoding encoding, const NewSection& section) {
  bare_ = section.options.empty_header ? nullptr : &section.out;
  start_ = section.out.size();
  EncodeStatus status = check_options(section.options);
  if (status) status = find_encoding(encoding)->codec(section.type).open_encoder(*any_, section);
  if (!status) any_->encoder.emplace<std::monostate>();
  width_ = fixed_width(section.type, section.type_length);
  count_ = 0;
  return status;
}

EncodeStatus ValueEncoder::add(const ValueBatch& batch) {
  return in_section([&](auto& encoder) -> EncodeStatus {
    if (const EncodeStatus counted = count_in(batch.count); !counted) return counted;
    return encoder.add(batch);
  });
}

EncodeStatus ValueEncoder::add_run(const ValueBatch& value, std::uint64_t count) {
  if (count == 0) return {};
  if (value.form != Form::fixed && value.form != Form::byte_arrays) return add(run_of(value, count));
  return in_section([&](auto& encoder) -> EncodeStatus {
    if (const EncodeStatus counted = count_in(count); !counted) return counted;
    if constexpr (TakesRuns<std::remove_reference_t<decltype(encoder)>>) {
      return encoder.add_run(value, count);
    } else {
      return add_copies(encoder, value, count, width_);
    }
  });
}

EncodeStatus ValueEncoder::finish() {
  EncodeStatus status = in_section([](auto& encoder) { return encoder.finish(); });
  if (status && bare_ != nullptr && count_ == 0) bare_->resize(start_);
  return status;
}

EncodeStatus encode_values(Encoding encoding, const NewSection& section, const ValueBatch& values) {
  ValueEncoder encoder;
  if (const EncodeStatus opened = encoder.open(encoding, section); !opened) return opened;
  if (const EncodeStatus added = encoder.add(values); !added) return added;
  return encoder.finish();
}

}  // namespace parqproof
