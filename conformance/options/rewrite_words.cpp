#include "conformance/options/rewrite_words.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>

#include "codec/compression/table.hpp"
#include "codec/encoding/table.hpp"
#include "conformance/options/refuse.hpp"

namespace parqproof {

void add_encoding(const std::string& option, const std::string& text, RewriteOptions& options) {
  const std::size_t split = text.rfind('=');
  const std::string column = split == std::string::npos ? std::string() : text.substr(0, split);
  const std::string name = split == std::string::npos ? text : text.substr(split + 1);
  const EncodingInfo* const encoding = find_encoding(name);
  if (encoding == nullptr)
    refuse(option + ": '" + name + "' is no encoding; `parqproof encodings` lists them");
  if (split == 0) refuse(option + ": '" + text + "' has no column before =");
  options.encodings.emplace_back(column, encoding->encoding);
}

void set_compression(const std::string& option, const std::string& text, RewriteOptions& options) {
  const std::size_t split = text.find(':');
  const std::string name = text.substr(0, split);
  for (const CompressionInfo& codec : all_compression_codecs()) {
    if (codec.name() == name) options.codec = codec.codec;
  }
  if (!options.codec) refuse(option + ": '" + name + "' is no codec");
  if (split == std::string::npos) return;
  int level = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + split + 1, end, level);
  if (read.ec != std::errc() || read.ptr != end) refuse(option + ": '" + text + "' has no level after :");
  const CompressionInfo& info = *find_compression(*options.codec);
  if (!info.levels || level < info.levels->min || level > info.levels->max)
    refuse(option + ": " + name + " has no level " + std::to_string(level));
  options.level = level;
}

}  // namespace parqproof
