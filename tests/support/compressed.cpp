#include "tests/support/compressed.hpp"

#include <brotli/encode.h>
#include <lz4.h>
#include <lz4frame.h>
#include <lzo/lzo1x.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace support {
namespace {

template <typename T>
T* as(std::uint8_t* bytes) {
  return reinterpret_cast<T*>(bytes);
}
template <typename T>
const T* as(const std::uint8_t* bytes) {
  return reinterpret_cast<const T*>(bytes);
}

}  // namespace

Bytes snappy_of(const Bytes& data) {
  std::string out;
  snappy::Compress(as<char>(data.data()), data.size(), &out);
  return {out.begin(), out.end()};
}

Bytes deflate_of(const Bytes& data, int window) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  Bytes out(deflateBound(&stream, data.size()) + 32);
  Bytes in = data;
  stream.next_in = in.data();
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
Bytes gzip_of(const Bytes& data) { return deflate_of(data, 31); }

Bytes zstd_of(const Bytes& data, bool content_size) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, content_size ? 1 : 0);
  Bytes out(ZSTD_compressBound(data.size()));
  const std::size_t size = ZSTD_compress2(context, out.data(), out.size(), data.data(), data.size());
  ZSTD_freeCCtx(context);
  REQUIRE(ZSTD_isError(size) == 0U);
  out.resize(size);
  return out;
}

Bytes brotli_of(const Bytes& data) {
  Bytes out(BrotliEncoderMaxCompressedSize(data.size()) + 16);
  std::size_t size = out.size();
  REQUIRE(BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, data.size(), data.data(),
                                &size, out.data()) == BROTLI_TRUE);
  out.resize(size);
  return out;
}

Bytes lz4_of(const Bytes& data) {
  Bytes out(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(data.size()))));
  const int size = LZ4_compress_default(as<char>(data.data()), as<char>(out.data()),
                                        static_cast<int>(data.size()), static_cast<int>(out.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

Bytes lz4_frame_of(const Bytes& data) {
  Bytes out(LZ4F_compressFrameBound(data.size(), nullptr));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), data.data(), data.size(), nullptr));
  return out;
}

Bytes lzo_of(const Bytes& data) {
  REQUIRE(lzo_init() == LZO_E_OK);
  Bytes work(LZO1X_1_MEM_COMPRESS);
  Bytes out(data.size() + data.size() / 16 + 67);
  lzo_uint size = out.size();
  REQUIRE(lzo1x_1_compress(data.data(), data.size(), out.data(), &size, work.data()) == LZO_E_OK);
  out.resize(size);
  return out;
}

}  // namespace support
