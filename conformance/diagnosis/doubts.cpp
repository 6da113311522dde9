#include "conformance/diagnosis/doubts.hpp"

#include "conformance/diagnosis/page_repair.hpp"
#include "conformance/diagnosis/remains.hpp"
#include "conformance/diagnosis/schema_repair.hpp"
#include "conformance/diagnosis/structure_places.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

class Chunks final : public ChunkDoubts {
 public:
  Chunks(const RegionMap& regions, std::uint64_t begin, std::uint64_t end)
      : ChunkDoubts(regions), places_(regions, begin, end) {}

  [[nodiscard]] std::optional<Region> find_region(const Region& region, const Probe& probe) const override {
    return places_.find(region, probe);
  }
  void find_start(const ChunkScope& chunk, PageReader& reader, PageWalk& walk) const override {
    parqproof::find_start(chunk, places_, reader, walk);
  }
  [[nodiscard]] bool is_in_doubt(const ChunkScope& chunk, const PageWalk& walk,
                                 const Page& page) const override {
    return is_header_in_doubt(chunk, walk, page);
  }
  [[nodiscard]] std::unique_ptr<PageDoubts> of_pages(const ChunkScope& chunk,
                                                     const PageWalk& walk) const override {
    return search_page_fields(chunk, regions(), walk);
  }

 private:
  RegionFinder places_;
};

class Diagnosis final : public FileDoubts {
 public:
  [[nodiscard]] std::unique_ptr<ChunkDoubts> of_chunks(const RegionMap& regions, std::uint64_t begin,
                                                       std::uint64_t end) const override {
    return std::make_unique<Chunks>(regions, begin, end);
  }
  bool explain_footer_length(FileCheck& check) const override {
    return parqproof::explain_footer_length(check);
  }
  bool explain_joined_files(FileCheck& check) const override { return check_joined_files(check); }
  void explain_lengths_of_zero(FileCheck& check) const override { parqproof::explain_zero_lengths(check); }
  void explain_schema_names(FileCheck& check) const override { parqproof::explain_schema_names(check); }
  void report_earlier_footers(FileCheck& check, ByteRange gap) const override {
    check_earlier_footers(check, gap.begin, gap.end);
  }
  [[nodiscard]] std::optional<Remains> search_remains(FileCheck& check) const override {
    return parqproof::search_remains(check);
  }
};

const Diagnosis kDiagnosis;

}  // namespace

const FileDoubts& diagnosis() noexcept { return kDiagnosis; }

}  // namespace parqproof
