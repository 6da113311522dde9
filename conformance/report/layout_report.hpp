#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "conformance/report/layout.hpp"
#include "conformance/report/out.hpp"

namespace parqproof {

/// Bytes that a listing of bytes points at.
struct Mark {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// The byte map as a table, or with every byte and what it is; runs that `marks` touch have a `>` before
/// them.
void write_layout_text(const Source& source, const Layout& layout, const std::string& path, Out& out);
void write_annotated_bytes(const Source& source, const Layout& layout, const std::vector<Mark>& marks,
                           Out& out);

/// The byte map as JSON; with `bytes`, each segment has its `runs`.
void write_layout_json(const Source& source, const Layout& layout, const std::string& path, bool bytes,
                       Out& out);

}  // namespace parqproof
