// Decoders and encoders of the table of encodings, each distinct function and width once.
#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/encoding/dictionary_builder.hpp"
#include "codec/encoding/table.hpp"
#include "tests/benchmark/benchmarks.hpp"
#include "tests/benchmark/columns.hpp"

namespace parqproof::benchmarks {
namespace {

constexpr std::uint64_t kWork = std::uint64_t{1} << 30;  // never reached

/// The input of a benchmark, made when it first runs.
struct Case {
  Encoding encoding;
  Type type;
  Shape shape;
  EncodeOptions options{};

  [[nodiscard]] const Column& column() const {
    if (!column_) column_ = std::make_unique<Column>(encoding, type, shape);
    return *column_;
  }
  [[nodiscard]] const std::vector<std::uint8_t>& section() const {
    if (section_.empty()) encode(section_);
    return section_;
  }
  void encode(std::vector<std::uint8_t>& out) const {
    ValueEncoder encoder;
    encode(encoder, out);
  }
  void encode(ValueEncoder& encoder, std::vector<std::uint8_t>& out) const {
    out.clear();
    const NewSection opened{type, column().type_length(), options, out};
    const bool encoded = encoder.open(encoding, opened) && encoder.add(column().batch()) && encoder.finish();
    if (!encoded) out.clear();
  }
  [[nodiscard]] ValueSpec spec() const {
    return {.encoding = encoding,
            .type = type,
            .type_length = column().type_length(),
            .count = kValues,
            .dictionary_size = UINT32_MAX};
  }

  mutable std::unique_ptr<Column> column_{};
  mutable std::vector<std::uint8_t> section_{};
};

void measure_decoder(benchmark::State& state, const Case& of) {
  const View section{of.section()};
  const ValueSpec spec = of.spec();
  const Limits limits;
  ValueDecoder decoder;
  for (auto _ : state) {
    Notes notes;
    Budget budget(kWork);
    bool sound = decoder.open(section, spec, limits, budget, notes).has_value();
    for (std::uint64_t left = kValues; sound && left != 0;) {
      const Result<ValueBatch> batch = decoder.next();
      sound = batch.has_value() && batch->count != 0;
      if (sound) left -= batch->count;
    }
    if (!sound || !decoder.end()) return state.SkipWithError("the section is not sound");
    benchmark::ClobberMemory();
  }
  count(state, kValues, of.column().bytes());
}

void measure_encoder(benchmark::State& state, const Case& of) {
  ValueEncoder encoder;  // reused for every page
  std::vector<std::uint8_t> out;
  for (auto _ : state) {
    of.encode(encoder, out);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  if (out.empty()) return state.SkipWithError("the values are not encoded");
  count(state, kValues, of.column().bytes());
}

/// A dictionary of plain values, and the index of each.
void measure_dictionary(benchmark::State& state, const Case& of) {
  for (auto _ : state) {
    DictionaryBuilder builder(of.type, of.column().type_length());
    if (builder.add(of.column().batch()) != kValues) return state.SkipWithError("not all values were added");
    benchmark::DoNotOptimize(builder.indices().data());
    benchmark::ClobberMemory();
  }
  count(state, kValues, of.column().bytes());
}

/// Levels of an encoding for them, as random numbers and in runs.
struct LevelCase {
  Encoding encoding;
  Shape shape;
  EncodeOptions options{};
  std::vector<std::uint32_t> levels{};

  void encode(std::vector<std::uint8_t>& out) const {
    LevelEncoder encoder;
    if (!encoder.open(encoding, {shape.width, options, out})) return;
    encoder.add(levels);
    encoder.finish();
  }
};

void measure_level_decoder(benchmark::State& state, const LevelCase& of) {
  std::vector<std::uint8_t> bytes;
  of.encode(bytes);
  const auto decoder = std::make_unique<LevelDecoder>();
  const auto max = static_cast<std::uint32_t>(low_bits(of.shape.width));
  std::vector<std::uint32_t> short_runs(HybridDecoder::kBatch);
  for (auto _ : state) {
    Notes notes;
    bool sound = decoder->open(of.encoding, {View{bytes}, of.shape.width, kValues, notes}).has_value();
    for (std::uint64_t left = kValues; sound && left != 0;) {
      left -= decoder->next_short_runs(max, short_runs);
      const auto batch = decoder->next();
      sound = batch.has_value() && batch->count != 0;
      if (sound) left -= batch->count;
    }
    if (!sound) return state.SkipWithError("the levels are not sound");
    benchmark::ClobberMemory();
  }
  count(state, kValues, kValues * sizeof(std::uint32_t));
}

void measure_level_encoder(benchmark::State& state, const LevelCase& of) {
  std::vector<std::uint8_t> out;
  for (auto _ : state) {
    out.clear();
    of.encode(out);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  count(state, kValues, kValues * sizeof(std::uint32_t));
}

/// Adds one direction, with the reference kernels and with the fastest.
template <typename Of>
void add(const std::string& name, const std::shared_ptr<const Of>& of, auto measure) {
  for (const bool fast : {false, true}) {
    const Kernels& set = fast ? *all_kernels().back() : reference_kernels();
    const std::string full = name + (fast ? "/fast" : "/reference");
    benchmark::RegisterBenchmark(full.c_str(), [=, &set](benchmark::State& state) {
      use_kernels(set);
      measure(state, *of);
      use_kernels(*all_kernels().back());
    });
  }
}
template <typename Of>
void add(const std::string& name, const std::shared_ptr<const Of>& of, auto decode, auto encode) {
  add("decode/" + name, of, decode);
  add("encode/" + name, of, encode);
}

}  // namespace

void add_codecs() {
  // One function serves several types, and deprecated encodings too: it is measured once for each width.
  std::set<std::tuple<void*, void*, std::uint32_t, std::string>> known;
  std::vector<EncodingInfo> rows(all_encodings().begin(), all_encodings().end());
  std::ranges::stable_sort(rows, {}, &EncodingInfo::status);
  for (const EncodingInfo& row : rows) {
    for (std::size_t i = 0; i < kTypeCount; ++i) {
      const auto type = static_cast<Type>(i);
      const ValueCodec codec = row.codec(type);
      if (!codec.exists()) continue;
      for (const Shape& shape : shapes_of(row.encoding, type)) {
        const auto of = std::make_shared<const Case>(row.encoding, type, shape);
        const std::uint32_t width = fixed_width(type, of->column().type_length());
        const bool indices = of->column().batch().form == ValueBatch::Form::indices;
        if (!known
                 .insert({reinterpret_cast<void*>(codec.open_decoder),
                          reinterpret_cast<void*>(codec.open_encoder), indices ? 0 : width, shape.name()})
                 .second)
          continue;
        add_copy(of->column().bytes());
        const std::string_view of_type = indices ? "indices" : kTypeEnum.name_of(static_cast<int>(type));
        const std::string name = std::string(row.name()) + "/" + std::string(of_type) + "/" + shape.name();
        add(name, of, &measure_decoder, &measure_encoder);
        if (row.encoding != Encoding::PLAIN) continue;
        add("encode/dictionary page/" + std::string(of_type) + "/" + shape.name(), of, &measure_dictionary);
      }
    }
    if (!row.levels.exists()) continue;
    for (const Shape& shape : {Shape{1}, Shape{1, true}, Shape{1, false, true}, Shape{3}}) {
      auto of = std::make_shared<LevelCase>(row.encoding, shape);
      for (const std::uint64_t level : numbers_of(shape))
        of->levels.push_back(static_cast<std::uint32_t>(level));
      add_copy(kValues * sizeof(std::uint32_t));
      add(std::string(row.name()) + "/levels/" + shape.name(), std::shared_ptr<const LevelCase>(of),
          &measure_level_decoder, &measure_level_encoder);
    }
  }
}

}  // namespace parqproof::benchmarks
