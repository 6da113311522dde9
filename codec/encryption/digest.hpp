#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;

namespace parqproof {

/// A digest of bytes that arrive in pieces, by libcrypto.
class Digest {
 public:
  enum class Algorithm : std::uint8_t { md5, sha256 };

  explicit Digest(Algorithm algorithm);

  void add(std::span<const std::uint8_t> bytes) noexcept;
  /// The digest of all bytes in lowercase hex; nothing may be added after that. It is empty if libcrypto does
  /// not offer the algorithm, as in a configuration for FIPS without MD5.
  [[nodiscard]] std::string hex();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace parqproof
