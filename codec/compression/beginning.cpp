#include "codec/compression/beginning.hpp"

#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cstddef>
#include <memory>

namespace parqproof {
namespace {

constexpr std::size_t kWanted = 16;
/// Window bits of inflateInit2() for a gzip stream; negative for deflate without a wrapper.
constexpr int kGzip = MAX_WBITS + 16;
constexpr int kRawDeflate = -MAX_WBITS;

std::string inflated(std::span<const std::uint8_t> stored, int window) {
  z_stream stream{};
  if (inflateInit2(&stream, window) != Z_OK) return {};
  std::array<char, kWanted> out{};
  stream.next_in = const_cast<Bytef*>(stored.data());  // NOLINT: zlib does not write there
  stream.avail_in = static_cast<uInt>(stored.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  (void)inflate(&stream, Z_SYNC_FLUSH);
  const std::size_t produced = out.size() - stream.avail_out;
  inflateEnd(&stream);
  return {out.data(), produced};
}

}  // namespace

std::string beginning_of_gzip(std::span<const std::uint8_t> stored) { return inflated(stored, kGzip); }

std::string beginning_of_deflate(std::span<const std::uint8_t> stored) {
  return inflated(stored, kRawDeflate);
}

std::string beginning_of_zstd(std::span<const std::uint8_t> stored) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (context == nullptr) return {};
  std::array<char, kWanted> out{};
  ZSTD_inBuffer in{stored.data(), stored.size(), 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  (void)ZSTD_decompressStream(context.get(), &to, &in);
  return {out.data(), to.pos};
}

}  // namespace parqproof
