#pragma once

#include <span>
#include <string>

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/write/sink.hpp"

namespace parqproof {

/// A file of a data set: its path from the folder of the summary, and its FileMetaData.
struct SummarizedFile {
  std::string path;
  View footer;
};

/// Writes the metadata file of a data set, `_metadata`: the row groups of all files, each column chunk with
/// the path of the file that has its pages (parquet.thrift#ColumnChunk.file_path). Without `row_groups` it is
/// `_common_metadata`: schema and key-value metadata alone. Fails if a footer cannot be read, or if the files
/// differ in schema or column orders.
[[nodiscard]] WriteStatus write_summary(std::span<const SummarizedFile> files, bool row_groups,
                                        const Limits& limits, Sink& sink);

}  // namespace parqproof
