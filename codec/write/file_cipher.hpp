#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "codec/encryption/aes.hpp"
#include "codec/encryption/module.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/write/encryption_options.hpp"
#include "codec/write/sink.hpp"

namespace parqproof {

/// Returns the reason why a file of this schema cannot be encrypted so, which names the option.
[[nodiscard]] WriteStatus check_encryption(const EncryptionOptions& options, const Schema& schema);

/// Encrypts the modules of a file that is being written. One object writes one file.
class FileCipher {
 public:
  /// `options` have passed check_encryption(). Both arguments outlive the object.
  FileCipher(const EncryptionOptions& options, const Schema& schema);

  /// Draws the identifier of the file. Call it first.
  [[nodiscard]] WriteStatus begin();

  /// Appends the module of `plaintext` to `out`: with the key of the column, or of the footer. Fails for an
  /// ordinal above encryption::kMaxOrdinal, and after 2^32 modules, the most that random nonces may have.
  [[nodiscard]] WriteStatus append(const encryption::ModulePlace& place,
                                   std::span<const std::uint8_t> plaintext, encryption::Bytes& out);

  /// Completes a chunk of an encrypted column, whose metadata is set: its crypto metadata, and its metadata
  /// encrypted apart where the footer does not protect it. Then calls `use`.
  template <typename Use>
  [[nodiscard]] WriteStatus with_crypto(std::int32_t row_group, std::size_t leaf, ColumnChunk& chunk,
                                        Use&& use) {
    thrift::ListBuilder<View> path;
    for (const View& name : schema_.path(schema_.leaf_index(leaf))) path.add(name);
    encryption::Bytes sealed;
    if (WriteStatus done = protect(row_group, leaf, path.list(), sealed, chunk); !done) return done;
    use(chunk);
    return {};
  }

  /// Writes the footer with what belongs to it, up to the magic.
  [[nodiscard]] WriteStatus put_footer(FileMetaData& meta, Sink& sink);

 private:
  [[nodiscard]] WriteStatus protect(std::int32_t row_group, std::size_t leaf, const thrift::List& path,
                                    encryption::Bytes& sealed, ColumnChunk& chunk);
  [[nodiscard]] bool draw(std::span<std::uint8_t> out);
  [[nodiscard]] EncryptionAlgorithm algorithm() const;
  [[nodiscard]] encryption::Aes& key_of(const encryption::ModulePlace& place);

  const EncryptionOptions& options_;
  const Schema& schema_;
  encryption::Aes footer_key_;
  std::map<std::size_t, encryption::Aes> column_keys_;
  encryption::Bytes identifier_;
  encryption::Bytes common_;  // AAD prefix and identifier
  encryption::Bytes aad_;
  std::uint64_t modules_ = 0;
};

}  // namespace parqproof
