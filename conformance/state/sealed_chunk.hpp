#pragma once

#include "codec/format/column_chunk.hpp"

namespace parqproof {

/// Returns true if the column is encrypted and cannot be decrypted: by its crypto_metadata, or, where that is
/// missing, by its encrypted metadata.
[[nodiscard]] inline bool is_sealed(const ColumnChunk& chunk) noexcept {
  const bool has_sealed_metadata = chunk.fields.mentions(ColumnChunk::id_encrypted_column_metadata);
  return chunk.is_locked() || (has_sealed_metadata && !chunk.opened);
}

}  // namespace parqproof
