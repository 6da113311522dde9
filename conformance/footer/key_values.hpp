#pragma once

#include <string_view>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// footer/key-unique for the list of key/value pairs at `path` of the struct that `place` names.
void check_keys(FileCheck& check, const Place& place, const thrift::List& pairs, std::string_view path);

}  // namespace parqproof
