#include "codec/encryption/aes.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "codec/encryption/key_material.hpp"
#include "codec/encryption/key_ring.hpp"
#include "codec/encryption/module.hpp"
#include "codec/rules/rule.hpp"
#include "tests/encryption/vectors.hpp"

namespace support {
namespace {

using namespace parqproof;
using namespace parqproof::encryption;

Bytes of_hex(std::string_view hex) {
  Bytes out;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out.push_back(static_cast<std::uint8_t>(digit(hex[i]) * 16 + digit(hex[i + 1])));
  return out;
}

template <std::size_t N>
std::span<const std::uint8_t, N> fixed(const Bytes& bytes) {
  return std::span<const std::uint8_t, N>(bytes.data(), N);
}

View view_of(const Bytes& bytes) { return {bytes, 100, Space::file}; }

Bytes module_of(std::size_t plain_bytes, Mode mode) {
  Aes key(Bytes(16, 1));
  Bytes out;
  REQUIRE(append_module(key, mode, Nonce{}, {}, Bytes(plain_bytes, 7), out));
  return out;
}

TEST_CASE("GCM gives the ciphertexts and tags of the vectors, and opens them") {
  for (const AesVector& vector : kAesVectors) {
    Aes key(of_hex(vector.key));
    const Bytes nonce = of_hex(vector.nonce);
    const Bytes aad = of_hex(vector.aad);
    const Bytes plain = of_hex(vector.plaintext);
    Bytes out(plain.size() + 1);
    Tag tag{};
    REQUIRE(key.seal(fixed<kNonceBytes>(nonce), aad, plain, out.data(), tag));
    out.pop_back();
    CHECK(out == of_hex(vector.gcm));
    CHECK(Bytes(tag.begin(), tag.end()) == of_hex(vector.tag));
    Bytes opened(plain.size() + 1);
    REQUIRE(key.open(fixed<kNonceBytes>(nonce), aad, out, tag, opened.data()));
    opened.pop_back();
    CHECK(opened == plain);
  }
}

TEST_CASE("CTR begins to count at 1") {
  for (const AesVector& vector : kAesVectors) {
    Aes key(of_hex(vector.key));
    const Bytes nonce = of_hex(vector.nonce);
    const Bytes plain = of_hex(vector.plaintext);
    Bytes out(plain.size() + 1);
    REQUIRE(key.apply_ctr(fixed<kNonceBytes>(nonce), plain, out.data()));
    out.pop_back();
    CHECK(out == of_hex(vector.ctr));
  }
}

TEST_CASE("a changed bit of nonce, AAD, ciphertext or tag does not authenticate") {
  const AesVector& vector = kAesVectors[4];
  Aes key(of_hex(vector.key));
  const Bytes parts[] = {of_hex(vector.nonce), of_hex(kAesVectors[1].aad), of_hex(vector.plaintext)};
  Bytes sealed(parts[2].size());
  Tag tag{};
  REQUIRE(key.seal(fixed<kNonceBytes>(parts[0]), parts[1], parts[2], sealed.data(), tag));
  Bytes out(sealed.size());
  const auto opens = [&](Bytes nonce, Bytes aad, Bytes ciphertext, Tag with) {
    return key.open(fixed<kNonceBytes>(nonce), aad, ciphertext, with, out.data());
  };
  CHECK(opens(parts[0], parts[1], sealed, tag));
  Bytes changed = parts[0];
  changed[11] ^= 1;
  CHECK_FALSE(opens(changed, parts[1], sealed, tag));
  changed = parts[1];
  changed[0] ^= 0x80;
  CHECK_FALSE(opens(parts[0], changed, sealed, tag));
  changed = sealed;
  changed.back() ^= 4;
  CHECK_FALSE(opens(parts[0], parts[1], changed, tag));
  Tag wrong = tag;
  wrong[0] ^= 1;
  CHECK_FALSE(opens(parts[0], parts[1], sealed, wrong));
  CHECK(opens(parts[0], parts[1], sealed, tag));
}

TEST_CASE("a key of a wrong length does nothing") {
  for (const std::size_t length : {0U, 15U, 17U, 31U, 33U}) {
    Aes key(Bytes(length, 1));
    Tag tag{};
    std::uint8_t out = 0;
    CHECK_FALSE(is_key_length(length));
    CHECK_FALSE(key.seal(Nonce{}, {}, {}, &out, tag));
    CHECK_FALSE(key.open(Nonce{}, {}, {}, tag, &out));
    CHECK_FALSE(key.apply_ctr(Nonce{}, {}, &out));
  }
}

TEST_CASE("an AAD has the ordinals of its type, little-endian") {
  const Bytes common{0xAA, 0xBB};
  Bytes aad;
  make_aad(common, {ModuleType::footer, 1, 2, 3}, aad);
  CHECK(aad == Bytes{0xAA, 0xBB, 0});
  make_aad(common, {ModuleType::data_page_header, 0x0102, 0x0304, 0x0506}, aad);
  CHECK(aad == Bytes{0xAA, 0xBB, 4, 2, 1, 4, 3, 6, 5});
  make_aad(common, {ModuleType::dictionary_page, 1, 2, 3}, aad);
  CHECK(aad == Bytes{0xAA, 0xBB, 3, 1, 0, 2, 0});
}

TEST_CASE("a module is cut into its parts") {
  const Bytes gcm = module_of(5, Mode::gcm);
  REQUIRE(gcm.size() == kModuleFrameBytes + 5);
  const Result<Module> module = cut_module(view_of(gcm), Mode::gcm);
  REQUIRE(module);
  CHECK(module->length == gcm.size());
  CHECK(module->nonce.base == 104);
  CHECK(module->ciphertext.base == 116);
  CHECK(module->ciphertext.size() == 5);
  CHECK(module->tag.size() == kTagBytes);
  const Bytes ctr = module_of(5, Mode::ctr);
  REQUIRE(ctr.size() == kModuleHeadBytes + 5);
  const Result<Module> page = cut_module(view_of(ctr), Mode::ctr);
  REQUIRE(page);
  CHECK(page->ciphertext.size() == 5);
  CHECK(page->tag.empty());
}

TEST_CASE("a module whose length is too small, too large or cut off is refused") {
  Bytes bytes = module_of(5, Mode::gcm);
  for (const std::uint32_t length : {0U, 27U, 34U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) {
    for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(length >> (8 * i));
    const Result<Module> module = cut_module(view_of(bytes), Mode::gcm);
    REQUIRE_FALSE(module);
    CHECK(module.error().rule == Rule::encryption_module_length);
    CHECK(module.error().offset == 100);
    CHECK(module.error().found == length);
    CHECK(module.error().expected == (length < 28 ? -28 : 33));
  }
  const Bytes all = module_of(5, Mode::gcm);
  for (std::size_t size = 0; size < all.size(); ++size)
    CHECK_FALSE(cut_module({std::span(all).first(size), 0, Space::file}, Mode::gcm));
}

TEST_CASE("base64 is decoded strictly") {
  CHECK(decode_base64("") == Bytes{});
  CHECK(decode_base64("AQI=") == Bytes{1, 2});
  CHECK(decode_base64("AQID") == Bytes{1, 2, 3});
  for (const char* text : {"A", "AQ", "AQI", "AQI=A", "AQ=I", "AQJ=", "=AQI", "AQ I", "A===", "AQI=AQI=",
                           " AQI", "AQI\n", "AQID    ", "    ", "====", "AQ-_", "AQI=\n\n\n\n"})
    CHECK_FALSE(decode_base64(text));
}

TEST_CASE("flat JSON is read strictly") {
  const auto members = parse_flat_json(R"( {"a" : "x\"\u0041\u00fc", "b":true , "c": 12} )");
  REQUIRE(members);
  CHECK(members->at("a") == "x\"A\u00fc");
  CHECK(members->at("b") == "true");
  CHECK(members->at("c") == "12");
  CHECK(parse_flat_json("{}"));
  for (const char* text :
       {"", "{", "[]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":{}}", "{\"a\":1}x", "{\"a\":1,\"a\":2}",
        "{\"a\":\"\\uD800\"}", "{\"a\":\"x}", "{\"a\":[]}", "{\"a\":[1]}", "{\"a\":{\"b\":1}}", "{\"a\":tru}",
        "{\"a\":\"\xff\"}", "\"a\"", "1"})
    CHECK_FALSE(parse_flat_json(text));
  const std::string deep(std::size_t{1} << 20, '[');
  CHECK_FALSE(parse_flat_json("{\"a\":" + deep));
  CHECK_FALSE(parse_flat_json("{\"a\":" + deep + std::string(deep.size(), ']') + "}"));
}

TEST_CASE("keys are unwrapped by the master key, also in two steps, in a local wrap and next to the file") {
  const MasterKeys keys{{"kf", of_hex("30313233343536373839303132333435")}};
  for (const std::string_view material : {kSingleWrapped, kDoubleWrapped, kLocalWrapped}) {
    CHECK(unwrap_key(material, keys, {}) == of_hex(kDataKey));
    CHECK(unwrap_key(material, {}, {}).error() ==
          "its key is wrapped by the master key \"kf\", which is not given");
    CHECK(unwrap_key(material, {{"kf", Bytes(16, 1)}}, {}).error() ==
          "the given master key \"kf\" does not unwrap its key");
  }
  const std::string_view reference =
      R"({"keyMaterialType":"PKMT1","internalStorage":false,"keyReference":"footerKey"})";
  CHECK(unwrap_key(reference, keys, {{"footerKey", std::string(kSingleWrapped)}}) == of_hex(kDataKey));
  CHECK(unwrap_key(reference, keys, {}).error() == "the file next to it has no key material \"footerKey\"");
  CHECK(unwrap_key("kf", keys, {}).error() == "no key is given for it");
  CHECK(unwrap_key(R"({"keyMaterialType":"PKMT2"})", keys, {}).error() ==
        "its key material is not of the type PKMT1");
}

TEST_CASE("a key is found by column, then by its metadata, then by key material") {
  KeyRing ring;
  ring.column_keys["a.b"] = Bytes(16, 1);
  ring.keys["id"] = Bytes(16, 2);
  ring.master_keys["kf"] = of_hex("30313233343536373839303132333435");
  const Bytes id{'i', 'd'};
  const Bytes material(kSingleWrapped.begin(), kSingleWrapped.end());
  CHECK(ring.of_column("a.b", view_of(id)) == Bytes(16, 1));
  CHECK(ring.of_column("a", view_of(id)) == Bytes(16, 2));
  CHECK(ring.of_column("a", view_of(material)) == of_hex(kDataKey));
  CHECK_FALSE(ring.of_column("a", {}));
  CHECK(ring.of_footer(view_of(id)) == Bytes(16, 2));
  ring.footer_key = Bytes(16, 3);
  CHECK(ring.of_footer(view_of(id)) == Bytes(16, 3));
}

}  // namespace
}  // namespace support
