#include "codec/encryption/aes.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>

namespace parqproof::encryption {
namespace {

const EVP_CIPHER* gcm_of(std::size_t key_bytes) noexcept {
  return key_bytes == 16 ? EVP_aes_128_gcm() : key_bytes == 24 ? EVP_aes_192_gcm() : EVP_aes_256_gcm();
}

const EVP_CIPHER* ctr_of(std::size_t key_bytes) noexcept {
  return key_bytes == 16 ? EVP_aes_128_ctr() : key_bytes == 24 ? EVP_aes_192_ctr() : EVP_aes_256_ctr();
}

/// Max bytes of one call; the library counts in int.
constexpr std::size_t kMaxStep = std::size_t{1} << 30;

bool update(EVP_CIPHER_CTX* context, std::span<const std::uint8_t> bytes, std::uint8_t* out) noexcept {
  while (!bytes.empty()) {
    const std::size_t step = std::min(bytes.size(), kMaxStep);
    int written = 0;
    if (EVP_CipherUpdate(context, out, &written, bytes.data(), static_cast<int>(step)) != 1) return false;
    bytes = bytes.subspan(step);
    if (out != nullptr) out += step;
  }
  return true;
}

}  // namespace

/// The library prepares a key once for each direction and mode.
struct Aes::State {
  struct FreeContext {
    void operator()(EVP_CIPHER_CTX* context) const noexcept { EVP_CIPHER_CTX_free(context); }
  };
  using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

  Context opening;
  Context sealing;
  Context counting;
  std::array<std::uint8_t, 32> key{};
  std::size_t key_bytes = 0;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { std::ranges::fill(key, std::uint8_t{0}); }

  /// Returns the context, prepared with the key; null without a valid key.
  EVP_CIPHER_CTX* prepared(Context& context, const EVP_CIPHER* cipher, int encrypt) noexcept {
    if (context != nullptr || key_bytes == 0) return context.get();
    context.reset(EVP_CIPHER_CTX_new());
    if (context != nullptr &&
        EVP_CipherInit_ex(context.get(), cipher, nullptr, key.data(), nullptr, encrypt) != 1)
      context.reset();
    return context.get();
  }
};

Aes::Aes(std::span<const std::uint8_t> key) : state_(std::make_unique<State>()) {
  if (!is_key_length(key.size())) return;
  std::ranges::copy(key, state_->key.begin());
  state_->key_bytes = key.size();
}
Aes::~Aes() = default;
Aes::Aes(Aes&&) noexcept = default;
Aes& Aes::operator=(Aes&&) noexcept = default;

bool Aes::open(std::span<const std::uint8_t, kNonceBytes> nonce, std::span<const std::uint8_t> aad,
               std::span<const std::uint8_t> ciphertext, std::span<const std::uint8_t, kTagBytes> tag,
               std::uint8_t* out) {
  EVP_CIPHER_CTX* const context = state_->prepared(state_->opening, gcm_of(state_->key_bytes), 0);
  if (context == nullptr || EVP_CipherInit_ex(context, nullptr, nullptr, nullptr, nonce.data(), 0) != 1)
    return false;
  Tag stored;
  std::ranges::copy(tag, stored.begin());
  int rest = 0;
  std::array<std::uint8_t, kTagBytes> end;
  return update(context, aad, nullptr) && update(context, ciphertext, out) &&
         EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, static_cast<int>(kTagBytes), stored.data()) ==
             1 &&
         EVP_CipherFinal_ex(context, end.data(), &rest) == 1;
}

bool Aes::seal(std::span<const std::uint8_t, kNonceBytes> nonce, std::span<const std::uint8_t> aad,
               std::span<const std::uint8_t> plaintext, std::uint8_t* out, Tag& tag) {
  EVP_CIPHER_CTX* const context = state_->prepared(state_->sealing, gcm_of(state_->key_bytes), 1);
  if (context == nullptr || EVP_CipherInit_ex(context, nullptr, nullptr, nullptr, nonce.data(), 1) != 1)
    return false;
  int rest = 0;
  std::array<std::uint8_t, kTagBytes> end;
  return update(context, aad, nullptr) && update(context, plaintext, out) &&
         EVP_CipherFinal_ex(context, end.data(), &rest) == 1 &&
         EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, static_cast<int>(kTagBytes), tag.data()) == 1;
}

bool Aes::apply_ctr(std::span<const std::uint8_t, kNonceBytes> nonce, std::span<const std::uint8_t> bytes,
                    std::uint8_t* out) {
  std::array<std::uint8_t, 16> initial{};
  std::ranges::copy(nonce, initial.begin());
  initial.back() = 1;
  EVP_CIPHER_CTX* const context = state_->prepared(state_->counting, ctr_of(state_->key_bytes), 1);
  return context != nullptr &&
         EVP_CipherInit_ex(context, nullptr, nullptr, nullptr, initial.data(), 1) == 1 &&
         update(context, bytes, out);
}

bool random_bytes(std::span<std::uint8_t> out) noexcept {
  return RAND_bytes(out.data(), static_cast<int>(out.size())) == 1;
}

}  // namespace parqproof::encryption
