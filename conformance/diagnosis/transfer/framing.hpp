#pragma once

#include <optional>

#include "conformance/diagnosis/transfer/mangling.hpp"

namespace parqproof {

/// file/transfer-framing: the object has the framing of the transfer that stored it: aws-chunked or HTTP
/// chunked encoding, a part of multipart/form-data, or the headers of an HTTP message. Evidence: the first
/// line; and for chunks, that each ends where the next begins. Reads one line per chunk; a multipart body is
/// searched for its boundary once. The file without the framing is the trial.
[[nodiscard]] std::optional<Mangling> find_framing(const FileCheck& as_is);

}  // namespace parqproof
