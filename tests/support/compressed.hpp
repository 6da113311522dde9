#pragma once

#include "tests/support/bytes.hpp"

namespace support {

/// Output of the codecs' own libraries; a failed requirement if they fail.
[[nodiscard]] Bytes snappy_of(const Bytes& data);
[[nodiscard]] Bytes gzip_of(const Bytes& data);
/// `window`: 31 for gzip, 15 for zlib, -15 for bare deflate.
[[nodiscard]] Bytes deflate_of(const Bytes& data, int window);
[[nodiscard]] Bytes zstd_of(const Bytes& data, bool content_size = true);
[[nodiscard]] Bytes brotli_of(const Bytes& data);
[[nodiscard]] Bytes lz4_of(const Bytes& data);  ///< a bare block
[[nodiscard]] Bytes lz4_frame_of(const Bytes& data);
[[nodiscard]] Bytes lzo_of(const Bytes& data);  ///< a bare LZO1X block

}  // namespace support
