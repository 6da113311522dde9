#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/base/bits.hpp"
#include "codec/encryption/file_keys.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/check/check.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "tests/support/process.hpp"
#include "tests/witnesses/witness.hpp"

namespace parqproof {
namespace {

using encryption::Bytes;

/// The witness, whose footer is encrypted with this AAD.
support::Witness with_footer_aad(const Bytes& aad) {
  const auto& all = support::witnesses();
  const auto found =
      std::ranges::find(all, "corpus/witnesses/encryption/tag/pass-b.parquet", &support::Witness::path);
  REQUIRE(found != all.end());
  support::Witness witness = *found;
  Bytes& bytes = witness.bytes;
  const std::size_t end = bytes.size() - 8;
  const std::size_t begin = end - load_le<std::uint32_t>(bytes.data() + end);
  const Limits limits;
  FileCryptoMetaData crypto;
  thrift::Reader reader({{bytes.data() + begin, end - begin}, begin, Space::file}, {}, limits);
  REQUIRE(reader.read(crypto));
  const auto at = static_cast<std::size_t>(crypto.fields.end);
  const auto module =
      encryption::cut_module({{bytes.data() + at, end - at}, at, Space::file}, encryption::Mode::gcm);
  REQUIRE(module);
  const std::string key = "0123456789012345";
  encryption::Aes aes(bytes_of(key));
  const View id = crypto.encryption_algorithm.has(EncryptionAlgorithm::id_AES_GCM_V1)
                      ? crypto.encryption_algorithm.AES_GCM_V1.aad_file_unique
                      : crypto.encryption_algorithm.AES_GCM_CTR_V1.aad_file_unique;
  Bytes own;
  encryption::make_aad(id.bytes, {encryption::ModuleType::footer}, own);
  Bytes plain(module->ciphertext.size());
  const auto nonce = module->nonce.bytes.first<encryption::kNonceBytes>();
  REQUIRE(aes.open(nonce, own, module->ciphertext.bytes, module->tag.bytes.first<encryption::kTagBytes>(),
                   plain.data()));
  Bytes sealed;
  REQUIRE(encryption::append_module(aes, encryption::Mode::gcm, nonce, aad, plain, sealed));
  std::ranges::copy(sealed, bytes.begin() + static_cast<std::ptrdiff_t>(at));
  return witness;
}

std::string finding_for(const Bytes& aad) {
  const support::Witness witness = with_footer_aad(aad);
  const FileReport report = check(*support::source_of(witness), "f", CheckOptions());
  std::string out;
  for (const ReportedFinding& one : report.findings)
    out += std::string(info(one.finding.rule).id) + ": " + message(one.finding) + "\n";
  return out;
}

}  // namespace

TEST_CASE("a footer that is authenticated with another AAD says which", "[encryption/tag]") {
  CHECK(finding_for({}).contains("encryption/tag"));
  CHECK(finding_for({}).contains("it authenticates with an empty AAD"));
  CHECK(finding_for({0}).contains("it authenticates with the type of the module alone"));
  const std::string other = finding_for({1, 2, 3});
  CHECK(other.contains("encryption/key"));  // no module proves the key
  CHECK_FALSE(other.contains("authenticates with"));
}

}  // namespace parqproof
