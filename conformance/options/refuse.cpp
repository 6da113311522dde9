#include "conformance/options/refuse.hpp"

namespace parqproof {

void refuse(const std::string& why) { throw OptionError(why); }

}  // namespace parqproof
