#pragma once

#include <stdexcept>
#include <string>

namespace parqproof {

/// An option has a wrong value; what() is the complaint.
class OptionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws an OptionError: for functions that parse the value of an option.
[[noreturn]] void refuse(const std::string& why);

}  // namespace parqproof
