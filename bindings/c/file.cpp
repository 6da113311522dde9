#include "bindings/c/file.hpp"

#include <utility>

#include "codec/base/composed_source.hpp"
#include "codec/encryption/file_keys.hpp"
#include "conformance/options/key_files.hpp"

namespace parqproof::c {
namespace {

/// Opens `source`, of the file at `path` if that is not empty.
std::unique_ptr<parqproof_file> open_file(std::unique_ptr<Source> source, const std::string& path,
                                          const parqproof_open_options* given) {
  parqproof_open_options defaults;
  parqproof_open_options_init(&defaults);
  const parqproof_open_options options = taken(given, defaults, "options");
  auto file = std::make_unique<parqproof_file>();
  file->path = path;
  file->name = word(options.name, path.empty() ? "-" : path.c_str());
  if (options.keys != nullptr) {
    Keys keys = keys_of_json(options.keys, "keys");
    if (!path.empty()) keys = keys_for_file(path, keys);
    source = std::make_unique<encryption::KeyedSource>(std::move(source), keys);
  }
  file->source = std::move(source);
  if (options.footer_at != PARQPROOF_NONE) {
    if (options.footer_at > file->source->size())
      fail(PARQPROOF_INVALID_ARGUMENT, "footer_at: the file ends before the requested footer");
    file->footer_at = options.footer_at;
    auto cut = std::make_unique<ComposedSource>();
    cut->add(*file->source, 0, options.footer_at);
    file->cut = std::move(cut);
  }
  return file;
}

}  // namespace

ReaderSource::ReaderSource(const parqproof_reader* reader) : reader_{} {
  required(reader, "reader");
  reader_ = taken(reader, parqproof_reader{}, "reader");
  if (reader_.file_size == nullptr || reader_.read == nullptr)
    fail(PARQPROOF_INVALID_ARGUMENT, "a callback of reader is NULL");
  if (const std::int32_t code = reader_.file_size(reader_.user, &size_); code != 0)
    throw Failure(PARQPROOF_CALLBACK, "reader.file_size returned " + std::to_string(code), code);
}

bool ReaderSource::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  if (offset > size_ || into.size() > size_ - offset) return false;
  if (into.empty()) return true;
  const std::lock_guard lock(mutex_);
  if (code_.load() != 0) return false;
  const std::int32_t code = reader_.read(reader_.user, offset, into.data(), into.size());
  if (code != 0) code_.store(code);
  return code == 0;
}

}  // namespace parqproof::c

using namespace parqproof;  // NOLINT(google-build-using-namespace): C has none

std::unique_ptr<Folder> parqproof_file::folder() const {
  std::string why;
  return path.empty() ? nullptr : Folder::of(path, why);
}

void parqproof_file::require_read() const {
  if (const std::int32_t code = reader == nullptr ? 0 : reader->code(); code != 0)
    throw c::Failure(PARQPROOF_CALLBACK, "reader.read returned " + std::to_string(code), code);
}

void parqproof_open_options_init(parqproof_open_options* options) {
  *options = {};
  options->size = sizeof *options;
  options->footer_at = PARQPROOF_NONE;
}

parqproof_status parqproof_open_path(const char* path, const parqproof_open_options* options,
                                     parqproof_file** file, parqproof_error* error) {
  if (file != nullptr) *file = nullptr;
  return c::guarded(error, [&] {
    c::required(file, "file");
    const std::string name(&c::required(path, "path"));
    std::string why;
    std::unique_ptr<Source> source = FileSource::open(name, why);
    if (source == nullptr) c::fail(PARQPROOF_IO, name + ": " + why);
    *file = c::open_file(std::move(source), name, options).release();
  });
}

parqproof_status parqproof_open_bytes(const void* bytes, size_t count, const parqproof_open_options* options,
                                      parqproof_file** file, parqproof_error* error) {
  if (file != nullptr) *file = nullptr;
  return c::guarded(error, [&] {
    c::required(file, "file");
    if (count != 0 && bytes == nullptr) c::fail(PARQPROOF_INVALID_ARGUMENT, "bytes is NULL");
    auto source = std::make_unique<MemorySource>(
        std::span<const std::uint8_t>(static_cast<const std::uint8_t*>(bytes), count));
    *file = c::open_file(std::move(source), {}, options).release();
  });
}

parqproof_status parqproof_open_reader(const parqproof_reader* reader, const parqproof_open_options* options,
                                       parqproof_file** file, parqproof_error* error) {
  if (file != nullptr) *file = nullptr;
  return c::guarded(error, [&] {
    c::required(file, "file");
    auto source = std::make_unique<c::ReaderSource>(reader);
    const c::ReaderSource* const kept = source.get();
    std::unique_ptr<parqproof_file> opened = c::open_file(std::move(source), {}, options);
    opened->reader = kept;
    *file = opened.release();
  });
}

void parqproof_close(parqproof_file* file) { delete file; }
