//! Asks parquet-rs for the rows of the cases, by its records, and prints a line for each wrong answer.
use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parqproof_corpus::{Answer, Suite, CASES};
use serde_json::{json, Value};

/// Features that the records do not have, or show in another form than `parqproof cat`.
const OTHER: [&str; 16] = [
    "ALP", "BSON", "DATE", "DECIMAL (*", "FILE",
    "FLOAT16", "GEOGRAPHY", "GEOMETRY", "GROUP_VAR_INT", "INT96", "INTERVAL", "LZO", "TIME*", "UNKNOWN (always null)", "UUID", "VARIANT",
];

fn real(shortest: String) -> Value {
    match shortest.as_str() {
        "inf" => json!("Infinity"),
        "-inf" => json!("-Infinity"),
        "NaN" => json!("NaN"),
        digits => serde_json::from_str(digits).expect("a number"),
    }
}

fn hex(bytes: &[u8]) -> Value {
    Value::String(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn value(field: &Field) -> Value {
    match field {
        Field::Float(number) => real(number.to_string()),
        Field::Double(number) => real(number.to_string()),
        Field::Bytes(bytes) => hex(bytes.data()),
        Field::Group(row) => object(row),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        Field::MapInternal(map) => {
            map.entries().iter().map(|(key, one)| json!({"key": value(key), "value": value(one)})).collect()
        }
        other => other.to_json_value(),
    }
}

fn object(row: &Row) -> Value {
    Value::Object(row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect())
}

fn rows(file: &[u8]) -> Result<Vec<Value>, parquet::errors::ParquetError> {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(file))?;
    let mut rows = Vec::new();
    for row in reader.get_row_iter(None)? {
        rows.push(object(&row?));
    }
    Ok(rows)
}

#[test]
fn reads() {
    let report = Suite::new().ignore(OTHER).run(|case| match rows(&case.bytes) {
        Ok(rows) => Answer::Rows(rows),
        Err(parquet::errors::ParquetError::NYI(what)) => Answer::Unsupported(what),
        Err(why) => Answer::Refused(why.to_string()),
    });
    for (file, fault) in &report.faults {
        println!("wrong\t{file}\t{}", fault.lines().next().unwrap_or_default());
    }
    let asked = report.right + report.unsupported + report.faults.len();
    println!("asked\t{asked}");
    assert_eq!(asked + report.ignored, CASES);
}
