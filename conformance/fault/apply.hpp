#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "conformance/fault/fault.hpp"

namespace parqproof::fault {

/// A file with a fault.
struct Faulty {
  std::vector<std::uint8_t> bytes;               ///< the complete file, unless `file` has it
  std::unique_ptr<File> file;                    ///< to be emitted; null if `bytes` is the file
  Place at;                                      ///< row group, leaf and page of the change; -1: none
  std::string place;                             ///< the changed structure: "row group 0, column 2, page 1"
  model::SegmentId segment = model::kNoSegment;  ///< the changed structure; kNoSegment: the file

  /// Writes the file in pieces. Returns false if the source cannot be read, or the sink has stopped.
  [[nodiscard]] bool write(const model::Model::Sink& sink);
};

/// Makes a copy of a file with just one fault. Of the sites that have what the fault needs, `seed` selects
/// one: the first for 0, the next one for 1, and so on, from the first again after the last. The caller keeps
/// the source alive as long as the result. The error is what the file lacks, in words.
[[nodiscard]] std::expected<Faulty, std::string> apply(const Fault& fault, const Source& source,
                                                       std::uint64_t seed = 0);

/// What a fault needs, in words: "a column chunk with a dictionary page, with statistics.max_value".
[[nodiscard]] std::string needs_of(const Fault& fault);

}  // namespace parqproof::fault
