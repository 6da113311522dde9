#include "conformance/diagnosis/doubts.hpp"

#include "codec/encryption/file_keys.hpp"
#include "conformance/diagnosis/structure_places.hpp"

namespace parqproof {

std::unique_ptr<ChunkDoubts> Diagnosis::of_chunks(const RegionMap& regions, std::uint64_t begin,
                                                  std::uint64_t end) const {
  return std::make_unique<ChunkDiagnosis>(regions, begin, end);
}

const FileDoubts& diagnosis() noexcept {
  static const Diagnosis kDiagnosis;
  return kDiagnosis;
}

bool is_decrypted(const Source& source) {
  return source.keys() != nullptr && source.keys()->opened() != nullptr;
}

const FileDoubts& diagnosis_of(const Source& source) {
  static const FileDoubts kNone;
  return is_decrypted(source) ? kNone : diagnosis();
}

}  // namespace parqproof
