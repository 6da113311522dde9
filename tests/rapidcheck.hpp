#pragma once

#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

/// Runs a RapidCheck property inside a Catch2 test case; a counterexample is on stderr. (RapidCheck's own
/// header for Catch speaks version 2.)
template <typename Property>
void check_property(const std::string& sentence, Property&& property) {
  CHECK(rc::check(sentence, std::forward<Property>(property)));
}
