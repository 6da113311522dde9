#pragma once

#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "codec/base/source.hpp"
#include "codec/model/parse.hpp"
#include "tests/support/bytes.hpp"

namespace support {

/// The model of bytes that can be parsed; the caller keeps the source alive.
[[nodiscard]] inline parqproof::model::Model model_of(const parqproof::Source& source) {
  auto model = parqproof::model::parse(source);
  REQUIRE(model);
  return std::move(*model);
}

/// The file of a model.
[[nodiscard]] inline Bytes written(parqproof::model::Model& model) {
  Bytes out;
  const auto end = model.emit([&](std::span<const std::uint8_t> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
    return true;
  });
  CHECK(end == parqproof::model::EmitEnd::complete);
  return out;
}

}  // namespace support
