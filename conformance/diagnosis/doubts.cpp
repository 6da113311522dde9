#include "conformance/diagnosis/doubts.hpp"

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

bool is_decrypted(const FileCheck& check) { return check.footer.frame.opened != nullptr; }

const FileDoubts& Diagnosis::about(const FileCheck& check) const {
  static const FileDoubts kNone;
  return is_decrypted(check) ? kNone : *this;
}

}  // namespace parqproof
