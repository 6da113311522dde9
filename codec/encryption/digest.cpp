#include "codec/encryption/digest.hpp"

#include <openssl/evp.h>

#include <array>

#include "codec/base/text.hpp"

namespace parqproof {

void Digest::Free::operator()(evp_md_ctx_st* context) const noexcept { EVP_MD_CTX_free(context); }

Digest::Digest(Algorithm algorithm) : context_(EVP_MD_CTX_new()) {
  const EVP_MD* const digest = algorithm == Algorithm::md5 ? EVP_md5() : EVP_sha256();
  if (context_ != nullptr && EVP_DigestInit_ex(context_.get(), digest, nullptr) != 1) context_.reset();
}

void Digest::add(std::span<const std::uint8_t> bytes) noexcept {
  if (context_ != nullptr) (void)EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
}

std::string Digest::hex() {
  if (context_ == nullptr) return {};
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  (void)EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
  return parqproof::hex(std::span(digest).first(size));
}

}  // namespace parqproof
