#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

/// The two modes of AES that Parquet encrypts modules with (Encryption.md#41-aes-modes-used-in-parquet).
namespace parqproof::encryption {

inline constexpr std::size_t kNonceBytes = 12;
inline constexpr std::size_t kTagBytes = 16;
using Nonce = std::array<std::uint8_t, kNonceBytes>;
using Tag = std::array<std::uint8_t, kTagBytes>;

inline constexpr std::size_t kMinKeyBytes = 16;

/// Returns true for the lengths of AES keys: 16, 24 and 32 bytes.
[[nodiscard]] constexpr bool is_key_length(std::size_t bytes) noexcept {
  return bytes == 16 || bytes == 24 || bytes == 32;
}

/// One AES key, with the state of both modes. An object is used by one thread at a time.
class Aes {
 public:
  /// `key`: 16, 24 or 32 bytes. With another length, all operations fail.
  explicit Aes(std::span<const std::uint8_t> key);
  ~Aes();
  Aes(Aes&&) noexcept;
  Aes& operator=(Aes&&) noexcept;

  /// Decrypts by GCM into `out`, which has the size of `ciphertext` and may be the same bytes. Returns false
  /// if the tag is not that of ciphertext and AAD; `out` then has undefined bytes.
  [[nodiscard]] bool open(std::span<const std::uint8_t, kNonceBytes> nonce, std::span<const std::uint8_t> aad,
                          std::span<const std::uint8_t> ciphertext,
                          std::span<const std::uint8_t, kTagBytes> tag, std::uint8_t* out);
  /// Encrypts by GCM into `out`, which has the size of `plaintext`. Returns false only without a valid key.
  [[nodiscard]] bool seal(std::span<const std::uint8_t, kNonceBytes> nonce, std::span<const std::uint8_t> aad,
                          std::span<const std::uint8_t> plaintext, std::uint8_t* out, Tag& tag);
  /// Encrypts or decrypts by CTR; the initial counter is 1 (Encryption.md#422-aes_gcm_ctr_v1).
  [[nodiscard]] bool apply_ctr(std::span<const std::uint8_t, kNonceBytes> nonce,
                               std::span<const std::uint8_t> bytes, std::uint8_t* out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Fills `out` with random bytes of the system. Returns false if there are none.
[[nodiscard]] bool random_bytes(std::span<std::uint8_t> out) noexcept;

}  // namespace parqproof::encryption
