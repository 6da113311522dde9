#include <algorithm>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/encryption/file_keys.hpp"
#include "codec/format/page_header.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/reader.hpp"

/// Why a module does not authenticate: its place, its key, or its bytes.
namespace parqproof::encryption {
namespace {

/// Keys and columns that are tried to distinguish a wrong key from changed bytes.
constexpr std::size_t kTriedKeys = 256;
constexpr std::int32_t kTriedColumns = 64;
/// Bytes of modules and AADs that are read at least to find the places of modules of each chunk; and what a
/// read costs apart from trials.
constexpr std::uint64_t kTriedBytesOfChunk = std::uint64_t{1} << 16;
constexpr std::uint64_t kBytesPerRead = 256;

}  // namespace

std::uint64_t FileKeys::search_budget(std::size_t chunks) noexcept {
  return std::max(kTriedBytes / chunks, kTriedBytesOfChunk);
}

bool FileKeys::is_right_for_footer(const Bytes& key, const Source& source, std::uint64_t end) const {
  return !ring_->is_of_some_column(key) && opens_some_page(key, source, end, std::nullopt, kTriedBytes);
}

namespace {

/// Returns the end of the page that is not encrypted and whose header begins at the first of `bytes`; 0 if
/// none does.
std::uint64_t end_of_clear_page(View bytes) {
  const Limits limits;
  PageHeader header;
  thrift::Reader reader(bytes, {}, limits);
  if (!reader.read(header) || reader.faults() != 0 || header.compressed_page_size < 0) return 0;
  return header.fields.end + static_cast<std::uint64_t>(header.compressed_page_size);
}

}  // namespace

/// The lengths of modules, and of pages that are not encrypted, lead from the first page of the file to the
/// next ones.
bool FileKeys::opens_some_page(std::span<const std::uint8_t> key, const Source& source, std::uint64_t end,
                               std::optional<ModulePlace> chunk, std::uint64_t budget) const {
  constexpr std::uint64_t kFirstPage = 4;  // after the magic
  ChunkCipher cipher = any_cipher(key, page_mode_);
  Bytes plain(kMaxSealedHeader);
  Bytes bytes;
  const auto spend = [&](std::uint64_t cost) {
    return std::exchange(budget, budget - std::min(cost, budget)) > cost;
  };
  for (std::uint64_t at = kFirstPage; at + kModuleFrameBytes <= end;) {
    bytes.resize(static_cast<std::size_t>(std::min(kModuleLengthBytes + kMaxSealedHeader, end - at)));
    if (!spend(kBytesPerRead) || !source.read(at, bytes)) return false;
    const View view{bytes, at, Space::file};
    const std::uint64_t length = load_le<std::uint32_t>(bytes.data());
    const bool is_module = length >= kNonceBytes && length <= end - at - kModuleLengthBytes;
    if (!is_module || length > kMaxSealedHeader) {
      const std::uint64_t next = end_of_clear_page(view);
      if (next > at && next <= end) {
        at = next;
        continue;
      }
    }
    if (!is_module) return false;
    const Result<Module> module = cut_module(view, Mode::gcm);
    if (module && length <= kMaxSealedHeader) {
      const std::uint64_t cost = cipher.cost_of(*module);
      const std::int32_t first = chunk ? chunk->column : 0;
      const std::int32_t last = chunk ? chunk->column : kTriedColumns - 1;
      for (std::int32_t column = first; column <= last; ++column) {
        for (const ModuleType type : {ModuleType::dictionary_page_header, ModuleType::data_page_header}) {
          if (!spend(cost)) return false;
          if (cipher.open(*module, {type, chunk ? chunk->row_group : 0, column, 0}, plain.data()))
            return true;
        }
      }
    }
    at += kModuleLengthBytes + length;
  }
  return false;
}

std::optional<ModulePlace> FileKeys::find_place(const Module& module, const NamedKey& key,
                                                const ModulePlace& place) const {
  ChunkCipher cipher = any_cipher(key.bytes, Mode::gcm);
  Bytes plain(module.ciphertext.size());
  // Each chunk has its share, so that the places found do not depend on the order of the chunks.
  std::uint64_t none = 0;
  const ChunkKey* const chunk = find(place.row_group, place.column);
  std::uint64_t& budget = chunk == nullptr ? none : chunk->budget;
  const std::uint64_t cost = cipher.cost_of(module);
  const auto opens = [&](const ModulePlace& tried) {
    if (budget < cost) return false;
    budget -= cost;
    return cipher.open(module, tried, plain.data());
  };
  const auto try_chunk = [&](std::int32_t row_group, std::int32_t column) -> std::optional<ModulePlace> {
    for (std::uint8_t type = 1; type < kModuleTypes; ++type) {
      const ModulePlace tried{static_cast<ModuleType>(type), row_group, column, place.page};
      if (opens(tried)) return tried;
    }
    return std::nullopt;
  };
  const bool is_body = is_page_body(place.type);
  const ModuleType types[] = {is_body ? ModuleType::data_page : ModuleType::data_page_header,
                              is_body ? ModuleType::data_page_header : ModuleType::data_page};
  const auto try_page = [&](std::int32_t row_group, std::int32_t column,
                            std::int32_t page) -> std::optional<ModulePlace> {
    if (page < 0 || page > kMaxOrdinal) return std::nullopt;
    for (const ModuleType type : types) {
      const ModulePlace tried{type, row_group, column, page};
      if (opens(tried)) return tried;
    }
    return std::nullopt;
  };
  if (opens({ModuleType::footer})) return ModulePlace{ModuleType::footer};
  if (const auto same = try_chunk(place.row_group, place.column)) return same;
  for (std::size_t group = 0; group < first_chunk_.size(); ++group) {
    for (std::int32_t column = 0; find(static_cast<std::int64_t>(group), column) != nullptr; ++column) {
      if (budget < cost) return std::nullopt;
      if (const auto found = try_chunk(static_cast<std::int32_t>(group), column)) return found;
    }
  }
  // The ordinals of pages, nearest first; of this chunk, then of the others.
  for (std::int32_t away = 1; away <= kMaxOrdinal && budget >= cost; ++away) {
    for (const std::int32_t page : {place.page - away, place.page + away}) {
      if (const auto found = try_page(place.row_group, place.column, page)) return found;
    }
  }
  for (std::size_t group = 0; group < first_chunk_.size(); ++group) {
    for (std::int32_t column = 0; find(static_cast<std::int64_t>(group), column) != nullptr; ++column) {
      for (std::int32_t page = 0; page < 64; ++page) {
        if (budget < cost) return std::nullopt;
        if (const auto found = try_page(static_cast<std::int32_t>(group), column, page)) return found;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> FileKeys::find_length(View bytes, std::span<const ModulePlace> places) const {
  constexpr std::uint64_t kSmallest = kNonceBytes + kTagBytes;
  constexpr std::uint64_t kNear = 32;
  constexpr std::uint64_t kLongNear = 512;  // longer headers are rare, and their trials cost more
  const ChunkKey* const chunk = find(places.front().row_group, places.front().column);
  if (chunk == nullptr || chunk->key < 0 || bytes.size() < kModuleFrameBytes) return std::nullopt;
  const NamedKey& key = keys_[static_cast<std::size_t>(chunk->key)];
  if (!key.proven) return std::nullopt;
  const std::uint64_t most = bytes.size() - kModuleLengthBytes;
  const std::uint64_t stated = load_le<std::uint32_t>(bytes.data());
  FoundLengths& lengths = chunk->lengths;
  const auto known = lengths.by_offset.find(bytes.base);
  // What one header has wrong, others have wrong by as much. Such a trial costs no more than to open a
  // header.
  const std::uint64_t likely = known != lengths.by_offset.end() ? known->second : stated + lengths.error;
  if (lengths.budget == 0 && (likely < kSmallest || likely > most)) return std::nullopt;
  ChunkCipher cipher = any_cipher(key.bytes, Mode::gcm);
  Bytes plain(bytes.size());
  const auto opens = [&](std::uint64_t length, bool is_free = false) {
    if (length < kSmallest || length > most || length == stated) return false;
    const Module module = cut_module_of(bytes, length, Mode::gcm);
    const std::uint64_t cost = cipher.cost_of(module);
    return std::ranges::any_of(places, [&](const ModulePlace& place) {
      if (!is_free && lengths.budget < cost) lengths.budget = 0;
      if (!is_free && lengths.budget == 0) return false;
      if (!is_free) lengths.budget -= cost;
      return cipher.open(module, place, plain.data());
    });
  };
  const auto found = [&](std::uint64_t length) {
    lengths.by_offset.emplace(bytes.base, length);
    lengths.error = length - stated;  // modulo 2^64
    return length;
  };
  if (opens(likely, true)) return likely;
  for (std::uint64_t away = 1; away <= kNear && stated <= kLongNear; ++away) {
    if (opens(stated + away)) return found(stated + away);
    if (stated > away && opens(stated - away)) return found(stated - away);
  }
  for (std::uint64_t length = kSmallest; length <= most && lengths.budget != 0; ++length) {
    if (opens(length)) return found(length);
  }
  return std::nullopt;
}

ModuleFault FileKeys::explain(const Module& module, View all, const ModulePlace& place) const {
  const ChunkKey* const chunk = find(place.row_group, place.column);
  const Contrast changed = contrast(describe(place), "the tag of its content and AAD");
  if (chunk == nullptr || chunk->key < 0 || module.tag.empty())
    return fault_at(Rule::encryption_tag, all, changed);
  const auto own = static_cast<std::size_t>(chunk->key);
  const auto misplaced = [&](const ModulePlace& found) {
    ModuleFault fault =
        fault_at(Rule::encryption_module_place, all, contrast(describe(found), describe(place)));
    fault.found = found;
    return fault;
  };
  if (const auto found = find_place(module, keys_[own], place)) return misplaced(*found);
  // Another key of the file: at this place, then at any place of a chunk.
  for (std::size_t i = 0; i < keys_.size() && i < kTriedKeys; ++i) {
    if (keys_[i].bytes == keys_[own].bytes) continue;
    ChunkCipher cipher = any_cipher(keys_[i].bytes, Mode::gcm);
    Bytes plain(module.ciphertext.size());
    if (cipher.open(module, place, plain.data())) {
      Contrast other = changed;
      other.detail =
          ", or it is encrypted with another key: it authenticates under the key of " + keys_[i].name;
      return fault_at(Rule::encryption_tag, all, std::move(other));
    }
    if (const auto found = i < 16 ? find_place(module, keys_[i], place) : std::nullopt)
      return misplaced(*found);
  }
  return fault_at(Rule::encryption_tag, all, changed);
}

}  // namespace parqproof::encryption
