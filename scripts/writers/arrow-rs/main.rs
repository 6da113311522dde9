//! Files by arrow-rs (crate parquet).
//!
//! usage: recipe DIR [NAME...]   writes DIR/NAME.parquet, one JSON line on stdout per file

mod columns;
mod data;

use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::data_type::*;
use parquet::file::properties::{
    BloomFilterPosition, DeltaBinaryPackedEncoderOptions, EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::json;
use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

type Outcome = Result<(), Box<dyn Error>>;
type Make = Box<dyn Fn(&Path) -> Outcome>;

/// The named files, in order; settings go into the manifest.
struct Recipes(Vec<(String, serde_json::Value, Make)>);

impl Recipes {
    fn add(&mut self, name: &str, settings: serde_json::Value, make: impl Fn(&Path) -> Outcome + 'static) {
        self.0.push((name.into(), settings, Box::new(make)));
    }

    /// A file of these Arrow columns, written with these properties.
    fn arrow(
        &mut self,
        name: &str,
        settings: serde_json::Value,
        rows: impl Fn() -> arrow::array::RecordBatch + 'static,
        change: impl Fn(WriterPropertiesBuilder) -> WriterPropertiesBuilder + 'static,
    ) {
        self.add(name, settings, move |path| {
            let batch = rows();
            let properties = change(WriterProperties::builder()).build();
            let mut writer = parquet::arrow::ArrowWriter::try_new(File::create(path)?, batch.schema(), Some(properties))?;
            writer.write(&batch)?;
            writer.close()?;
            Ok(())
        });
    }
}

fn codecs() -> Vec<(&'static str, Compression)> {
    vec![
        ("uncompressed", Compression::UNCOMPRESSED),
        ("snappy", Compression::SNAPPY),
        ("gzip", Compression::GZIP(GzipLevel::default())),
        ("brotli", Compression::BROTLI(BrotliLevel::default())),
        ("lz4", Compression::LZ4),
        ("zstd", Compression::ZSTD(ZstdLevel::default())),
        ("lz4-raw", Compression::LZ4_RAW),
    ]
}

fn arrow_files(all: &mut Recipes) {
    use columns::{few, flat, nested, times};
    use WriterVersion::{PARQUET_1_0, PARQUET_2_0};
    let same = |b: WriterPropertiesBuilder| b;

    all.arrow("default-flat", json!({}), || flat(60), same);
    all.arrow("default-times", json!({}), || times(30), same);
    all.arrow("default-nested", json!({}), || nested(40), same);
    all.arrow("coerced-types", json!({"coerce_types": true}), || times(30), |b| b.set_coerce_types(true));
    all.arrow("coerced-nested", json!({"coerce_types": true}), || nested(30), |b| b.set_coerce_types(true));
    all.arrow("v2-flat", json!({"writer_version": "2.0"}), || flat(60), |b| b.set_writer_version(PARQUET_2_0));
    all.arrow("v2-nested", json!({"writer_version": "2.0"}), || nested(40), |b| b.set_writer_version(PARQUET_2_0));
    for (name, codec) in codecs() {
        for (number, version) in [(1, PARQUET_1_0), (2, PARQUET_2_0)] {
            all.arrow(
                &format!("codec-{name}-v{number}"),
                json!({"compression": name, "writer_version": number}),
                || few(100),
                move |b| b.set_compression(codec).set_writer_version(version),
            );
        }
    }
    for (name, encoding) in [
        ("plain", Encoding::PLAIN),
        ("rle", Encoding::RLE),
        ("delta-binary-packed", Encoding::DELTA_BINARY_PACKED),
        ("delta-length-byte-array", Encoding::DELTA_LENGTH_BYTE_ARRAY),
        ("delta-byte-array", Encoding::DELTA_BYTE_ARRAY),
        ("byte-stream-split", Encoding::BYTE_STREAM_SPLIT),
        ("alp", Encoding::ALP),
    ] {
        for (number, version) in [(1, PARQUET_1_0), (2, PARQUET_2_0)] {
            for n in [1, 300] {
                if n == 1 && number == 1 {
                    continue;
                }
                all.arrow(
                    &format!("{name}-v{number}-{n}"),
                    json!({"encoding": name, "dictionary": false, "writer_version": number}),
                    move || columns::for_encoding(encoding, n),
                    move |b| b.set_encoding(encoding).set_dictionary_enabled(false).set_writer_version(version),
                );
            }
        }
    }
    all.arrow("alp-several-pages", json!({"encoding": "alp", "page_rows": 700}), || columns::prices(2500), |b| {
        b.set_encoding(Encoding::ALP).set_dictionary_enabled(false).set_data_page_row_count_limit(700).set_write_batch_size(100)
    });
    all.arrow("delta-block-256-of-8", json!({"delta_block": [256, 8], "dictionary": false}), || columns::for_encoding(Encoding::DELTA_BINARY_PACKED, 600), |b| {
        b.set_encoding(Encoding::DELTA_BINARY_PACKED)
            .set_dictionary_enabled(false)
            .set_delta_binary_packed_encoder_options(DeltaBinaryPackedEncoderOptions::try_new(256, 8).unwrap())
    });
    for (number, version) in [(1, PARQUET_1_0), (2, PARQUET_2_0)] {
        all.arrow(&format!("several-pages-v{number}"), json!({"page_rows": 50}), || few(400), move |b| {
            b.set_writer_version(version).set_data_page_row_count_limit(50).set_write_batch_size(10)
        });
        all.arrow(&format!("several-pages-nested-v{number}"), json!({"page_rows": 20}), || nested(120), move |b| {
            b.set_writer_version(version).set_data_page_row_count_limit(20).set_write_batch_size(5).set_compression(Compression::SNAPPY)
        });
    }
    all.arrow("dictionary-falls-back", json!({"dictionary_page_size_limit": 400}), || few(250), |b| {
        b.set_dictionary_page_size_limit(400).set_data_page_size_limit(2048).set_write_batch_size(64)
    });
    all.arrow("dictionary-off", json!({"dictionary": false}), || flat(40), |b| b.set_dictionary_enabled(false));
    all.arrow("several-row-groups", json!({"row_group_rows": 40}), || few(100), |b| b.set_max_row_group_row_count(Some(40)));
    all.arrow("statistics-off", json!({"statistics": "none"}), || few(40), |b| b.set_statistics_enabled(EnabledStatistics::None));
    all.arrow("statistics-chunk", json!({"statistics": "chunk"}), || few(40), |b| b.set_statistics_enabled(EnabledStatistics::Chunk));
    all.arrow("page-header-statistics", json!({"page_header_statistics": true}), || flat(40), |b| b.set_write_page_header_statistics(true));
    all.arrow("distinct-counts", json!({"distinct_values": true}), || flat(40), |b| b.set_write_row_group_number_distinct_values(true));
    all.arrow("truncated-statistics", json!({"truncate": 8}), columns::long_values, |b| {
        b.set_statistics_truncate_length(Some(8)).set_column_index_truncate_length(Some(5))
    });
    all.arrow("long-values", json!({"truncate": null}), columns::long_values, |b| {
        b.set_statistics_truncate_length(None).set_column_index_truncate_length(None)
    });
    all.arrow("offset-index-off", json!({"offset_index": false, "statistics": "chunk"}), || few(40), |b| {
        b.set_offset_index_disabled(true).set_statistics_enabled(EnabledStatistics::Chunk)
    });
    all.arrow("no-path-in-schema", json!({"path_in_schema": false}), || few(20), |b| b.set_write_path_in_schema(false));
    for (name, position) in [("end", BloomFilterPosition::End), ("after-row-group", BloomFilterPosition::AfterRowGroup)] {
        all.arrow(&format!("bloom-filters-{name}"), json!({"bloom_filter": true, "position": name, "ndv": 100}), || flat(90), move |b| {
            b.set_bloom_filter_enabled(true)
                .set_bloom_filter_max_ndv(100)
                .set_bloom_filter_position(position)
                .set_bloom_filter_for_dictionary_encoded_chunks(true)
                .set_max_row_group_row_count(Some(50))
        });
    }
    all.arrow("key-value-and-sorting", json!({"sorting_columns": [0, 2]}), || few(20), |b| {
        let note = |key: &str, value: Option<&str>| parquet::file::metadata::KeyValue { key: key.into(), value: value.map(Into::into) };
        let sorted = |column_idx, descending, nulls_first| parquet::file::metadata::SortingColumn { column_idx, descending, nulls_first };
        b.set_key_value_metadata(Some(vec![note("note", Some("größe")), note("only key", None)]))
            .set_sorting_columns(Some(vec![sorted(0, false, false), sorted(2, true, true)]))
    });
    all.arrow("zero-rows", json!({}), || flat(0), same);
    all.arrow("all-null", json!({}), columns::all_null, same);
    all.arrow("all-null-v2-snappy", json!({"writer_version": "2.0", "compression": "snappy"}), columns::all_null, |b| {
        b.set_writer_version(PARQUET_2_0).set_compression(Compression::SNAPPY)
    });
    all.arrow("nan", json!({}), columns::nan, same);
    all.arrow("nan-dictionary-off-v2", json!({"writer_version": "2.0", "dictionary": false}), columns::nan, |b| {
        b.set_writer_version(PARQUET_2_0).set_dictionary_enabled(false).set_data_page_row_count_limit(6).set_write_batch_size(3)
    });
    all.arrow("empty-strings", json!({}), columns::empty_strings, same);
    all.arrow("richest", json!({"writer_version": "2.0", "compression": "zstd", "bloom_filter": true}), || nested(150), |b| {
        b.set_writer_version(PARQUET_2_0)
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_bloom_filter_enabled(true)
            .set_bloom_filter_max_ndv(50)
            .set_data_page_row_count_limit(30)
            .set_write_batch_size(10)
            .set_write_page_header_statistics(true)
            .set_write_row_group_number_distinct_values(true)
            .set_max_row_group_row_count(Some(80))
    });
    all.arrow("variant", json!({}), columns::variant, same);
    for (name, by) in columns::shredding_types() {
        all.arrow(&format!("variant-shredded-{name}"), json!({"shredded_by": by.to_string()}), move || columns::shredded_variant(&by), same);
    }
    for (name, plaintext) in [("encrypted-footer", false), ("encrypted-columns", true)] {
        all.arrow(name, json!({"random": true, "plaintext_footer": plaintext, "keys": "footer 0123456789012345, price 1234567890123450"}), || few(30), move |b| {
            let keys = parquet::encryption::encrypt::FileEncryptionProperties::builder(b"0123456789012345".to_vec())
                .with_plaintext_footer(plaintext)
                .with_column_key("price", b"1234567890123450".to_vec());
            b.with_file_encryption_properties(keys.build().unwrap())
        });
    }
}

/// Every logical type on every carrier, written value by value.
const ALL_TYPES: &str = "message every_type {
    required boolean flag; optional int96 moment; required fixed_len_byte_array(3) fixed;
    required int32 i8 (INTEGER(8,true)); required int32 u16 (INTEGER(16,false)); required int64 u64 (INTEGER(64,false));
    required int32 d9 (DECIMAL(9,2)); required int64 d18 (DECIMAL(18,0)); required fixed_len_byte_array(16) d38 (DECIMAL(38,10)); optional binary dany (DECIMAL(40,3));
    required int32 day (DATE); required int32 ms (TIME(MILLIS,true)); required int64 us (TIME(MICROS,false)); required int64 ns (TIME(NANOS,true));
    required int64 at_ms (TIMESTAMP(MILLIS,true)); required int64 at_us (TIMESTAMP(MICROS,false)); required int64 at_ns (TIMESTAMP(NANOS,true));
    required fixed_len_byte_array(16) id (UUID); optional fixed_len_byte_array(2) half (FLOAT16); required fixed_len_byte_array(12) span (INTERVAL);
    required binary text (STRING); required binary mood (ENUM); required binary doc (JSON); required binary bson (BSON);
}";

fn every_type(path: &Path, n: usize, properties: WriterPropertiesBuilder) -> Outcome {
    let schema = Arc::new(parse_message_type(ALL_TYPES)?);
    let mut file = SerializedFileWriter::new(File::create(path)?, schema, Arc::new(properties.build()))?;
    let mut group = file.next_row_group()?;
    let mut index = 0u64;
    while let Some(mut column) = group.next_column()? {
        let name = column.untyped();
        use parquet::column::writer::ColumnWriter::*;
        let levels: Vec<i16> = (0..n).map(|i| (i % 3 != 1) as i16).collect();
        match name {
            BoolColumnWriter(w) => drop(w.write_batch(&(0..n).map(|i| i % 3 == 0).collect::<Vec<_>>(), None, None)?),
            Int32ColumnWriter(w) => {
                let values: Vec<i32> = (0..n).map(|i| (data::mix(i, index) % 128) as i32).collect();
                w.write_batch(&values, None, None)?;
            }
            Int64ColumnWriter(w) => {
                let values: Vec<i64> = (0..n).map(|i| (data::mix(i, index) % 86_399_000_000) as i64).collect();
                w.write_batch(&values, None, None)?;
            }
            Int96ColumnWriter(w) => {
                let values: Vec<Int96> = (0..n).filter(|i| i % 3 != 1).map(|i| {
                    let nanos = data::mix(i, index) % 86_400_000_000_000;
                    Int96::from(vec![nanos as u32, (nanos >> 32) as u32, 2_440_588 + i as u32 * 7])
                }).collect();
                w.write_batch(&values, Some(&levels), None)?;
            }
            ByteArrayColumnWriter(w) => {
                let optional = w.get_descriptor().max_def_level() == 1;
                let name = w.get_descriptor().name().to_string();
                let rows = (0..n).filter(|i| !optional || i % 3 != 1);
                let values: Vec<ByteArray> = rows.map(|i| data::annotated(&name, i).into()).collect();
                w.write_batch(&values, optional.then_some(&levels[..]), None)?;
            }
            FixedLenByteArrayColumnWriter(w) => {
                let optional = w.get_descriptor().max_def_level() == 1;
                let length = w.get_descriptor().type_length() as usize;
                let rows = (0..n).filter(|i| !optional || i % 3 != 1);
                let values: Vec<FixedLenByteArray> = rows.map(|i| {
                    let bytes = if length == 2 { half::f16::from_f32(i as f32 - 3.5).to_le_bytes().to_vec() } else { data::fixed(i, length) };
                    FixedLenByteArray::from(bytes)
                }).collect();
                w.write_batch(&values, optional.then_some(&levels[..]), None)?;
            }
            _ => unreachable!("the schema has no such column"),
        }
        column.close()?;
        index += 1;
    }
    group.close()?;
    file.close()?;
    Ok(())
}

fn low_level_files(all: &mut Recipes) {
    all.add("every-type", json!({"api": "SerializedFileWriter"}), |path| every_type(path, 20, WriterProperties::builder()));
    all.add("every-type-v2-lz4", json!({"api": "SerializedFileWriter", "writer_version": "2.0", "compression": "lz4", "dictionary": false}), |path| {
        let change = WriterProperties::builder().set_writer_version(WriterVersion::PARQUET_2_0);
        every_type(path, 20, change.set_compression(Compression::LZ4).set_dictionary_enabled(false))
    });
    all.add("no-row-groups", json!({"api": "SerializedFileWriter"}), |path| {
        let schema = Arc::new(parse_message_type("message schema { required int32 a; }")?);
        SerializedFileWriter::new(File::create(path)?, schema, Default::default())?.close()?;
        Ok(())
    });
    all.add("bare-repeated", json!({"api": "SerializedFileWriter"}), |path| {
        let schema = Arc::new(parse_message_type("message schema { repeated int32 a; repeated group b { optional int32 c; } }")?);
        let mut file = SerializedFileWriter::new(File::create(path)?, schema, Default::default())?;
        let mut group = file.next_row_group()?;
        // Three rows: [1, 2], [], [3, 4] in the first column, [7, null], [], [8] in the second.
        let columns: [(&[i32], &[i16], &[i16]); 2] =
            [(&[1, 2, 3, 4], &[1, 1, 0, 1, 1], &[0, 1, 0, 0, 1]), (&[7, 8], &[2, 1, 0, 2], &[0, 1, 0, 0])];
        for (values, definition, repetition) in columns {
            let mut column = group.next_column()?.ok_or("a column is missing")?;
            column.typed::<Int32Type>().write_batch(values, Some(definition), Some(repetition))?;
            column.close()?;
        }
        group.close()?;
        file.close()?;
        Ok(())
    });
}

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let out = PathBuf::from(arguments.first().ok_or("usage: recipe DIR [NAME...]")?);
    let mut all = Recipes(Vec::new());
    arrow_files(&mut all);
    low_level_files(&mut all);
    for (name, settings, make) in &all.0 {
        if arguments.len() > 1 && !arguments[1..].contains(name) {
            continue;
        }
        make(&out.join(format!("{name}.parquet"))).map_err(|reason| format!("{name}: {reason}"))?;
        println!("{}", json!({"name": name, "version": "60.1.0", "settings": settings}));
    }
    Ok(())
}
