#include "bindings/c/calls.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <thread>
#include <utility>

namespace parqproof::c {
namespace {

constexpr std::chrono::milliseconds kPollInterval{50};

/// A part of a text that ends between two characters of UTF-8.
std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most != 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most);
}

}  // namespace

parqproof_status report_error(parqproof_error* error, parqproof_status status, std::string_view message,
                              std::int32_t callback_code) noexcept {
  if (error == nullptr || error->size < offsetof(parqproof_error, message) + 1) return status;
  error->code = status;
  error->callback_code = callback_code;
  const std::size_t room =
      std::min(error->size, sizeof(parqproof_error)) - offsetof(parqproof_error, message) - 1;
  const std::string_view shown = cut(message, room);
  if (!shown.empty()) std::memcpy(error->message, shown.data(), shown.size());
  error->message[shown.size()] = 0;
  return status;
}

void require_known_members(const void* given, std::size_t size, std::size_t known, const char* name) {
  if (size < sizeof(std::size_t)) fail(PARQPROOF_INVALID_ARGUMENT, std::string(name) + ".size is not set");
  const auto* const bytes = static_cast<const unsigned char*>(given);
  for (std::size_t i = known; i < size; ++i) {
    if (bytes[i] != 0) {
      fail(PARQPROOF_INVALID_ARGUMENT,
           std::string(name) + " has a member that this version of the library does not know");
    }
  }
}

std::vector<std::string> strings(const char* const* texts, std::size_t count, const char* name) {
  std::vector<std::string> out;
  out.reserve(count);
  if (count != 0) required(texts, name);
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(&required(texts[i], name));
  return out;
}

Limits limits_of(const parqproof_limits* limits) {
  const parqproof_limits given = taken(limits, parqproof_limits{}, "limits");
  Limits out;
  if (given.max_page != 0) out.page_bytes = given.max_page;
  if (given.max_memory != 0) out.memory_bytes = given.max_memory;
  if (given.max_work > 1000) fail(PARQPROOF_INVALID_ARGUMENT, "max_work is more than 1000");
  if (given.max_work != 0) out.work = given.max_work;
  if (given.max_depth > Limits::kDeepestSchema)
    fail(PARQPROOF_INVALID_ARGUMENT, "max_depth is more than " + std::to_string(Limits::kDeepestSchema));
  if (given.max_depth != 0) out.schema_depth = given.max_depth;
  return out;
}

Output::Output(const parqproof_sink* sink, const char* name) : sink_{}, name_(name) {
  required(sink, name);
  sink_ = taken(sink, parqproof_sink{}, name);
  if (sink_.write == nullptr) fail(PARQPROOF_INVALID_ARGUMENT, name_ + ".write is NULL");
}

bool Output::write(std::string_view text) {
  if (code_ == 0 && !text.empty()) code_ = sink_.write(sink_.user, text.data(), text.size());
  return code_ == 0;
}

void Output::finish() const {
  if (code_ != 0)
    throw Failure(PARQPROOF_CALLBACK, name_ + ".write returned " + std::to_string(code_), code_);
}

namespace {

/// Runs the work in a thread, and polls in this one until it ends.
void run_polled(const parqproof_control& control,
                const std::function<void(const std::atomic<bool>& cancelled)>& work,
                std::atomic<bool>& cancelled) {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      work(cancelled);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    is_done = true;
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, kPollInterval, [&] { return is_done; })) {
    lock.unlock();
    const bool by_canceller = control.canceller != nullptr && control.canceller->cancelled.load();
    if (!cancelled.load() && (by_canceller || control.poll(control.user) != 0)) cancelled.store(true);
    lock.lock();
  }
  lock.unlock();
  worker.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

void run_controlled(const parqproof_control* given,
                    const std::function<void(const std::atomic<bool>& cancelled)>& work) {
  const parqproof_control control = taken(given, parqproof_control{}, "control");
  static const std::atomic<bool> never{false};
  std::atomic<bool> polled{control.canceller != nullptr && control.canceller->cancelled.load()};
  const std::atomic<bool>* flag = control.canceller != nullptr ? &control.canceller->cancelled : &never;
  try {
    if (control.poll != nullptr) {
      flag = &polled;
      run_polled(control, work, polled);
    } else {
      work(*flag);
    }
  } catch (...) {
    if (!flag->load()) throw;  // else the work has failed because it was cancelled
  }
  if (flag->load()) fail(PARQPROOF_CANCELLED, "the call was cancelled");
}

}  // namespace parqproof::c
