#pragma once

#include <string>

#include "codec/rules/rule.hpp"
#include "conformance/rewrite/rewrite.hpp"

/// The options of a rewrite as words. `option` is the name of the option in complaints.
namespace parqproof {

/// Adds [COLUMN=]ENCODING, or calls refuse().
void add_encoding(const std::string& option, const std::string& text, RewriteOptions& options);
/// Sets CODEC[:LEVEL], or calls refuse().
void set_compression(const std::string& option, const std::string& text, RewriteOptions& options);

}  // namespace parqproof
