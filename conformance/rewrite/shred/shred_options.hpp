#pragma once

#include <cstdint>
#include <string>

#include "codec/write/variant/variant_schema.hpp"

namespace parqproof {

/// The columns that the values of a VARIANT get.
struct ShredOption {
  enum class Form : std::uint8_t {
    found,   ///< those that suit the first values
    stated,  ///< those of `type`
    none,    ///< metadata and value alone
  };

  std::string column;  ///< dotted path of the group
  Form form = Form::found;
  ShreddedType type = {};
};

}  // namespace parqproof
