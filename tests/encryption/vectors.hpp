#pragma once

#include <string_view>

/// Vectors of AES and of key material, made by the Debian package python3-cryptography.
namespace support {

struct AesVector {
  std::string_view key;
  std::string_view nonce;
  std::string_view aad;
  std::string_view plaintext;
  std::string_view gcm;
  std::string_view tag;
  std::string_view ctr;
};

inline constexpr AesVector kAesVectors[] = {
    {"289f059af4d13c86325e953abc0a15c9", "9c55ca500e6f72f5ec87ac5f", "", "", "",
     "067e40043d116bd4761252263919e83c", ""},
    {"289f059af4d13c86325e953abc0a15c9", "19f4f22c4902be4610d0c4a4",
     "c444abe783bcf9bf59fc29744f57dd0432324b24", "", "", "0deba25cbf9026e03c26b267cb159064", ""},
    {"289f059af4d13c86325e953abc0a15c9", "50f109dd9ab63fc9f52bec5d", "1820920d9f", "88", "a1",
     "8b1a800adfcc75b8af48d6129c255d59", "a6"},
    {"289f059af4d13c86325e953abc0a15c9", "74454950d0780f0ea26e9a01", "7d262ab272245a39674e2bac24",
     "b0ac93f4d3648537bc45647a7a4990f8", "18fcdcc859dd704202e1d3814381c147",
     "d79d2c4967be99bdff23a8ae329acecf", "a82c7bd8edf7b7fde4afa0c554155d4f"},
    {"289f059af4d13c86325e953abc0a15c9", "6b015ce68fe4b0f140e46507", "",
     "e831dcf204194acadbecb2d2842c16dd6923c6f1a1026e40e313dbff19319fb1"
     "27",
     "8291e878531461c2c150f9056d3e17f9b2022da0b7f927614967dd0e4e691f1c"
     "06",
     "870772ea785eb1de59a10b4fd9a3e08d",
     "4f5977730d5d52095793372d9a7ff4e50383f27bf60f4548f9af9028f0239e95"
     "fc"},
    {"289f059af4d13c86325e953abc0a15c9", "a0368ceda63c74178a669f09",
     "56257d961c2e61ec21e667a09c9f858e61e1eb240c",
     "c61b52e7c10540963124066e7b9e32f91db6b68c1c3262c8ba9b09b88fa78f8c"
     "9a4aec4bd5a8deb4046cf64f12af7d73bc7ad70abd6ee5eee3a81387cbd3d055"
     "9d43fe7865d3a952ce562dbfd81c39f6150257d10aa842299debe090e6cd5b7a"
     "6f31406f",
     "f64017a864985b40eda35a64a32c31eb9ea35cbefcdf7ea5d4244c974af12cc2"
     "a7f64e6dec14ed88d0292e947ba5823a48a1ace06e6824db0f5bbdd070d1e211"
     "df602756968cf38c33f33a8e0ae6d280bf4de4006c3066e234733ff3e0138d78"
     "8d9dc0d3",
     "65d4bf435babaf678034905d411a4f11",
     "7806f7e8c5c16eb964400d4d656c84de2dedf3c3b9af791e661c55b257158c9e"
     "195f06793545c2d96ad3b360d7f9de3d81c6752c84d2d6d237edcb5ca2d92f1c"
     "69988592b6d5686722a583e8631e0bb257218efff9f718f7604ef7a13437b00c"
     "c57ef3be"},
    {"b66f6921edbbe3b813be9fade9e4793835dd51c50c3a0427", "6c19bc05f5365f88dacab790", "", "", "",
     "ce64a363a9c61bfa3fca0e546bc29b09", ""},
    {"b66f6921edbbe3b813be9fade9e4793835dd51c50c3a0427", "f8a30802feebf2e83fab0eac",
     "c444abe783bcf9bf59fc29744f57dd0432324b24", "", "", "61ffeb5a13797b0918369471afec82f3", ""},
    {"b66f6921edbbe3b813be9fade9e4793835dd51c50c3a0427", "1de21a863459b6187839a4e2", "1820920d9f", "88", "43",
     "d57aa3af2b187765c05d8e4090f4b53e", "d0"},
    {"b66f6921edbbe3b813be9fade9e4793835dd51c50c3a0427", "3a85d6e896d9cfbdc38308bf",
     "7d262ab272245a39674e2bac24", "b0ac93f4d3648537bc45647a7a4990f8", "21f39a748c6367df395916eeddd69397",
     "80b2745dba2b2862f8a2935c2c27c422", "49760ad9356185902f8d9cf0ca21e762"},
    {"b66f6921edbbe3b813be9fade9e4793835dd51c50c3a0427", "da79aa91d2fa81e5a5f0f0a7", "",
     "e831dcf204194acadbecb2d2842c16dd6923c6f1a1026e40e313dbff19319fb1"
     "27",
     "aa0210c50d465b8e2924b5ca71d4eb4b0be2f752fb0fb667fd6922d4eef63e07"
     "8c",
     "a7f434a0c93e281e49e4a3d9803b0003",
     "0c8b0154422e622fd116d64cdd79990d2b100ac6a85d7f0411dbdce7ecc96227"
     "45"},
    {"b66f6921edbbe3b813be9fade9e4793835dd51c50c3a0427", "5e1f23bf71bc2de7a15b2ea3",
     "56257d961c2e61ec21e667a09c9f858e61e1eb240c",
     "c61b52e7c10540963124066e7b9e32f91db6b68c1c3262c8ba9b09b88fa78f8c"
     "9a4aec4bd5a8deb4046cf64f12af7d73bc7ad70abd6ee5eee3a81387cbd3d055"
     "9d43fe7865d3a952ce562dbfd81c39f6150257d10aa842299debe090e6cd5b7a"
     "6f31406f",
     "2e76450a1ce241687e6d8d7cd7bc046b290397401e984f328f21e90d4c1b18c0"
     "a7ab65474b40de4acc24e8ad792dd2b3e1995f78e2400d4272b320ad322a03d7"
     "73fb79b571a5317f9de4d4f02d15dbd26f79ff7d07014c821786455210db3e74"
     "7aca0f9d",
     "4be0c2e6854dde7a1d196019d35e89ad",
     "5f3e0efa70c0288eabe038a70b60adebf5dba161c1d56336f5d282aa2385b91e"
     "aeffcd87d702f34e31d616fad113ea3f819b5e062386e5102be00d65a0517f95"
     "c0a0760a3afd41fe5f4d1e9521e5ea74fbbad01c1ededa04ce5919df13c4b95e"
     "154ae8c3"},
    {"e09b2990d8b26be13aaf6c4951a6a3cb8e7132194a4a7abf738ca6a4351adb20", "ff4dc7e09f810c000565ec34", "", "",
     "", "d36f980eab5f344bd4a80ae828758c60", ""},
    {"e09b2990d8b26be13aaf6c4951a6a3cb8e7132194a4a7abf738ca6a4351adb20", "e52a18b471cc8553513b2e9a",
     "c444abe783bcf9bf59fc29744f57dd0432324b24", "", "", "d40a332d9aee9386c8886350d85832bf", ""},
    {"e09b2990d8b26be13aaf6c4951a6a3cb8e7132194a4a7abf738ca6a4351adb20", "050638e51f3c250e339599c0",
     "1820920d9f", "88", "58", "0e08032886ac0b42e3a1711d655543fc", "99"},
    {"e09b2990d8b26be13aaf6c4951a6a3cb8e7132194a4a7abf738ca6a4351adb20", "5d2e5952ca818171e2082806",
     "7d262ab272245a39674e2bac24", "b0ac93f4d3648537bc45647a7a4990f8", "4b81a2ef3a3579ad90d19e604759d68e",
     "082e6ac53602c54c7f0bf558728ed9ed", "dc9f5ad1e524089177c267418124be18"},
    {"e09b2990d8b26be13aaf6c4951a6a3cb8e7132194a4a7abf738ca6a4351adb20", "d6d410a61e2201a0a74c019e", "",
     "e831dcf204194acadbecb2d2842c16dd6923c6f1a1026e40e313dbff19319fb1"
     "27",
     "afc2f0da642f9b48dff1a94657e0d619d67114b8a4fc1d3b8b2ec94354df44ba"
     "5a",
     "26406a2ec5aa476723d09f140bc5eade",
     "53e8ddc256cb51d60c04840a3e818bb72ed0ead9c134bfc2e70ec06bcafd5f75"
     "98"},
    {"e09b2990d8b26be13aaf6c4951a6a3cb8e7132194a4a7abf738ca6a4351adb20", "9cebc1ef58655d5db4b2ffcd",
     "56257d961c2e61ec21e667a09c9f858e61e1eb240c",
     "c61b52e7c10540963124066e7b9e32f91db6b68c1c3262c8ba9b09b88fa78f8c"
     "9a4aec4bd5a8deb4046cf64f12af7d73bc7ad70abd6ee5eee3a81387cbd3d055"
     "9d43fe7865d3a952ce562dbfd81c39f6150257d10aa842299debe090e6cd5b7a"
     "6f31406f",
     "4e59c368bd7e31116abaa7c168e2536882e902fba4ed507205229056ba256256"
     "4fae1f3901a5a40cc82a8318343a668998f78d9e0ac6db9296cf23ae39fbd29a"
     "7955470e17f4e826423631eb3e4579d28d57e80112f651752ec03697f6a2d50d"
     "d2c86b37",
     "ff555ad9c56fbda73d2de5f9517fafaa",
     "18f58a179f694354e211a1bd782f3b5395f427036049134fe105a8179cdbee1d"
     "0515583c6d77ec0ebbd56fa1272d90a9699e247869639f562fee66d0ed46cbaf"
     "b9cea4ecd27b972ebb311d962a343b39f114eea7788f035d118bfcc400941b5e"
     "f764ffbf"},
};

inline constexpr std::string_view kSingleWrapped =
    R"({"keyMaterialType":"PKMT1","internalStorage":true,"isFooterKey":true,"kmsInstanceID":"DEFA)"
    R"(ULT","kmsInstanceURL":"DEFAULT","masterKeyID":"kf","wrappedDEK":"twoU7h4V16qUvYEOFuiJPjTRZ)"
    R"(kDZiUVmy8rax59aY+vOnu9fbO5dLK1/4yI=","doubleWrapping":false})";
inline constexpr std::string_view kDoubleWrapped =
    R"({"keyMaterialType":"PKMT1","internalStorage":true,"isFooterKey":true,"kmsInstanceID":"DEFA)"
    R"(ULT","kmsInstanceURL":"DEFAULT","masterKeyID":"kf","wrappedDEK":"+OjnQrgbgGYE/AHfAupZNFfUo)"
    R"(9xQrwHR59ECwCtEDb2/OiYgYl2h35W+1yE=","doubleWrapping":true,"keyEncryptionKeyID":"NfKHnxOMY)"
    R"(80MVxH5HE1r8w==","wrappedKEK":"6imv9Pdjodu+RrxRXTBThML3i9BsPSsd/NmY9G1+O+Hb24hCZxCUNHLpNos)"
    R"(="})";
inline constexpr std::string_view kLocalWrapped =
    R"({"keyMaterialType":"PKMT1","internalStorage":true,"isFooterKey":true,"kmsInstanceID":"DEFA)"
    R"(ULT","kmsInstanceURL":"DEFAULT","masterKeyID":"kf","wrappedDEK":"{\"masterKeyVersion\": \")"
    R"(NO_VERSION\", \"encryptedKey\": \"twoU7h4V16qUvYEOFuiJPjTRZkDZiUVmy8rax59aY+vOnu9fbO5dLK1/)"
    R"(4yI=\"}","doubleWrapping":false})";
inline constexpr std::string_view kDataKey = "19209c1ebfe3faf224bfa700719d11a5";

}  // namespace support
