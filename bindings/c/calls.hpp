#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/c/parqproof.h"
#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/write/sink.hpp"
#include "conformance/options/refuse.hpp"
#include "conformance/report/out.hpp"

struct parqproof_canceller {
  std::atomic<bool> cancelled{false};
};

/// What functions of the C interface have in common: no exception leaves them, structs of other versions are
/// read, results of callbacks become errors.
namespace parqproof::c {

/// Ends a call with a status.
class Failure : public std::exception {
 public:
  Failure(parqproof_status status, std::string message, std::int32_t callback_code = 0)
      : status_(status), message_(std::move(message)), callback_code_(callback_code) {}

  [[nodiscard]] parqproof_status status() const noexcept { return status_; }
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }
  [[nodiscard]] std::int32_t callback_code() const noexcept { return callback_code_; }

 private:
  parqproof_status status_;
  std::string message_;
  std::int32_t callback_code_;
};

[[noreturn]] inline void fail(parqproof_status status, const std::string& message) {
  throw Failure(status, message);
}

/// Fills `error` if it is not null and has a size; returns the status.
parqproof_status report_error(parqproof_error* error, parqproof_status status, std::string_view message,
                              std::int32_t callback_code) noexcept;

/// Runs a call; every exception becomes a status.
template <typename Call>
parqproof_status guarded(parqproof_error* error, Call&& call) noexcept {
  try {
    call();
    return report_error(error, PARQPROOF_OK, {}, 0);
  } catch (const Failure& failure) {
    return report_error(error, failure.status(), failure.what(), failure.callback_code());
  } catch (const OptionError& refused) {
    return report_error(error, PARQPROOF_INVALID_ARGUMENT, refused.what(), 0);
  } catch (const std::bad_alloc&) {
    return report_error(error, PARQPROOF_NO_MEMORY, "not enough memory", 0);
  } catch (const std::exception& unexpected) {
    return report_error(error, PARQPROOF_INTERNAL, unexpected.what(), 0);
  } catch (...) {
    return report_error(error, PARQPROOF_INTERNAL, "unknown exception", 0);
  }
}

/// Fails unless the pointer is set.
template <typename Object>
Object& required(Object* object, const char* name) {
  if (object == nullptr) fail(PARQPROOF_INVALID_ARGUMENT, std::string(name) + " is NULL");
  return *object;
}

/// Fails if a caller of a later version has set a member that this version does not know.
void require_known_members(const void* given, std::size_t size, std::size_t known, const char* name);

/// A struct of the caller, whose version may have fewer members: these keep their values in `defaults`.
template <typename Struct>
[[nodiscard]] Struct taken(const Struct* given, Struct defaults, const char* name) {
  if (given == nullptr) return defaults;
  require_known_members(given, given->size, sizeof(Struct), name);
  std::memcpy(&defaults, given, std::min(given->size, sizeof(Struct)));
  defaults.size = sizeof(Struct);
  return defaults;
}

/// Fills a struct of the caller, whose version may have fewer members.
template <typename Struct>
void give(Struct* to, Struct value, const char* name) {
  const std::size_t size = required(to, name).size;
  if (size < sizeof(std::size_t)) fail(PARQPROOF_INVALID_ARGUMENT, std::string(name) + ".size is not set");
  value.size = size;
  std::memcpy(to, &value, std::min(size, sizeof(Struct)));
}

/// `count` strings, none of which is NULL.
[[nodiscard]] std::vector<std::string> strings(const char* const* texts, std::size_t count, const char* name);
/// A string that may be NULL.
[[nodiscard]] inline std::string word(const char* text, const char* if_null) {
  return text == nullptr ? if_null : text;
}

[[nodiscard]] Limits limits_of(const parqproof_limits* limits);

/// Output to a sink of the caller. write() returns false once it has failed; finish() throws then.
class Output {
 public:
  Output(const parqproof_sink* sink, const char* name);

  bool write(std::string_view text);
  /// An Out into the sink, which must be flushed before finish().
  [[nodiscard]] std::function<bool(std::string_view)> writer() {
    return [this](std::string_view text) { return write(text); };
  }
  void finish() const;

 private:
  parqproof_sink sink_;
  std::string name_;
  std::int32_t code_ = 0;
};

/// Output of lines that the caller may not want.
class Notes {
 public:
  explicit Notes(const parqproof_sink* sink) {
    if (sink != nullptr) output_ = std::make_unique<Output>(sink, "notes");
  }
  void line(const std::string& text) {
    if (output_ != nullptr) output_->write(text + "\n");
  }
  void finish() const {
    if (output_ != nullptr) output_->finish();
  }

 private:
  std::unique_ptr<Output> output_;
};

/// Writes all that `write` writes to the sink.
template <typename Write>
void write_out(const parqproof_sink* sink, Write&& write) {
  Output output(sink, "sink");
  {
    Out out(output.writer());
    write(out);
  }
  output.finish();
}

/// Runs `work` with the flag that ends it, and in a thread of its own if the caller polls. Throws
/// Failure(PARQPROOF_CANCELLED) if the flag is set at the end, else passes on exceptions of the work.
void run_controlled(const parqproof_control* given,
                    const std::function<void(const std::atomic<bool>& cancelled)>& work);

/// A source whose reads fail once a call is cancelled, for work that has no flag. The caller keeps both
/// alive.
class CancellableSource final : public Source {
 public:
  CancellableSource(const Source& source, const std::atomic<bool>& cancelled) noexcept
      : source_(source), cancelled_(cancelled) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return source_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    return !cancelled_.load(std::memory_order_relaxed) && source_.read(offset, into);
  }
  [[nodiscard]] encryption::FileKeys* keys() const noexcept override { return source_.keys(); }

 private:
  const Source& source_;
  const std::atomic<bool>& cancelled_;
};

}  // namespace parqproof::c
