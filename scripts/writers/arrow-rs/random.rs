//! Random files by arrow-rs: of each DIR/NAME.json (settings) and DIR/NAME.arrow (rows) it makes DIR/NAME.parquet, and names on
//! stdout what cannot be written.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::ipc::reader::FileReader;
use parquet::arrow::{ArrowSchemaConverter, ArrowWriter};
use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, Type, ZstdLevel};
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{BloomFilterPosition, EnabledStatistics, WriterProperties, WriterVersion};
use serde_json::Value;
use std::error::Error;
use std::fs::{read_to_string, File};
use std::path::Path;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn encoding_of(policy: &str, kind: Type) -> Option<Encoding> {
    let number = matches!(kind, Type::INT32 | Type::INT64);
    match policy {
        "plain" => Some(Encoding::PLAIN),
        "delta" if number => Some(Encoding::DELTA_BINARY_PACKED),
        "delta" if kind == Type::BYTE_ARRAY => Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
        "delta_byte_array" if matches!(kind, Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY) => Some(Encoding::DELTA_BYTE_ARRAY),
        "split" if number || matches!(kind, Type::FLOAT | Type::DOUBLE | Type::FIXED_LEN_BYTE_ARRAY) => Some(Encoding::BYTE_STREAM_SPLIT),
        "alp" if matches!(kind, Type::FLOAT | Type::DOUBLE) => Some(Encoding::ALP),
        "rle" if kind == Type::BOOLEAN => Some(Encoding::RLE),
        _ => None,
    }
}

fn flag(plan: &Value, name: &str) -> bool {
    plan[name].as_bool().unwrap_or(false)
}

fn number(plan: &Value, name: &str) -> Option<usize> {
    plan[name].as_u64().map(|n| n as usize)
}

fn properties(plan: &Value, schema: &SchemaRef) -> Outcome<WriterProperties> {
    let mut b = WriterProperties::builder();
    if plan["writer_version"] == 2 {
        b = b.set_writer_version(WriterVersion::PARQUET_2_0);
    }
    b = b.set_compression(match plan["compression"].as_str().unwrap_or("") {
        "snappy" => Compression::SNAPPY,
        "gzip" => Compression::GZIP(GzipLevel::default()),
        "brotli" => Compression::BROTLI(BrotliLevel::default()),
        "lz4" => Compression::LZ4,
        "zstd" => Compression::ZSTD(ZstdLevel::default()),
        "lz4_raw" => Compression::LZ4_RAW,
        _ => Compression::UNCOMPRESSED,
    });
    let policy = plan["encoding"].as_str().unwrap_or("dictionary");
    b = b.set_dictionary_enabled(policy == "dictionary" || policy == "fallback");
    if policy == "fallback" {
        b = b.set_dictionary_page_size_limit(64);
    }
    let leaves = ArrowSchemaConverter::new().with_coerce_types(flag(plan, "coerce_types")).convert(schema)?;
    for leaf in leaves.columns() {
        if let Some(encoding) = encoding_of(policy, leaf.physical_type()) {
            b = b.set_column_encoding(leaf.path().clone(), encoding);
        }
        if plan["bloom"].is_string() && leaf.physical_type() != Type::BOOLEAN {
            b = b.set_column_bloom_filter_enabled(leaf.path().clone(), true);
            b = b.set_column_bloom_filter_max_ndv(leaf.path().clone(), if plan["bloom"] == "small" { 3 } else { 200 });
        }
    }
    if plan["bloom_position"] == "end" {
        b = b.set_bloom_filter_position(BloomFilterPosition::End);
    }
    if flag(plan, "bloom_dictionary") {
        b = b.set_bloom_filter_for_dictionary_encoded_chunks(true);
    }
    if let Some(n) = number(plan, "page_rows") {
        b = b.set_data_page_row_count_limit(n).set_write_batch_size(7);
    }
    if let Some(n) = number(plan, "page_bytes") {
        b = b.set_data_page_size_limit(n).set_write_batch_size(16);
    }
    if let Some(n) = number(plan, "row_group_rows") {
        b = b.set_max_row_group_row_count(Some(n));
    }
    b = b.set_statistics_enabled(match plan["statistics"].as_str().unwrap_or("page") {
        "none" => EnabledStatistics::None,
        "chunk" => EnabledStatistics::Chunk,
        _ => EnabledStatistics::Page,
    });
    if flag(plan, "truncate") {
        b = b.set_statistics_truncate_length(Some(6)).set_column_index_truncate_length(Some(4));
    }
    b = b.set_write_page_header_statistics(flag(plan, "page_header_statistics"));
    b = b.set_write_row_group_number_distinct_values(flag(plan, "distinct"));
    b = b.set_coerce_types(flag(plan, "coerce_types"));
    if let Some(order) = plan["order"].as_array().filter(|order| !order.is_empty()) {
        let columns = order.iter().map(|one| SortingColumn {
            column_idx: one[0].as_i64().unwrap_or(0) as i32,
            descending: one[1].as_bool().unwrap_or(false),
            nulls_first: one[2].as_bool().unwrap_or(false),
        });
        b = b.set_sorting_columns(Some(columns.collect()));
    }
    Ok(b.build())
}

fn make(plan: &Value, rows: &Path, out: &Path) -> Outcome {
    let reader = FileReader::try_new(File::open(rows)?, None)?;
    let schema = reader.schema();
    let batches: Vec<RecordBatch> = reader.collect::<Result<_, _>>()?;
    let mut writer = ArrowWriter::try_new(File::create(out)?, schema.clone(), Some(properties(plan, &schema)?))?;
    for batch in &batches {
        writer.write(batch)?;
    }
    writer.close()?;
    Ok(())
}

fn main() -> Outcome {
    for entry in std::fs::read_dir(std::env::args().nth(1).ok_or("usage: random DIR")?)? {
        let path = entry?.path();
        if path.extension().map_or(true, |e| e != "json") {
            continue;
        }
        let plan: Value = serde_json::from_str(&read_to_string(&path)?)?;
        let out = path.with_extension("parquet");
        let done = std::panic::catch_unwind(|| make(&plan, &path.with_extension("arrow"), &out).map_err(|e| e.to_string()));
        match done {
            Ok(Ok(())) => {}
            Ok(Err(reason)) => {
                println!("{}: {reason}", out.display());
                let _ = std::fs::remove_file(&out);
            }
            Err(_) => {
                println!("{}: panic", out.display());
                let _ = std::fs::remove_file(&out);
            }
        }
    }
    Ok(())
}
