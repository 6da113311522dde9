#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/format/enums.hpp"
#include "codec/thrift/emitter.hpp"
#include "tests/support/bytes.hpp"

namespace support {

/// Bytes of the compact protocol, field by field, without any check of their meaning.
class Struct {
 public:
  Struct() { emitter_.begin_struct(); }
  Struct(const Struct&) = delete;

  Struct& i32(int id, std::int64_t value) { return integer(id, parqproof::thrift::Wire::i32, value); }
  Struct& i64(int id, std::int64_t value) { return integer(id, parqproof::thrift::Wire::i64, value); }
  Struct& flag(int id, bool value);
  Struct& text(int id, std::string_view value);
  /// A struct that is ended by end().
  Struct& begin(int id);
  Struct& end();
  /// The header of a list that claims `count` elements; they follow by element(), number(), name().
  Struct& list(int id, parqproof::thrift::Wire wire, std::uint64_t count);
  Struct& element();
  Struct& number(std::int64_t value);
  Struct& name(std::string_view value);
  Struct& raw(const Bytes& bytes);
  /// Ends the outermost struct, and gives its bytes.
  [[nodiscard]] Bytes bytes();

 private:
  Struct& integer(int id, parqproof::thrift::Wire wire, std::int64_t value);

  Bytes out_;
  parqproof::thrift::Emitter emitter_{out_};
};

/// A column of each row group of a file, and the claims of its metadata.
struct HostileColumn {
  parqproof::Type type = parqproof::Type::INT32;
  bool optional = false;
  bool repeated = false;
  std::int32_t type_length = -1;  ///< -1: absent
  parqproof::CompressionCodec codec = parqproof::CompressionCodec::UNCOMPRESSED;
  std::int64_t num_values = 0;
  Bytes dictionary = {};  ///< header and body of a dictionary page, or nothing
  Bytes pages = {};       ///< headers and bodies of the data pages
  std::vector<parqproof::Encoding> encodings = {parqproof::Encoding::PLAIN, parqproof::Encoding::RLE};
  std::int64_t uncompressed = -1;  ///< total_uncompressed_size; -1: what the pages take in the file
};

/// A v1 data page: header and body. -1: the size of the body.
[[nodiscard]] Bytes data_page(std::int64_t num_values, parqproof::Encoding encoding, const Bytes& body,
                              std::int64_t uncompressed = -1);
/// A dictionary page, likewise.
[[nodiscard]] Bytes dictionary_page(std::int64_t num_values, const Bytes& body,
                                    std::int64_t uncompressed = -1);

/// A run of the hybrid: `count` times one value of at most 8 bits.
[[nodiscard]] Bytes run(std::uint64_t count, std::uint8_t value);
/// Bytes preceded by their length in four bytes.
[[nodiscard]] Bytes sized(const Bytes& bytes);

/// The complete file; `rows` is the claim of each row group. All `groups` are alike.
[[nodiscard]] Bytes file_of(const std::vector<HostileColumn>& columns, std::int64_t rows,
                            std::int64_t groups = 1);
/// Appends version and schema of a file to its footer: a root with one INT32 column, "a".
void add_schema(Struct& footer);
/// Begins a row group with one chunk of the column "a", whose pages are at byte 4: all of ColumnMetaData is
/// there.
void begin_row_group(Struct& footer, std::int64_t num_values, std::int64_t uncompressed,
                     std::int64_t compressed);

/// A file with only a footer.
[[nodiscard]] Bytes file_of(const Bytes& footer, const Bytes& before = {});

}  // namespace support
