#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/encryption/key_ring.hpp"
#include "codec/encryption/module.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/rules/finding.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof::encryption {

/// Bytes of modules and AADs of a file that are read to find the places of modules.
inline constexpr std::uint64_t kTriedBytes = std::uint64_t{256} << 20;
/// Bytes of modules and AADs of a chunk that are read to find the lengths of header modules.
inline constexpr std::uint64_t kTriedBytesForLength = std::uint64_t{1} << 18;
/// Modules of page headers that are longer are not tried.
inline constexpr std::uint64_t kMaxSealedHeader = 4096;

/// Why a module could not be opened.
struct ModuleFault {
  Error error;
  Contrast contrast;
  std::optional<ModulePlace> found = std::nullopt;  ///< at which it authenticates, if that is known

  /// Returns true if the module is at fault: it was tried with the right key.
  [[nodiscard]] bool is_of_module() const noexcept { return info(error.rule).klass == Class::malformed; }
};

[[nodiscard]] ModuleFault fault_at(Rule rule, View at, Contrast what);
[[nodiscard]] Finding finding_of(const ModuleFault& fault, const Place& place);

/// The ordinals of row groups in AADs, by position; where there is none, the position is the ordinal.
using Ordinals = std::vector<std::int32_t>;

/// Header modules of a chunk that state a wrong length, for further readers and pages.
struct FoundLengths {
  std::uint64_t budget = kTriedBytesForLength;            ///< bytes to decrypt
  std::map<std::uint64_t, std::uint64_t> by_offset = {};  ///< their lengths
  std::uint64_t error = 0;  ///< by how much the last one is longer than stated, modulo 2^64
};

/// Decrypts the modules of one column chunk. Used by one thread at a time.
class ChunkCipher {
 public:
  ChunkCipher(std::span<const std::uint8_t> key, Bytes common_aad, Mode page_mode, std::int32_t row_group,
              std::int32_t column, std::shared_ptr<const Ordinals> ordinals = nullptr)
      : aes_(key),
        common_(std::move(common_aad)),
        page_mode_(page_mode),
        row_group_(row_group),
        column_(column),
        ordinals_(std::move(ordinals)) {}

  [[nodiscard]] Mode mode_of(ModuleType type) const noexcept {
    return is_page_body(type) ? page_mode_ : Mode::gcm;
  }
  /// Returns the place of a module of this chunk.
  [[nodiscard]] ModulePlace place(ModuleType type, std::int32_t page = 0) const noexcept {
    return {type, row_group_, column_, page};
  }
  /// What a trial of open() costs, in bytes that are read.
  [[nodiscard]] std::uint64_t cost_of(const Module& module) const noexcept {
    constexpr std::uint64_t kPerTrial = 256;
    return kPerTrial + common_.size() + module.length;
  }
  /// Decrypts `module` as the one at `place` to `out`, which has room for its ciphertext. Returns false if it
  /// does not authenticate; by CTR, everything does.
  [[nodiscard]] bool open(const Module& module, const ModulePlace& place, std::uint8_t* out);

 private:
  Aes aes_;
  Bytes common_;
  Bytes aad_;
  Mode page_mode_;
  std::int32_t row_group_;
  std::int32_t column_;
  std::shared_ptr<const Ordinals> ordinals_;
};

/// Returns the fault of a module with a wrong length.
[[nodiscard]] ModuleFault length_fault(const Error& error);

/// The keys for one file, and what they have opened: read_frame() opens the footer and the column metadata,
/// page readers take a ChunkCipher for each chunk. Safe to use from several threads once the footer is open.
class FileKeys {
 public:
  explicit FileKeys(std::shared_ptr<const KeyRing> ring) : ring_(std::move(ring)) {}

  [[nodiscard]] const KeyRing& ring() const noexcept { return *ring_; }

  enum class State : std::uint8_t {
    opened,
    no_key,             ///< there is no key for the footer
    unknown_algorithm,  ///< encryption/algorithm, or the structure of the algorithm cannot be read
    failed,             ///< the footer is malformed, or does not authenticate; there is a finding
  };

  /// Decrypts an encrypted footer at its place: `region` has FileCryptoMetaData and the module, and is at
  /// `base` of `source`. `footer` becomes the FileMetaData. Then opens the column metadata.
  [[nodiscard]] State open_encrypted_footer(std::span<std::uint8_t> region, std::uint64_t base,
                                            const Source& source, const Limits& limits, Findings& findings,
                                            View& footer);
  /// Verifies the signature of a plaintext footer, and opens the column metadata. No effect on a footer
  /// without encryption_algorithm.
  void open_plaintext_footer(std::span<std::uint8_t> region, std::uint64_t base, const Source& source,
                             const Limits& limits, Findings& findings);

  /// The column metadata that was decrypted; null before.
  [[nodiscard]] std::shared_ptr<const OpenedMetadata> opened() const { return opened_; }

  /// Returns true if a module has authenticated, so that the AAD prefix and the file identifier are right.
  [[nodiscard]] bool has_authenticated() const noexcept {
    return std::ranges::any_of(keys_, &NamedKey::proven);
  }

  enum class Signature : std::uint8_t { none, verified, no_key, wrong };
  [[nodiscard]] Signature signature() const noexcept { return signature_; }

  /// Returns the cipher of a chunk; null if the chunk is not encrypted, or cannot be decrypted.
  [[nodiscard]] std::unique_ptr<ChunkCipher> cipher_of(std::int32_t row_group, std::int32_t column) const;
  /// Returns why there is no key for the footer, or for an encrypted chunk: a clause for messages; empty if
  /// there is one.
  [[nodiscard]] const std::string& why_no_footer_key() const noexcept { return why_no_footer_key_; }
  [[nodiscard]] std::string why_no_key(std::int32_t row_group, std::int32_t column) const;
  /// Returns why the metadata of a chunk with a known key does not authenticate; null if it does, or there is
  /// no key.
  [[nodiscard]] const ModuleFault* fault_of(std::int32_t row_group, std::int32_t column) const;

  /// Returns the length, in bytes, with which the header module of a chunk at the first of `bytes`
  /// authenticates at one of `places`, though it states another one. Nothing unless the key is known to be
  /// right.
  [[nodiscard]] std::optional<std::uint64_t> find_length(View bytes,
                                                         std::span<const ModulePlace> places) const;
  /// Returns the fault of a module of the chunk of `cipher` that does not authenticate at `place`, although
  /// the key is right: it belongs to another place, to another key, or was changed.
  [[nodiscard]] ModuleFault explain(const Module& module, View all, const ModulePlace& place) const;

 private:
  friend class ColumnOpening;

  struct ChunkKey {
    std::int32_t key = -1;      ///< index in keys_; negative: none
    std::uint32_t missing = 0;  ///< index in missing_
    std::int32_t fault = -1;
    bool opened = false;
    // A chunk is judged by one thread.
    mutable std::uint64_t budget = 0;  ///< bytes to decrypt for explain()
    mutable FoundLengths lengths;
  };
  struct NamedKey {
    Bytes bytes;
    std::string name;     ///< for messages: "the footer", "column a.b"
    bool proven = false;  ///< a module has authenticated under it
  };

  [[nodiscard]] bool take_algorithm(const EncryptionAlgorithm& algorithm);
  void open_columns(std::span<std::uint8_t> footer, View view, bool is_encrypted, const Source& source,
                    const Limits& limits);
  /// What is known of the AAD prefix if nothing authenticates: `opens` tries another prefix and file
  /// identifier.
  [[nodiscard]] std::string about_prefix(const std::function<bool(const Bytes& common)>& opens) const;
  /// Keys of other columns are other ones, even if their bytes are the same: a key may be that of another
  /// column.
  [[nodiscard]] std::int32_t add_key(const Bytes& bytes, const std::string& name);
  /// Returns true if a page authenticates under the key of the footer, which is not known as that of a
  /// column.
  [[nodiscard]] bool is_right_for_footer(const Bytes& key, const Source& source, std::uint64_t end) const;
  /// A cipher for modules of any chunk.
  [[nodiscard]] ChunkCipher any_cipher(std::span<const std::uint8_t> key, Mode page_mode) const {
    return {key, common_, page_mode, 0, 0, ordinals_};
  }
  [[nodiscard]] const ChunkKey* find(std::int64_t row_group, std::int64_t column) const noexcept;
  /// Bytes that may be read to find the places of modules of one of so many chunks.
  [[nodiscard]] static std::uint64_t search_budget(std::size_t chunks) noexcept;
  /// Returns true if some page header of the file authenticates under `key`, as the first page of a chunk.
  /// `budget`: bytes that may be read for it.
  [[nodiscard]] bool opens_some_page(std::span<const std::uint8_t> key, const Source& source,
                                     std::uint64_t end, std::optional<ModulePlace> chunk,
                                     std::uint64_t budget) const;
  [[nodiscard]] std::optional<ModulePlace> find_place(const Module& module, const NamedKey& key,
                                                      const ModulePlace& place) const;

  std::shared_ptr<const KeyRing> ring_;
  Bytes common_;                 ///< AAD prefix and file identifier
  Bytes stored_common_;          ///< the same with the AAD prefix that the file stores
  bool expects_prefix_ = false;  ///< the file states that the caller supplies the AAD prefix
  Mode page_mode_ = Mode::gcm;
  std::vector<NamedKey> keys_;
  std::map<std::pair<std::string, Bytes>, std::int32_t> key_numbers_;  ///< in keys_
  std::int32_t footer_key_ = -1;
  std::string why_no_footer_key_;
  std::vector<std::string> missing_;      ///< why chunks have no key; the first is empty
  std::vector<std::size_t> first_chunk_;  ///< of each row group
  std::shared_ptr<Ordinals> ordinals_;    ///< complete once the footer is open
  std::vector<ChunkKey> chunks_;
  std::vector<ModuleFault> faults_;
  std::shared_ptr<const OpenedMetadata> opened_;
  Signature signature_ = Signature::none;
};

// Of a chunk; `keys` may be null.
/// FileKeys::fault_of().
[[nodiscard]] const ModuleFault* metadata_fault(const FileKeys* keys, const Place& place);
/// The contrast of file/encrypted-column.
[[nodiscard]] Contrast encrypted_column(const FileKeys* keys, const Place& place);

/// A source with keys. The caller keeps the wrapped source alive.
class KeyedSource final : public Source {
 public:
  KeyedSource(std::unique_ptr<Source> source, std::shared_ptr<const KeyRing> ring)
      : source_(std::move(source)), keys_(std::move(ring)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return source_->size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    return source_->read(offset, into);
  }
  [[nodiscard]] FileKeys* keys() const noexcept override { return &keys_; }

 private:
  std::unique_ptr<Source> source_;
  mutable FileKeys keys_;
};

}  // namespace parqproof::encryption
