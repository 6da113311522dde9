#include "fuzz/collected.hpp"

#include <algorithm>

#include "codec/rules/rule.hpp"

namespace parqproof::fuzz {
namespace {

bool same(const Error& a, const Error& b) noexcept {
  return a.rule == b.rule && a.offset == b.offset && a.length == b.length && a.found == b.found &&
         a.expected == b.expected && a.ordinal == b.ordinal;
}

std::string described(const Error& error) {
  return std::string(info(error.rule).id) + " at " + std::to_string(error.offset) + ", found " +
         std::to_string(error.found) + ", expected " + std::to_string(error.expected);
}

}  // namespace

void Collected::append(const ValueBatch& batch, std::uint32_t width) {
  const auto size = static_cast<std::size_t>(batch.count);
  count += batch.count;
  switch (batch.form) {
    case ValueBatch::Form::fixed:
      bytes.insert(bytes.end(), batch.fixed, batch.fixed + size * width);
      break;
    case ValueBatch::Form::byte_arrays:
      for (std::size_t i = 0; i < size; ++i) {
        const ByteArray& value = batch.byte_arrays[i];
        bytes.insert(bytes.end(), value.data, value.data + value.size);
        numbers.push_back(value.size);
      }
      break;
    case ValueBatch::Form::booleans:
      bytes.insert(bytes.end(), batch.booleans, batch.booleans + size);
      break;
    case ValueBatch::Form::boolean_run:
      bytes.insert(bytes.end(), size, static_cast<std::uint8_t>(batch.run));
      break;
    case ValueBatch::Form::indices:
      numbers.insert(numbers.end(), batch.indices, batch.indices + size);
      break;
    case ValueBatch::Form::index_run:
      numbers.insert(numbers.end(), size, batch.run);
      break;
  }
}

bool Collected::clean() const {
  return !error && std::ranges::all_of(notes.all(), [](const Notes::Note& note) {
    // The rules about the halves of an INT96 value are about the value, whatever its encoding.
    return info(note.error.rule).severity == Severity::info || note.error.rule == Rule::plain_int96_halves ||
           note.error.rule == Rule::plain_int96_nanos;
  });
}

bool Collected::same_findings(const Collected& other) const {
  if (error.has_value() != other.error.has_value() || (error && !same(*error, *other.error))) return false;
  return std::ranges::equal(notes.all(), other.notes.all(), [](const Notes::Note& a, const Notes::Note& b) {
    return a.times == b.times && same(a.error, b.error);
  });
}

std::string described(const Collected& collected) {
  if (collected.error) return described(*collected.error);
  return collected.notes.all().empty() ? "nothing" : described(collected.notes.all().front().error);
}

ValueBatch some_of(ValueBatch batch, std::uint64_t first, std::uint64_t count, std::uint32_t width) noexcept {
  using Form = ValueBatch::Form;
  batch.count = count;
  if (batch.form == Form::fixed) batch.fixed += first * width;
  if (batch.form == Form::byte_arrays) batch.byte_arrays += first;
  if (batch.form == Form::booleans) batch.booleans += first;
  if (batch.form == Form::indices) batch.indices += first;
  return batch;
}

std::uint64_t next_cut(std::uint8_t cuts, std::uint64_t step, std::uint64_t left) noexcept {
  if (cuts == 0) return left;
  return std::min<std::uint64_t>(left, 1 + (cuts * 0x9E3779B97F4A7C15U + step * 0xBF58476D1CE4E5B9U) % 64);
}

}  // namespace parqproof::fuzz
