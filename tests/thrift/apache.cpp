#include "tests/thrift/apache.hpp"

#include <bit>

namespace parqproof::test {
namespace {

using apache::thrift::TException;
using apache::thrift::protocol::TType;
using apache::thrift::transport::TMemoryBuffer;
using thrift::Event;
using thrift::Wire;

Wire wire_of(TType type) {
  switch (type) {
    case TType::T_BOOL:
      return Wire::bool_true;
    case TType::T_BYTE:
      return Wire::i8;
    case TType::T_I16:
      return Wire::i16;
    case TType::T_I32:
      return Wire::i32;
    case TType::T_I64:
      return Wire::i64;
    case TType::T_DOUBLE:
      return Wire::double_;
    case TType::T_STRING:
      return Wire::binary;
    case TType::T_LIST:
      return Wire::list;
    case TType::T_SET:
      return Wire::set;
    case TType::T_MAP:
      return Wire::map;
    case TType::T_STRUCT:
      return Wire::struct_;
    default:
      return Wire::stop;
  }
}

class ApacheWalker {
 public:
  ApacheWalker(std::span<const std::uint8_t> bytes, unsigned max_depth)
      : size_(bytes.size()),
        buffer_(std::make_shared<TMemoryBuffer>(const_cast<std::uint8_t*>(bytes.data()),
                                                static_cast<std::uint32_t>(bytes.size()))),
        protocol_(buffer_, kStringLimit, kContainerLimit),
        depth_left_(max_depth) {}

  NamelessWalk run() {
    try {
      structure();
      result_.intact = true;
    } catch (const TException&) {
    }
    result_.end = position();
    return std::move(result_);
  }

 private:
  // Small, so that a few bytes cannot request gigabytes; all inputs of the tests are shorter.
  static constexpr std::int32_t kStringLimit = 1 << 20;
  static constexpr std::int32_t kContainerLimit = 1 << 20;

  std::uint64_t position() const { return size_ - buffer_->available_read(); }

  void enter() {
    if (depth_left_ == 0) throw TException("too deep");
    --depth_left_;
  }

  void structure() {
    enter();
    std::string name;
    protocol_.readStructBegin(name);
    for (;;) {
      NamelessEvent event;
      event.header = position();
      TType type{};
      std::int16_t id = 0;
      protocol_.readFieldBegin(name, type, id);
      if (type == TType::T_STOP) break;
      event.id = id;
      value(type, event, type == TType::T_BOOL);
      protocol_.readFieldEnd();
    }
    protocol_.readStructEnd();
    ++depth_left_;
    close(Event::What::end_struct, position() - 1);
  }

  void close(Event::What what, std::uint64_t at) {
    NamelessEvent event;
    event.what = what;
    event.header = event.at = at;
    result_.events.push_back(std::move(event));
  }

  void value(TType type, NamelessEvent& event, bool in_header) {
    event.at = in_header ? event.header : position();
    event.wire = wire_of(type);
    switch (type) {
      case TType::T_BOOL: {
        bool flag = false;
        protocol_.readBool(flag);
        event.integer = flag ? 1 : 0;
        break;
      }
      case TType::T_BYTE:
        event.integer = number<std::int8_t>(&Protocol::readByte);
        break;
      case TType::T_I16:
        event.integer = number<std::int16_t>(&Protocol::readI16);
        break;
      case TType::T_I32:
        event.integer = number<std::int32_t>(&Protocol::readI32);
        break;
      case TType::T_I64:
        event.integer = number<std::int64_t>(&Protocol::readI64);
        break;
      case TType::T_DOUBLE:
        event.real = std::bit_cast<std::uint64_t>(number<double>(&Protocol::readDouble));
        break;
      case TType::T_STRING:
        protocol_.readBinary(event.bytes);
        break;
      case TType::T_LIST:
      case TType::T_SET: {
        TType element{};
        std::uint32_t count = 0;
        protocol_.readListBegin(element, count);
        container(event, count, element, element, false);
        return;
      }
      case TType::T_MAP: {
        TType key{};
        TType mapped{};
        std::uint32_t count = 0;
        protocol_.readMapBegin(key, mapped, count);
        container(event, count, key, mapped, true);
        return;
      }
      case TType::T_STRUCT:
        result_.events.push_back(event);
        structure();
        return;
      default:
        throw TException("no such type");
    }
    event.end = position();
    result_.events.push_back(event);
  }

  template <typename T>
  T number(std::uint32_t (Protocol::*read)(T&)) {
    T out{};
    (protocol_.*read)(out);
    return out;
  }

  void container(NamelessEvent& event, std::uint32_t count, TType first, TType second, bool pairs) {
    enter();
    event.integer = count;
    result_.events.push_back(event);
    for (std::uint32_t i = 0; i < count; ++i) {
      for (int part = 0; part < (pairs ? 2 : 1); ++part) {
        NamelessEvent inner;
        inner.what = !pairs ? Event::What::element : part == 0 ? Event::What::key : Event::What::value;
        inner.index = i;
        inner.header = position();
        value(part == 0 ? first : second, inner, false);
      }
    }
    ++depth_left_;
    close(Event::What::end_list, position());
  }

  std::uint64_t size_;
  std::shared_ptr<TMemoryBuffer> buffer_;
  Protocol protocol_;
  NamelessWalk result_;
  unsigned depth_left_;
};

class Recorder final : public thrift::Visitor {
 public:
  [[nodiscard]] bool event(const Event& event) override {
    NamelessEvent plain{event.what, event.wire, event.id,      event.index, event.header,
                        event.at,   event.end,  event.integer, 0,           {}};
    if (plain.wire == Wire::bool_false) plain.wire = Wire::bool_true;
    if (event.wire == Wire::double_) plain.real = std::bit_cast<std::uint64_t>(event.real);
    plain.bytes.assign(reinterpret_cast<const char*>(event.bytes.data()), event.bytes.size());
    events.push_back(std::move(plain));
    return true;
  }
  std::vector<NamelessEvent> events;
};

}  // namespace

NamelessWalk walk_with_apache(std::span<const std::uint8_t> bytes, unsigned max_depth) {
  return ApacheWalker(bytes, max_depth).run();
}

NamelessWalk walk_with_ours(std::span<const std::uint8_t> bytes, const thrift::StructType* type) {
  Recorder recorder;
  NamelessWalk result;
  result.intact = thrift::walk({bytes}, type, recorder, result.end) == thrift::WalkEnd::complete;
  result.events = std::move(recorder.events);
  return result;
}

}  // namespace parqproof::test
