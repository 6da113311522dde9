#include "codec/encryption/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <string_view>

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
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (context_ == nullptr) return {};
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  (void)EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
  std::string out;
  for (const std::uint8_t byte : std::span(digest).first(size)) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 0xF];
  }
  return out;
}

}  // namespace parqproof
