#include "conformance/file/modules.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/each_block.hpp"
#include "codec/base/text.hpp"
#include "codec/encryption/file_keys.hpp"
#include "codec/format/chunk_start.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/state/chunk_claim.hpp"

namespace parqproof {
namespace {

using encryption::kModuleHeadBytes;
using encryption::kModuleLengthBytes;
using encryption::kNonceBytes;
using encryption::kTagBytes;

class Modules {
 public:
  explicit Modules(FileCheck& check)
      : check_(check), window_(check.input.source), data_end_(check.footer.frame.footer_offset) {
    const EncryptionAlgorithm& algorithm = check.footer.meta.encryption_algorithm;
    take(algorithm);
    const View crypto_bytes = check.footer.frame.crypto;
    if (crypto_bytes.empty()) return;
    FileCryptoMetaData crypto;
    thrift::Reader reader(crypto_bytes, {}, check.options.limits);
    if (!reader.read(crypto)) return;
    take(crypto.encryption_algorithm);
    const auto head = static_cast<std::size_t>(crypto.fields.end - crypto_bytes.base);
    const View footer = crypto_bytes.from(head);
    if (footer.size() >= kModuleHeadBytes)
      nonce({}, kFooterKey, footer.part(kModuleLengthBytes, kNonceBytes));
  }

  /// Returns false if the frames of modules are not known.
  [[nodiscard]] bool knows_algorithm() const noexcept { return is_gcm_ != is_ctr_; }

  void signature() {
    const View footer = check_.footer.frame.footer;
    const FileMetaData& meta = check_.footer.meta;
    if (!check_.footer.frame.crypto.empty() || !meta.has(FileMetaData::id_encryption_algorithm)) return;
    if (meta.fields.end < footer.base || footer.end() - meta.fields.end != kNonceBytes + kTagBytes) return;
    const auto at = static_cast<std::size_t>(meta.fields.end - footer.base);
    nonce({}, kFooterKey, footer.part(at, kNonceBytes));
  }

  void chunk(const ChunkClaim& claim) {
    ColumnChunk visible;
    if (!check_.footer.reread(claim, check_.options.limits, visible)) return;
    if (!visible.has(ColumnChunk::id_crypto_metadata)) return;
    const std::string key = key_of(visible);
    if (visible.has(ColumnChunk::id_encrypted_column_metadata) &&
        visible.encrypted_column_metadata.size() >= kModuleHeadBytes) {
      const View field = visible.encrypted_column_metadata;
      const encryption::ModuleFault* const fault =
          encryption::metadata_fault(check_.input.source.keys(), place_of(claim));
      const bool is_judged = visible.opened || (fault != nullptr && fault->is_of_module());
      nonce(place_of(claim), key, field.part(kModuleLengthBytes, kNonceBytes), is_judged);
    }
    if (check_.options.tier == Tier::footer || !visible.has(ColumnChunk::id_meta_data)) return;
    if (claim.file != 0 || !check_.takes(claim)) return;
    pages(claim, visible, key);
    const auto index = [&](std::int64_t at) { return one(claim, key, at, visible.opened); };
    if (visible.has(ColumnChunk::id_column_index_offset)) index(visible.column_index_offset);
    if (visible.has(ColumnChunk::id_offset_index_offset)) index(visible.offset_index_offset);
    const ColumnMetaData& meta = visible.meta_data;
    if (meta.has(ColumnMetaData::id_bloom_filter_offset)) {
      const std::uint64_t bitset = index(meta.bloom_filter_offset);
      if (bitset != 0) index(static_cast<std::int64_t>(bitset));
    }
  }

 private:
  static constexpr std::string_view kFooterKey = "";
  static constexpr std::size_t kRecent = 8;
  static constexpr std::uint64_t kMostHeader = std::uint64_t{1} << 16;  // bytes of the module of a header

  void take(const EncryptionAlgorithm& algorithm) noexcept {
    is_gcm_ = algorithm.has(EncryptionAlgorithm::id_AES_GCM_V1);
    is_ctr_ = algorithm.has(EncryptionAlgorithm::id_AES_GCM_CTR_V1);
  }

  static std::string key_of(const ColumnChunk& chunk) {
    const ColumnCryptoMetaData& crypto = chunk.crypto_metadata;
    if (!crypto.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_COLUMN_KEY)) return std::string(kFooterKey);
    std::string key = "k";
    thrift::for_each_string(crypto.ENCRYPTION_WITH_COLUMN_KEY.path_in_schema,
                            [&](View name, std::uint32_t) { (key += text_of(name)) += '\0'; });
    return key;
  }

  /// Returns true if the modules at these offsets have the same bytes. Those in the footer are in its view,
  /// for the footer may be a module itself.
  [[nodiscard]] bool are_copies(std::uint64_t one, std::uint64_t other) {
    const View footer = check_.footer.frame.footer;
    const auto is_inside = [&](std::uint64_t at) { return at >= footer.base && at < footer.end(); };
    if (is_inside(one) && is_inside(other)) {
      const auto module_at = [&](std::uint64_t at) {
        return encryption::cut_module(footer.from(static_cast<std::size_t>(at - footer.base)),
                                      encryption::Mode::gcm);
      };
      const auto first = module_at(one);
      const auto second = module_at(other);
      // Ciphertexts may be decrypted in place. The nonces are the same.
      return first && second && first->length == second->length &&
             std::ranges::equal(first->tag.bytes, second->tag.bytes);
    }
    const std::uint64_t length = kModuleLengthBytes + length_at(one);
    if (length_at(other) != length - kModuleLengthBytes) return false;
    Window others(check_.input.source);
    return each_block(check_.input.source, one, one + length, 0, [&](const View& block) {
      return std::ranges::equal(block.bytes, others.view(other + (block.base - one), block.size()).bytes);
    });
  }

  /// encryption/nonce. `is_authenticated`: readers verify the tag, so they report a module that was copied
  /// over another one by its place; no nonce was used twice then.
  void nonce(const Place& place, std::string_view key, View at, bool is_authenticated = false) {
    std::string id(key);
    id += '\0';
    id += text_of(at);
    const auto [first, fresh] = nonces_.try_emplace(std::move(id), at.base);
    if (fresh || first->second == at.base) return;
    const std::uint64_t module = first->second - kModuleLengthBytes;
    const std::string shared = hex(at.bytes);  // the window moves
    if (is_authenticated && are_copies(module, at.base - kModuleLengthBytes)) return;
    report_in_page(check_.outcome.findings, Rule::encryption_nonce, place, at, 0,
                   contrast(shared + ", which the module at byte " + std::to_string(module) + " has too",
                            "a nonce of its own"));
  }

  /// Adds the nonce of the module at `at`; returns the end of the module, 0 if its frame is broken.
  std::uint64_t one(const ChunkClaim& claim, const std::string& key, std::int64_t at, bool is_opened) {
    if (at < 0 || static_cast<std::uint64_t>(at) + kModuleHeadBytes > data_end_) return 0;
    const auto offset = static_cast<std::uint64_t>(at);
    const View head = window_.view(offset, kModuleHeadBytes);
    if (head.size() != kModuleHeadBytes) return 0;
    const std::uint64_t length = load_le<std::uint32_t>(head.data());
    if (length < kNonceBytes + kTagBytes || length > data_end_ - offset - kModuleLengthBytes) return 0;
    nonce(place_of(claim), key, head.part(kModuleLengthBytes, kNonceBytes), is_opened);
    return offset + kModuleLengthBytes + length;
  }

  /// Walks along headers and bodies in turn.
  void pages(const ChunkClaim& claim, const ColumnChunk& chunk, const std::string& key) {
    const ColumnMetaData& meta = chunk.meta_data;
    const ChunkStart start = chunk_start(meta);
    if (start.offset < static_cast<std::int64_t>(kMagicBytes) || meta.total_compressed_size <= 0 ||
        static_cast<std::uint64_t>(start.offset) >= data_end_)
      return;
    const auto begin = static_cast<std::uint64_t>(start.offset);
    const auto size = static_cast<std::uint64_t>(meta.total_compressed_size);
    if (size > data_end_ - begin) return;     // file/region-inside
    if (dictionary_after_data(meta)) return;  // column-chunk/dictionary-before-data
    const std::uint64_t end = begin + size;
    if (!chunk.opened && is_open(claim, begin, end)) return;
    std::uint64_t at = begin;
    std::uint64_t body = begin;  // the last one
    std::uint64_t first_body = begin;
    std::uint64_t modules = 0;
    std::array<std::uint64_t, kRecent> recent{};  // offsets of the last modules
    for (; at < end; ++modules) {
      const bool is_body = modules % 2 == 1;
      if (is_body) body = at;
      if (modules == 1) first_body = at;
      const std::uint64_t smallest = min_length(is_body);
      const std::uint64_t room = end - at;
      const View head = window_.view(at, std::min<std::uint64_t>(room, kModuleHeadBytes));
      if (head.empty()) return;
      const std::uint64_t length =
          head.size() >= kModuleLengthBytes ? load_le<std::uint32_t>(head.data()) : 0;
      if (head.size() < kModuleHeadBytes || length < smallest || length > room - kModuleLengthBytes) {
        // The reader of the pages reports what it decrypts.
        if (!chunk.opened && !holds_another(begin, end) &&
            !some_length_is_wrong(claim, recent, modules, end) &&
            !may_have_levels(claim, first_body, body, end))
          broken(claim, at, head.size(), length, smallest, room);
        return;
      }
      recent[modules % kRecent] = at;
      const bool is_authenticated = chunk.opened && (is_gcm_ || !is_body);
      nonce(place_of(claim), key, head.part(kModuleLengthBytes, kNonceBytes), is_authenticated);
      at += kModuleLengthBytes + length;
    }
    if (modules % 2 == 1 && !chunk.opened && !holds_another(begin, end) &&
        !may_have_levels(claim, first_body, body, end))
      broken(claim, at, 0, 0, kNonceBytes, 0);
    constexpr std::uint64_t kMost = std::uint64_t{encryption::kMaxOrdinal} + 1;
    // One of them may be a dictionary. With keys, who reads the pages knows.
    if (!chunk.opened && modules / 2 > kMost + 1) {
      FindingSite::of_chunk(check_, claim)
          .report(Rule::encryption_ordinal_limit, "meta_data.total_compressed_size",
                  contrast("pages is " + std::to_string(modules / 2), at_most(kMost)));
    }
  }

  [[nodiscard]] std::uint64_t min_length(bool is_body) const noexcept {
    return kNonceBytes + (is_body && is_ctr_ ? 0 : kTagBytes);
  }

  /// Returns the end of the module of a header or body at `at`, if it can have the length that it states, of
  /// at most `most`, before `end`; else 0.
  [[nodiscard]] std::uint64_t end_of(std::uint64_t at, bool is_body, std::uint64_t most, std::uint64_t end) {
    if (end - at < kModuleHeadBytes) return 0;
    const std::uint64_t length = length_at(at);
    const bool fits =
        length >= min_length(is_body) && length <= std::min(most, end - at - kModuleLengthBytes);
    return fits ? at + kModuleLengthBytes + length : 0;
  }

  [[nodiscard]] std::uint64_t length_at(std::uint64_t at) {
    const View bytes = window_.view(at, kModuleLengthBytes);
    return bytes.size() == kModuleLengthBytes ? load_le<std::uint32_t>(bytes.data()) : 0;
  }

  [[nodiscard]] bool has_levels(const ChunkClaim& claim) const {
    const Schema& schema = check_.footer.schema;
    return check_.footer.schema_usable && claim.leaf < schema.leaf_count() &&
           schema.leaf(claim.leaf).max_definition != 0;
  }

  /// Returns true if levels that are not encrypted may be before the module of the page at `body`, as some
  /// writers have them in v2 pages (encryption/v2-levels): after some bytes is a module that ends with the
  /// chunk, or before another module of the size of a header. At most kMostTried such modules are followed.
  [[nodiscard]] bool may_follow_levels(const ChunkClaim& claim, std::uint64_t body, std::uint64_t end) {
    constexpr std::uint64_t kMostLevels = std::uint64_t{1} << 16;
    constexpr unsigned kMostTried = 256;
    if (!has_levels(claim)) return false;
    const std::uint64_t last = body + std::min(end - body, kMostLevels);
    unsigned tried = 0;
    for (std::uint64_t at = body + 1; at + kModuleHeadBytes <= last && tried < kMostTried; ++at) {
      const std::uint64_t next = end_of(at, true, end, end);
      if (next == 0) continue;
      if (next == end) return true;
      ++tried;
      if (end_of(next, false, kMostHeader, end) != 0) return true;
    }
    return false;
  }

  /// Returns true if levels may be before the modules of pages. If the first body leads to the next page or
  /// to the end, they are not.
  [[nodiscard]] bool may_have_levels(const ChunkClaim& claim, std::uint64_t first, std::uint64_t last,
                                     std::uint64_t end) {
    const std::uint64_t header = end_of(first, true, end, end);
    const std::uint64_t body = header == 0 ? 0 : end_of(header, false, kMostHeader, end);
    if (header == end || (body != 0 && end_of(body, true, end, end) != 0)) return false;
    return may_follow_levels(claim, first, end) || may_follow_levels(claim, last, end);
  }

  /// Returns true if another structure begins within the pages: their size is at fault
  /// (file/regions-disjoint).
  [[nodiscard]] bool holds_another(std::uint64_t begin, std::uint64_t end) {
    if (!starts_) {
      starts_.emplace();
      for (const Region& region : check_.regions) starts_->push_back(region.offset);
      std::ranges::sort(*starts_);
    }
    const auto next = std::ranges::upper_bound(*starts_, begin);
    return next != starts_->end() && *next < end;
  }

  /// Returns how many modules follow one another from `at` on, the first of them a body if `is_body`, if the
  /// last one, a body, ends with the chunk; else 0. What only meets the end may be due to the stated size of
  /// the chunk.
  [[nodiscard]] std::uint64_t modules_to_end(std::uint64_t at, bool is_body, std::uint64_t end) {
    std::uint64_t modules = 0;
    for (; at < end && steps_ != 0; ++modules, --steps_, is_body = !is_body) {
      at = end_of(at, is_body, is_body ? end : encryption::kMaxSealedHeader, end);
      if (at == 0) return 0;
    }
    return at == end && !is_body ? modules : 0;
  }

  /// The length that a module has instead of the one that it states.
  struct TrueLength {
    std::uint64_t at = 0;
    std::uint64_t length = 0;
    std::uint64_t modules = 0;  ///< of the chunk, if it has this length; 0: none
  };

  /// Looks for lengths of the module `number` at `at` that lead to the end of the chunk. A header and a body
  /// have more bytes than kNear, so it is the end of no module after it.
  void find_length(const ChunkClaim& claim, std::uint64_t at, std::uint64_t number, std::uint64_t end,
                   TrueLength& best) {
    constexpr std::uint64_t kNear = 2 * kModuleHeadBytes + kTagBytes;
    constexpr std::uint64_t kMostTried = 4096;
    const bool is_body = number % 2 == 1;
    const std::uint64_t begin = at + kModuleLengthBytes;
    const std::uint64_t stated = length_at(at);
    const std::uint64_t first = std::max(min_length(is_body), stated - std::min(stated, kMostTried));
    // What follows a header may be levels that are not encrypted.
    const std::uint64_t longest = !is_body && has_levels(claim) ? stated : stated + kNear - 1;
    const std::uint64_t last = std::min(longest, end - begin);
    for (std::uint64_t length = first; length <= last; ++length) {
      if (length == stated) continue;
      const std::uint64_t more = modules_to_end(begin + length, !is_body, end);
      if (more != 0 && number + 1 + more > best.modules) best = {at, length, number + 1 + more};
    }
  }

  /// encryption/module-length, if one of the last modules states a wrong length, which may lead to bytes that
  /// look like the length of a module. Of several, the one with which the chunk has most modules: others leap
  /// over some. `modules`: their number so far.
  [[nodiscard]] bool some_length_is_wrong(const ChunkClaim& claim,
                                          const std::array<std::uint64_t, kRecent>& recent,
                                          std::uint64_t modules, std::uint64_t end) {
    TrueLength best;
    for (std::uint64_t back = std::min<std::uint64_t>(modules, kRecent); back > 0; --back)
      find_length(claim, recent[(modules - back) % kRecent], modules - back, end, best);
    if (best.modules == 0) return false;
    report_length(claim, best.at, kModuleLengthBytes, contrast(length_at(best.at), best.length));
    return true;
  }

  /// encryption/module-length
  void broken(const ChunkClaim& claim, std::uint64_t at, std::uint64_t held, std::uint64_t length,
              std::uint64_t smallest, std::uint64_t room) {
    const std::uint64_t field = std::min<std::uint64_t>(held, kModuleLengthBytes);
    const std::uint64_t most = room < kModuleLengthBytes ? 0 : room - kModuleLengthBytes;
    report_length(claim, at, field,
                  contrast(field < kModuleLengthBytes ? FindingValue(kAbsent) : FindingValue(length),
                           length < smallest || most < smallest ? or_more(smallest) : at_most(most)));
  }
  void report_length(const ChunkClaim& claim, std::uint64_t at, std::uint64_t field, Contrast what) {
    report_at(check_.outcome.findings, Rule::encryption_module_length, place_of(claim), at, field,
              std::move(what));
    check_.outcome.lost.push_back({LostPart::column_chunk, place_of(claim)});
    distrust(claim);
  }

  /// The bytes of the chunk are no evidence against other structures.
  void distrust(const ChunkClaim& claim) {
    const auto number = static_cast<std::size_t>(&claim - check_.footer.chunks.data());
    const auto chunk_of = [&](const Region& region) { return check_.footer.chunk_index(region); };
    // The regions are in the order of the chunks.
    for (Region& region : std::ranges::equal_range(check_.regions, number, {}, chunk_of))
      region.damaged |= region.kind == Region::Kind::column_chunk;
  }

  /// encryption/clear-pages: the bytes parse as a page header that ends within the chunk.
  bool is_open(const ChunkClaim& claim, std::uint64_t begin, std::uint64_t end) {
    PageReader reader(check_.input.source, check_.options.limits, 0);
    const std::uint64_t length = reader.clear_header(begin, end);
    if (length == 0) return false;
    report_at(check_.outcome.findings, Rule::encryption_clear_pages, place_of(claim), begin, length,
              contrast("a page header", "a module"));
    distrust(claim);
    return true;
  }

  FileCheck& check_;
  Window window_;
  std::uint64_t data_end_;
  bool is_gcm_ = false;
  bool is_ctr_ = false;
  std::unordered_map<std::string, std::uint64_t> nonces_;
  std::optional<std::vector<std::uint64_t>> starts_;  // of all regions, sorted
  std::uint64_t steps_ = std::uint64_t{1} << 24;      // that modules_to_end() may take, in all chunks
};

}  // namespace

void check_modules(FileCheck& check) {
  if (!check.footer.is_encrypted() || !check.footer.row_groups_complete || check.cancelled()) return;
  Modules modules(check);
  if (!modules.knows_algorithm()) return;
  modules.signature();
  for (const ChunkClaim& claim : check.footer.chunks) modules.chunk(claim);
}

}  // namespace parqproof
