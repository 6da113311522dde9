#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Judges the FileCryptoMetaData of a file with an encrypted footer, and the length of the module after it;
/// needs no key.
void check_crypto_metadata(FileCheck& check);

/// Judges what a footer says of encryption: algorithm, signature, ordinals, and which parts of encrypted
/// columns are visible. Compares visible metadata with the encrypted one that was decrypted.
void check_encryption(FileCheck& check);

}  // namespace parqproof
