#include "codec/compression/blocks.hpp"

namespace parqproof {

Status expand_measured(Expansion& expansion, const BlockFormat& format, const Extent& extent) {
  const View stored = expansion.stored();
  if (extent.produced > expansion.claimed()) return expansion.too_long(extent.produced);
  if (const Status room = expansion.reserve(extent.produced); !room) return room;
  if (!format.expand(stored.part(0, extent.used), expansion.next(), extent.produced))
    return expansion.refused();
  expansion.advance(extent.produced);
  // compression/trailing-bytes
  if (extent.used < stored.size()) expansion.note_trailing(extent.used);
  return {};
}

}  // namespace parqproof
