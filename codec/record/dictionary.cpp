#include "codec/record/dictionary.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "codec/rules/rule.hpp"

namespace parqproof {

Status Dictionary::open(View bytes, const Node& leaf, std::uint64_t count, const Limits& limits) {
  clear();
  ++version_;
  ValueSpec spec;
  spec.type = leaf.type;
  spec.type_length = static_cast<std::uint32_t>(std::max(leaf.type_length, 0));
  spec.count = count;
  spec.dictionary_page = true;
  width_ = fixed_width(spec.type, spec.type_length);
  bits_ = spec.type == Type::BOOLEAN;
  bytes_ = bytes.data();
  if (count != 0) {
    Notes notes;
    Budget budget(limits.work);
    ValueDecoder decoder;
    if (Status opened = decoder.open(bytes, spec, limits, budget, notes); !opened) return opened;
    if (spec.type == Type::BYTE_ARRAY) {  // entries of other types have computable offsets
      for (;;) {
        const Result<ValueBatch> batch = decoder.next();
        if (!batch) return std::unexpected(batch.error());
        if (batch->count == 0) break;
        entries_.insert(entries_.end(), batch->byte_arrays, batch->byte_arrays + batch->count);
      }
      if (Status ended = decoder.end(); !ended) return ended;
    }
  } else if (!bytes.empty()) {
    return std::unexpected(Error{bytes.base, 0, 0, 0, Rule::dictionary_entry_count, bytes.space});
  }
  count_ = count;
  known_ = true;
  return {};
}

Contrast entries_of(std::int64_t stated, const Error& error) {
  // The bytes do not divide into entries.
  if (stated == error.expected)
    return contrast(stated, std::to_string(error.expected) + " and a part of one");
  return contrast(stated, error.expected);
}

}  // namespace parqproof
