//! Files by arrow-rs: reads jobs as JSON, one a line, and answers each with a line. A job reads the file `in` with `keys`, and writes its
//! rows to `out` as `form` and `layout` say. Keys are hex.

use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::arrow::ArrowWriter;
use parquet::encryption::decrypt::FileDecryptionProperties;
use parquet::encryption::encrypt::FileEncryptionProperties;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::schema::types::ColumnPath;
use serde_json::{json, Value};
use std::error::Error;
use std::fs::File;
use std::io::{stdin, stdout, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn text<'a>(value: &'a Value, name: &str) -> Outcome<&'a str> {
    value[name].as_str().ok_or_else(|| format!("{name} is no text").into())
}

fn number(value: &Value, name: &str) -> Outcome<usize> {
    Ok(value[name].as_u64().ok_or_else(|| format!("{name} is no number"))? as usize)
}

fn key(hex: &str) -> Outcome<Vec<u8>> {
    Ok((0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16)).collect::<Result<_, _>>()?)
}

/// The keys of columns, by path.
fn columns(keys: &Value) -> Outcome<Vec<(&str, Vec<u8>)>> {
    let Some(named) = keys["column_keys"].as_object() else { return Ok(Vec::new()) };
    named.iter().map(|(name, hex)| Ok((name.as_str(), key(hex.as_str().ok_or("a key is no text")?)?))).collect()
}

fn reader(job: &Value) -> Outcome<ParquetRecordBatchReaderBuilder<File>> {
    let keys = &job["keys"];
    let mut options = ArrowReaderOptions::new();
    if keys.is_object() {
        let mut properties = FileDecryptionProperties::builder(key(text(keys, "footer_key")?)?);
        for (name, bytes) in columns(keys)? {
            properties = properties.with_column_key(name, bytes);
        }
        if let Some(prefix) = keys["aad_prefix"].as_str() {
            properties = properties.with_aad_prefix(prefix.as_bytes().to_vec());
        }
        options = options.with_file_decryption_properties(properties.build()?);
    }
    Ok(ParquetRecordBatchReaderBuilder::try_new_with_options(File::open(text(job, "in")?)?, options)?)
}

fn properties(job: &Value) -> Outcome<WriterProperties> {
    let (form, layout) = (&job["form"], &job["layout"]);
    let version = if layout["page_version"] == 2 { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
    let mut builder = WriterProperties::builder()
        .set_writer_version(version)
        .set_max_row_group_row_count(Some(number(layout, "row_group_rows")?))
        .set_data_page_size_limit(number(layout, "page_bytes")?)
        .set_write_batch_size(16)
        .set_bloom_filter_for_dictionary_encoded_chunks(true);
    for name in layout["bloom"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let path = ColumnPath::new(name.split('.').map(String::from).collect());
        builder = builder.set_column_bloom_filter_enabled(path.clone(), true).set_column_bloom_filter_max_ndv(path, 50);
    }
    if form.is_object() {
        let mut encryption = FileEncryptionProperties::builder(key(text(form, "footer_key")?)?)
            .with_plaintext_footer(form["footer"] == "plaintext")
            .with_aad_prefix_storage(form["store_aad_prefix"].as_bool().unwrap_or(true));
        for (name, bytes) in columns(form)? {
            encryption = encryption.with_column_key(name, bytes);
        }
        if let Some(prefix) = form["aad_prefix"].as_str() {
            encryption = encryption.with_aad_prefix(prefix.as_bytes().to_vec());
        }
        builder = builder.with_file_encryption_properties(encryption.build()?);
    }
    Ok(builder.build())
}

fn act(job: &Value) -> Outcome {
    let reader = reader(job)?;
    let mut writer = ArrowWriter::try_new(File::create(text(job, "out")?)?, reader.schema().clone(), Some(properties(job)?))?;
    for batch in reader.build()? {
        writer.write(&batch?)?;
    }
    writer.close()?;
    Ok(())
}

fn answer(line: &str) -> Value {
    let done = catch_unwind(AssertUnwindSafe(|| {
        let job = serde_json::from_str(line).map_err(|reason| reason.to_string())?;
        act(&job).map_err(|reason| reason.to_string())
    }));
    match done {
        Ok(Ok(())) => json!({"done": true}),
        Ok(Err(reason)) => json!({"refused": reason}),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            json!({"crashed": text.unwrap_or("a panic")})
        }
    }
}

fn main() -> Outcome {
    if std::env::args().nth(1).as_deref() == Some("--version") {
        println!("arrow-rs 60.1.0");
        return Ok(());
    }
    std::panic::set_hook(Box::new(|_| {}));
    for line in stdin().lock().lines() {
        writeln!(stdout(), "{}", answer(&line?))?;
    }
    Ok(())
}
