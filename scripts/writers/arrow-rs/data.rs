//! Deterministic values: functions of the row number alone.

/// SplitMix64 of (i, salt): 64 bits that look random and never change.
pub fn mix(i: usize, salt: u64) -> u64 {
    let mut z = (i as u64)
        .wrapping_mul(0x9E3779B97F4A7C15)
        .wrapping_add(salt.wrapping_mul(0xD1B54A32D192ED03))
        .wrapping_add(0x632BE59BD9B4E019);
    z = (z ^ z >> 30).wrapping_mul(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D049BB133111EB);
    z ^ z >> 31
}

/// True in about one row of four.
pub fn hole(i: usize) -> bool {
    mix(i, 100) % 4 == 0
}

/// Text from ten words, some empty, some outside ASCII.
pub fn text(i: usize) -> String {
    const WORDS: [&str; 10] = ["", "a", "alpha", "alphabet", "beta", "Gamma", "größe", "日本", "zz", "🙂 smile"];
    WORDS[mix(i, 6) as usize % WORDS.len()].into()
}

/// Text with long shared prefixes, ascending.
pub fn key(i: usize) -> String {
    format!("customer/{:06}/order/{i:08}", i / 16)
}

/// Exactly that many bytes.
pub fn fixed(i: usize, length: usize) -> Vec<u8> {
    (0..length).map(|k| mix(i, 200 + k as u64) as u8).collect()
}

/// Bytes of 0 to 12 bytes, any value.
pub fn blob(i: usize) -> Vec<u8> {
    fixed(i, mix(i, 8) as usize % 13)
}

/// A real number with three decimals; the first rows hold zeros of both signs, infinities, NaN and a subnormal.
pub fn real(i: usize) -> f64 {
    const SPECIAL: [f64; 6] = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324];
    SPECIAL.get(i).copied().unwrap_or_else(|| (mix(i, 4) % 2_000_001) as f64 / 1000.0 - 1000.0)
}

/// Bytes that suit the BYTE_ARRAY column of that name.
pub fn annotated(column: &str, i: usize) -> Vec<u8> {
    match column {
        "mood" => ["sad", "ok", "happy"][i % 3].into(),
        "doc" => format!("{{\"a\": [{i}, null]}}").into_bytes(),
        "bson" => vec![12, 0, 0, 0, 0x10, b'a', 0, i as u8, 0, 0, 0, 0],
        "dany" => (mix(i, 9) as i64 >> (i % 60)).to_be_bytes()[i % 7..].to_vec(),
        _ => text(i).into_bytes(),
    }
}
