//! Record batches for the recipes.

use crate::data::*;
use arrow::array::*;
use arrow::datatypes::*;
use arrow::json::ReaderBuilder;
use parquet::basic::Encoding;
use serde_json::{json, Value};
use std::sync::Arc;

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

fn maybe<T>(i: usize, value: T) -> Option<T> {
    (!hole(i)).then_some(value)
}

macro_rules! numbers {
    ($array:ty, $native:ty, $n:expr) => {
        Arc::new((0..$n).map(|i| match i {
            0 => Some(<$native>::MIN),
            1 => Some(<$native>::MAX),
            _ => maybe(i, mix(i, 3) as $native),
        }).collect::<$array>()) as ArrayRef
    };
}

fn doubles(n: usize) -> ArrayRef {
    Arc::new((0..n).map(|i| maybe(i, real(i))).collect::<Float64Array>())
}

fn floats(n: usize) -> ArrayRef {
    Arc::new((0..n).map(|i| maybe(i, real(i) as f32)).collect::<Float32Array>())
}

fn texts(n: usize) -> ArrayRef {
    Arc::new((0..n).map(|i| maybe(i, text(i))).collect::<StringArray>())
}

fn blobs(n: usize) -> ArrayRef {
    Arc::new((0..n).map(|i| maybe(i, blob(i))).collect::<BinaryArray>())
}

fn keys(n: usize) -> ArrayRef {
    Arc::new(StringArray::from_iter_values((0..n).map(key)))
}

fn fixeds(n: usize, length: usize) -> ArrayRef {
    let rows = (0..n).map(|i| maybe(i, fixed(i, length)));
    Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(rows, length as i32).unwrap())
}

fn steps(n: usize) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values((0..n).map(|i| 1_700_000_000_000 + 1000 * i as i64 + (mix(i, 80) % 7) as i64)))
}

/// One column of every ordinary Arrow type.
pub fn flat(n: usize) -> RecordBatch {
    batch(vec![
        ("bool", Arc::new((0..n).map(|i| maybe(i, i % 2 == 0)).collect::<BooleanArray>())),
        ("i8", numbers!(Int8Array, i8, n)),
        ("u8", numbers!(UInt8Array, u8, n)),
        ("i16", numbers!(Int16Array, i16, n)),
        ("u16", numbers!(UInt16Array, u16, n)),
        ("i32", numbers!(Int32Array, i32, n)),
        ("u32", numbers!(UInt32Array, u32, n)),
        ("i64", numbers!(Int64Array, i64, n)),
        ("u64", numbers!(UInt64Array, u64, n)),
        ("f16", Arc::new((0..n).map(|i| maybe(i, half::f16::from_f64(real(i)))).collect::<Float16Array>())),
        ("f32", floats(n)),
        ("f64", doubles(n)),
        ("text", texts(n)),
        ("blob", blobs(n)),
        ("fixed", fixeds(n, 5)),
        ("words", Arc::new((0..n).map(text).collect::<Vec<_>>().iter().map(|s| Some(s.as_str())).collect::<DictionaryArray<Int8Type>>())),
    ])
}

/// Dates, times, timestamps, durations, intervals and decimals.
pub fn times(n: usize) -> RecordBatch {
    let decimal = |i: usize, limit: i128| maybe(i, ((mix(i, 11) >> 1) as i128 * (mix(i, 12) >> 1) as i128) % limit - limit / 2);
    let moment = |i: usize| (mix(i, 15) % 6_300_000_000_000) as i64 - 2_200_000_000_000;
    batch(vec![
        ("date32", Arc::new((0..n).map(|i| maybe(i, mix(i, 13) as i32 % 40000)).collect::<Date32Array>())),
        ("date64", Arc::new((0..n).map(|i| maybe(i, (mix(i, 13) % 40000) as i64 * 86_400_000)).collect::<Date64Array>())),
        ("time_s", Arc::new((0..n).map(|i| maybe(i, (mix(i, 14) % 86400) as i32)).collect::<Time32SecondArray>())),
        ("time_ms", Arc::new((0..n).map(|i| maybe(i, (mix(i, 14) % 86_400_000) as i32)).collect::<Time32MillisecondArray>())),
        ("time_us", Arc::new((0..n).map(|i| maybe(i, (mix(i, 14) % 86_400_000_000) as i64)).collect::<Time64MicrosecondArray>())),
        ("time_ns", Arc::new((0..n).map(|i| maybe(i, (mix(i, 14) % 86_400_000_000_000) as i64)).collect::<Time64NanosecondArray>())),
        ("at_s", Arc::new((0..n).map(|i| maybe(i, moment(i) / 1000)).collect::<TimestampSecondArray>())),
        ("at_ms", Arc::new((0..n).map(|i| maybe(i, moment(i))).collect::<TimestampMillisecondArray>())),
        ("at_us", Arc::new((0..n).map(|i| maybe(i, moment(i) * 1000 + 7)).collect::<TimestampMicrosecondArray>().with_timezone("UTC"))),
        ("at_ns", Arc::new((0..n).map(|i| maybe(i, moment(i) * 1_000_000 + 7)).collect::<TimestampNanosecondArray>())),
        ("span", Arc::new((0..n).map(|i| maybe(i, moment(i))).collect::<DurationMicrosecondArray>())),
        ("months", Arc::new((0..n).map(|i| maybe(i, i as i32)).collect::<IntervalYearMonthArray>())),
        ("days", Arc::new((0..n).map(|i| maybe(i, IntervalDayTimeType::make_value(i as i32, 7))).collect::<IntervalDayTimeArray>())),
        ("d9", Arc::new((0..n).map(|i| decimal(i, 1_000_000_000).map(|v| v as i32)).collect::<Decimal32Array>().with_precision_and_scale(9, 2).unwrap())),
        ("d18", Arc::new((0..n).map(|i| decimal(i, 10i128.pow(18)).map(|v| v as i64)).collect::<Decimal64Array>().with_precision_and_scale(18, 4).unwrap())),
        ("d38", Arc::new((0..n).map(|i| decimal(i, 10i128.pow(38))).collect::<Decimal128Array>().with_precision_and_scale(38, 10).unwrap())),
        ("d76", Arc::new((0..n).map(|i| decimal(i, 10i128.pow(38)).map(arrow::datatypes::i256::from_i128)).collect::<Decimal256Array>().with_precision_and_scale(76, 3).unwrap())),
    ])
}

/// Three columns, for the many small files that differ in one setting.
pub fn few(n: usize) -> RecordBatch {
    batch(vec![
        ("key", keys(n)),
        ("count", Arc::new((0..n).map(|i| maybe(i, (mix(i, 2) % 9) as i32)).collect::<Int32Array>())),
        ("price", Arc::new((0..n).map(price).collect::<Float64Array>())),
    ])
}

fn numbers(i: usize) -> Value {
    match mix(i, 20) as usize % 6 {
        0 => Value::Null,
        k => (0..k - 1).map(|j| if hole(i * 8 + j) { Value::Null } else { json!(mix(i, 21 + j as u64) % 50) }).collect(),
    }
}

fn matrix(i: usize) -> Value {
    match mix(i, 30) as usize % 5 {
        0 => Value::Null,
        k => (0..k - 1).map(|j| numbers(i * 5 + j)).collect(),
    }
}

fn point(i: usize) -> Value {
    match mix(i, 40) % 5 {
        0 => Value::Null,
        k => json!({"x": if k == 1 { None } else { Some(i) }, "y": mix(i, 41) % 1000, "label": if k == 2 { None } else { Some(text(i)) }}),
    }
}

fn points(i: usize) -> Value {
    match mix(i, 50) as usize % 5 {
        0 => Value::Null,
        k => (0..k - 1).map(|j| point(i * 7 + j)).collect(),
    }
}

fn pairs(i: usize) -> Value {
    match mix(i, 60) as usize % 5 {
        0 => Value::Null,
        k => (0..k - 1).map(|j| (format!("k{j}"), if hole(i * 3 + j) { Value::Null } else { json!(i) })).collect(),
    }
}

/// Structs, lists, maps and their mixtures.
pub fn nested(n: usize) -> RecordBatch {
    let list = |kind: DataType| DataType::List(Arc::new(Field::new_list_field(kind, true)));
    let record = DataType::Struct(Fields::from(vec![
        Field::new("x", DataType::Int32, true),
        Field::new("y", DataType::Float64, true),
        Field::new("label", DataType::Utf8, true),
    ]));
    let entries = Field::new_struct("entries", vec![Field::new("key", DataType::Utf8, false), Field::new("value", DataType::Int32, true)], false);
    let schema = Arc::new(Schema::new(vec![
        Field::new("id", DataType::Int64, false),
        Field::new("point", record.clone(), true),
        Field::new("numbers", list(DataType::Int64), true),
        Field::new("matrix", list(list(DataType::Int32)), true),
        Field::new("points", list(record), true),
        Field::new("pairs", DataType::Map(Arc::new(entries), false), true),
    ]));
    let mut decoder = ReaderBuilder::new(schema).with_batch_size(n).build_decoder().unwrap();
    let rows: Vec<Value> = (0..n)
        .map(|i| json!({"id": i, "point": point(i), "numbers": numbers(i), "matrix": matrix(i), "points": points(i), "pairs": pairs(i)}))
        .collect();
    decoder.serialize(&rows).unwrap();
    decoder.flush().unwrap().unwrap()
}

fn price(i: usize) -> Option<f64> {
    maybe(i, (mix(i, 5) % 100_000) as f64 / 100.0)
}

/// Decimal fractions, which ALP packs well.
pub fn prices(n: usize) -> RecordBatch {
    batch(vec![("price", Arc::new((0..n).map(price).collect::<Float64Array>()))])
}

/// The columns that this encoding can carry.
pub fn for_encoding(encoding: Encoding, n: usize) -> RecordBatch {
    match encoding {
        Encoding::RLE => batch(vec![
            ("noise", Arc::new((0..n).map(|i| maybe(i, mix(i, 1) % 2 == 0)).collect::<BooleanArray>())),
            ("runs", Arc::new((0..n).map(|i| Some(i / 90 % 2 == 0)).collect::<BooleanArray>())),
        ]),
        Encoding::DELTA_BINARY_PACKED => batch(vec![("i32", numbers!(Int32Array, i32, n)), ("i64", numbers!(Int64Array, i64, n)), ("steps", steps(n))]),
        Encoding::DELTA_LENGTH_BYTE_ARRAY => batch(vec![("key", keys(n)), ("text", texts(n)), ("blob", blobs(n))]),
        Encoding::DELTA_BYTE_ARRAY => batch(vec![("key", keys(n)), ("text", texts(n)), ("blob", blobs(n)), ("fixed", fixeds(n, 7))]),
        Encoding::BYTE_STREAM_SPLIT => batch(vec![
            ("f32", floats(n)), ("f64", doubles(n)), ("i32", numbers!(Int32Array, i32, n)), ("i64", numbers!(Int64Array, i64, n)), ("fixed", fixeds(n, 7)),
        ]),
        Encoding::ALP => batch(vec![
            ("f32", floats(n)),
            ("f64", doubles(n)),
            ("price", Arc::new((0..n).map(price).collect::<Float64Array>())),
            ("noise", Arc::new(Float64Array::from_iter_values((0..n).map(|i| f64::from_bits(mix(i, 77) >> 2))))),
            ("whole", Arc::new(Float32Array::from_iter_values((0..n).map(|i| i as f32)))),
        ]),
        _ => batch(vec![("i64", numbers!(Int64Array, i64, n)), ("f64", doubles(n)), ("text", texts(n)), ("fixed", fixeds(n, 7))]),
    }
}

/// Values longer than any limit on statistics, at the borders of UTF-8.
pub fn long_values() -> RecordBatch {
    let texts = ["é".repeat(700), "x".repeat(5000), String::new(), "é".repeat(699) + "z", "\u{10FFFF}".repeat(40)];
    batch(vec![
        ("text", Arc::new(StringArray::from_iter_values(texts.iter()))),
        ("highest", Arc::new(BinaryArray::from_iter_values((0..5).map(|_| [0xFF; 100])))),
        ("one", Arc::new(StringArray::from_iter_values((0..5).map(|_| "\u{10FFFF}".repeat(30))))),
    ])
}

/// The flat columns without a single value, and a column of type Null.
pub fn all_null() -> RecordBatch {
    let schema = flat(0).schema();
    let mut columns: Vec<(&str, ArrayRef)> = schema.fields().iter().map(|f| (f.name().as_str(), new_null_array(f.data_type(), 20))).collect();
    columns.push(("null", new_null_array(&DataType::Null, 20)));
    batch(columns)
}

/// NaN here and there, everywhere, beside nulls; zeros of both signs; infinities.
pub fn nan() -> RecordBatch {
    let column = |f: &dyn Fn(usize) -> Option<f64>| Arc::new((0..24).map(f).collect::<Float64Array>()) as ArrayRef;
    batch(vec![
        ("some", column(&|i| Some(if i % 3 > 0 { f64::NAN } else { i as f64 * 1.5 }))),
        ("all", Arc::new((0..24).map(|_| Some(f32::NAN)).collect::<Float32Array>())),
        ("half", column(&|i| (i % 2 == 0).then_some(f64::NAN))),
        ("zeros", column(&|i| [Some(0.0), Some(-0.0), None][i % 3])),
        ("endless", column(&|i| Some([f64::INFINITY, f64::NEG_INFINITY, -f64::NAN][i % 3]))),
        ("f16", Arc::new((0..24).map(|i| Some(half::f16::from_f32(if i > 12 { f32::NAN } else { i as f32 }))).collect::<Float16Array>())),
    ])
}

/// Columns of empty strings, with and without nulls.
pub fn empty_strings() -> RecordBatch {
    batch(vec![
        ("empty", Arc::new(StringArray::from_iter_values((0..30).map(|_| "")))),
        ("maybe", Arc::new((0..30).map(|i| maybe(i, "")).collect::<StringArray>())),
        ("blob", Arc::new((0..30).map(|i| maybe(i, b"")).collect::<BinaryArray>())),
    ])
}

/// A VARIANT column from JSON.
pub fn variant() -> RecordBatch {
    let rows = (0..20).map(|i| match i % 4 {
        0 => None,
        1 => Some(format!("{{\"a\": {i}, \"b\": [true, null, \"x\"]}}")),
        2 => Some(format!("[{i}, {{}}]")),
        _ => Some(format!("\"text {i}\"")),
    });
    let texts: ArrayRef = Arc::new(rows.collect::<StringArray>());
    let array = parquet::variant::json_to_variant(&texts).unwrap();
    let schema = Schema::new(vec![array.field("v")]);
    RecordBatch::try_new(Arc::new(schema), vec![ArrayRef::from(array)]).unwrap()
}

/// Values of all primitive types, objects, arrays and nulls; every fifth row is null.
fn mixed_variants() -> parquet::variant::VariantArray {
    use parquet::variant::*;
    let mut all = VariantArrayBuilder::new(60);
    for i in 0..60usize {
        let n = i as i64;
        match i % 20 {
            0 | 5 | 10 | 15 => all.append_null(),
            1 => all.append_value(n * n),
            2 => all.append_value(format!("text {i}").as_str()),
            3 => all.new_object().with_field("a", n).with_field("b", format!("b{i}").as_str()).finish(),
            4 => all.new_object().with_field("a", "no number").with_field("z", 1.5f64).finish(),
            6 => {
                let mut object = all.new_object();
                object.insert("b", Variant::Null);
                object.new_list("c").with_value(n).with_value(n + 1).finish();
                object.finish();
            }
            7 => all.new_list().with_value(n).with_value(2 * n).finish(),
            8 => all.new_list().with_value(n).with_value("two").with_value(true).finish(),
            9 => all.append_value(i % 2 == 0),
            11 => all.append_variant(Variant::try_from((n * 12345, 2u8)).unwrap()),
            12 => all.append_variant(Variant::try_from((n as i128 * 10i128.pow(25), 4u8)).unwrap()),
            13 => all.append_value(n as f64 / 8.0),
            14 => all.append_value([i as u8, 0, 255].as_slice()),
            16 => all.append_value((i * 5) as i8),
            17 => all.append_variant(Variant::Null),
            18 => all.new_object().finish(),
            _ => all.new_object().with_field("a", n).with_field("d", n as f32).finish(),
        }
    }
    all.build()
}

/// The same values, shredded by a type.
pub fn shredded_variant(by: &DataType) -> RecordBatch {
    let array = parquet::variant::shred_variant(&mixed_variants(), by).unwrap();
    let schema = Schema::new(vec![array.field("v")]);
    RecordBatch::try_new(Arc::new(schema), vec![ArrayRef::from(array)]).unwrap()
}

/// The types by which Variants are shredded, with the names of the files.
pub fn shredding_types() -> Vec<(&'static str, DataType)> {
    let field = |name: &str, by: DataType| Field::new(name, by, true);
    let list = |by: DataType| DataType::List(Arc::new(Field::new("item", by, true)));
    let object = DataType::Struct(vec![field("a", DataType::Int64), field("b", DataType::Utf8), field("c", list(DataType::Int64))].into());
    vec![
        ("int64", DataType::Int64),
        ("string", DataType::Utf8),
        ("boolean", DataType::Boolean),
        ("double", DataType::Float64),
        ("binary", DataType::Binary),
        ("decimal", DataType::Decimal64(18, 2)),
        ("decimal-38", DataType::Decimal128(38, 4)),
        ("object", object.clone()),
        ("list", list(DataType::Int64)),
        ("list-of-objects", list(object)),
    ]
}
