// Reads Parquet files with arrow-rs, and hands what it reads to driver.py: for each path on stdin a line `rows N` with N bytes of
// an Arrow stream behind it, or a line `refused WHY` or `crashed WHY`.
use std::fs::File;
use std::io::{stdin, stdout, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

use arrow::ipc::writer::StreamWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

fn read(path: &str) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?)?.with_batch_size(1024).build()?;
    let mut writer = StreamWriter::try_new(Vec::new(), arrow::array::RecordBatchReader::schema(&reader).as_ref())?;
    for batch in reader {
        writer.write(&batch?)?;
    }
    Ok(writer.into_inner()?)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn main() -> std::io::Result<()> {
    let mut out = stdout().lock();
    for path in stdin().lock().lines() {
        let path = path?;
        match catch_unwind(AssertUnwindSafe(|| read(&path).map_err(|reason| reason.to_string()))) {
            Ok(Ok(stream)) => {
                writeln!(out, "rows {}", stream.len())?;
                out.write_all(&stream)?;
            }
            Ok(Err(reason)) => writeln!(out, "refused {}", one_line(&reason))?,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
                writeln!(out, "crashed panic: {}", one_line(text.unwrap_or("")))?;
            }
        }
        out.flush()?;
    }
    Ok(())
}
