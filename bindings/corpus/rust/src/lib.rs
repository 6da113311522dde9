#![doc = include_str!("../README.md")]

use base64::Engine;
use serde::Deserialize;
use serde_json::Value;
use std::panic::{catch_unwind, AssertUnwindSafe};

const CORE: &str = include_str!("../core.jsonl");

/// The number of cases. [`cases`] and [`Report::assert`] fail if there are fewer.
pub const CASES: usize = @CASES@;

/// What a reader must do with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Duty {
    /// Read it, and return these rows.
    Accept,
    /// Report that the rows cannot be returned.
    Reject,
    /// Either.
    May,
}

/// A file of the corpus.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Its path in the corpus.
    pub file: String,
    pub sha256: String,
    /// The rule that it is about.
    pub rule: Option<String>,
    /// The rules of severity error that it breaks.
    #[serde(default)]
    pub breaks: Vec<String>,
    pub verdict: String,
    /// The options of `parqproof check` with this verdict that are not the defaults.
    #[serde(default)]
    pub options: std::collections::BTreeMap<String, Value>,
    pub duty: Duty,
    /// Where a reader meets the fault of a file to reject: footer, page header, page body or values.
    pub phase: Option<String>,
    /// The clause of the specification that requires it.
    pub clause: Option<String>,
    #[serde(default)]
    pub features: Vec<String>,
    #[serde(default)]
    pub probes: Vec<Probe>,
    /// The keys of an encrypted file, in the form of `parqproof check --keys`. A reader without them may refuse it.
    pub keys: Option<Value>,
    /// JSON Lines, as `parqproof cat` prints rows; `None` where the specification does not define them, and with `no_rows`.
    pub rows: Option<String>,
    /// Of a file to accept without `rows`, why there are none.
    pub no_rows: Option<String>,
    /// The file.
    #[serde(deserialize_with = "from_base64")]
    pub bytes: Vec<u8>,
}

/// A predicate on a column. A reader with filters returns the rows that match; one that trusts wrong statistics, indexes or
/// filters loses some.
#[derive(Clone, Debug, Deserialize)]
pub struct Probe {
    pub column: String,
    /// `=`, `<` or `>`.
    pub operator: String,
    /// A number or a text.
    pub value: Value,
    /// The ordinals of the rows that match.
    pub rows: Vec<usize>,
}

fn from_base64<'de, D: serde::Deserializer<'de>>(text: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(text)?;
    base64::engine::general_purpose::STANDARD.decode(text).map_err(serde::de::Error::custom)
}

/// All cases, in the order of their paths; never fewer than [`CASES`].
pub fn cases() -> Vec<Case> {
    let cases: Vec<Case> = CORE.lines().map(|line| serde_json::from_str(line).expect("a line of core.jsonl")).collect();
    assert_eq!(cases.len(), CASES, "core.jsonl has lost cases");
    cases
}

/// What a reader made of a file.
pub enum Answer {
    /// The rows, each an object with the columns in any order.
    Rows(Vec<Value>),
    /// An error, with its text.
    Refused(String),
    /// The reader does not have a feature of the file; no failure.
    Unsupported(String),
}

/// A text that two numbers share if all their digits are equal: the sign, the digits and the power of ten.
fn exact(number: &str) -> (bool, String, i128) {
    let (negative, text) = match number.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, number),
    };
    let (text, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (integer, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{integer}{fraction}");
    let digits = digits.trim_start_matches('0');
    let shown = digits.trim_end_matches('0');
    if shown.is_empty() {
        return (negative, "0".into(), 0);
    }
    let limit = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
    let power = i128::from(exponent.trim_start_matches('+').parse().unwrap_or(limit));
    (negative, shown.into(), power + (digits.len() - shown.len()) as i128 - fraction.len() as i128)
}

/// A real number is compared by the value of its DOUBLE, and an integer by all digits. The shortest text of a DOUBLE counts as
/// its value: 9.223372036854776e18 is 9223372036854775808.
fn same_number(meant: &serde_json::Number, given: &serde_json::Number) -> bool {
    let (meant, given) = (meant.to_string(), given.to_string());
    let digits = exact(&given);
    if exact(&meant) == digits {
        return true;
    }
    let (Ok(a), Ok(b)) = (meant.parse::<f64>(), given.parse::<f64>()) else { return false };
    let is_real = meant.parse::<i128>().map_or(true, |integer| integer.unsigned_abs() > u64::MAX.into());
    if is_real {
        return a.to_bits() == b.to_bits();
    }
    b.is_finite() && exact(&format!("{b:e}")) == digits && format!("{b:.0}") == meant
}

/// Returns true if two values are equal; the order of an object's keys does not count.
pub fn same(meant: &Value, given: &Value) -> bool {
    match (meant, given) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => meant == given,
    }
}

impl Case {
    /// Judges an answer: what is wrong with it, or `None`.
    pub fn fault(&self, answer: &Answer) -> Option<String> {
        let rows = match answer {
            Answer::Unsupported(_) => return None,
            Answer::Refused(why) => return (self.duty == Duty::Accept).then(|| format!("refused: {why}")),
            Answer::Rows(rows) => rows,
        };
        if self.duty == Duty::Reject {
            return Some(format!("accepted, with {} rows; {}", rows.len(), self.clause.as_deref().unwrap_or_default()));
        }
        let meant: Vec<Value> =
            self.rows.as_ref()?.lines().map(|line| serde_json::from_str(line).expect("a row of core.jsonl")).collect();
        if let Some(at) = meant.iter().zip(rows).position(|(meant, given)| !same(meant, given)) {
            return Some(format!("row {at} is {}, expected {}", rows[at], meant[at]));
        }
        (meant.len() != rows.len()).then(|| format!("{} rows, expected {}", rows.len(), meant.len()))
    }
}

/// A run over all cases.
#[derive(Default)]
pub struct Suite {
    ignored: Vec<String>,
    at_least: usize,
}

impl Suite {
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves out cases by path, rule or feature; a name may end in `*`.
    pub fn ignore<Name: Into<String>>(mut self, names: impl IntoIterator<Item = Name>) -> Self {
        self.ignored.extend(names.into_iter().map(Into::into));
        self
    }

    /// The number of right answers without which [`Report::assert`] fails; 1 by default.
    pub fn at_least(mut self, right: usize) -> Self {
        self.at_least = right;
        self
    }

    fn ignores(&self, case: &Case) -> bool {
        let names = || [Some(&case.file), case.rule.as_ref()].into_iter().flatten().chain(&case.features);
        self.ignored.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => names().any(|name| name.starts_with(start)),
            None => names().any(|name| name == pattern),
        })
    }

    /// Asks a reader for the rows of each case. A panic is a fault.
    pub fn run(&self, mut read: impl FnMut(&Case) -> Answer) -> Report {
        let mut report = Report { at_least: self.at_least.max(1), ..Report::default() };
        for case in cases() {
            if self.ignores(&case) {
                report.ignored += 1;
                continue;
            }
            match catch_unwind(AssertUnwindSafe(|| read(&case))) {
                Ok(Answer::Unsupported(_)) => report.unsupported += 1,
                Ok(answer) => match case.fault(&answer) {
                    None => report.right += 1,
                    Some(fault) => report.faults.push((case.file, fault)),
                },
                Err(_) => report.faults.push((case.file, "a panic".into())),
            }
        }
        report
    }
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct Report {
    pub right: usize,
    pub unsupported: usize,
    pub ignored: usize,
    pub at_least: usize,
    /// (path of the case, what is wrong)
    pub faults: Vec<(String, String)>,
}

impl Report {
    /// Panics if there is a fault, if a case was not asked, or if too few answers are right.
    pub fn assert(&self) {
        let asked = self.right + self.unsupported + self.ignored + self.faults.len();
        assert_eq!(asked, CASES, "cases of the corpus");
        let lines: Vec<String> = self.faults.iter().map(|(file, fault)| format!("{file}: {fault}")).collect();
        assert!(lines.is_empty(), "{} cases are wrong:\n{}", lines.len(), lines.join("\n"));
        assert!(self.right >= self.at_least.max(1), "{} right answers, expected at least {}", self.right, self.at_least.max(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cases_are_here_and_a_reader_that_knows_the_rows_passes() {
        assert_eq!(cases().len(), CASES);
        let report = Suite::new().run(|case| match case.duty {
            Duty::Reject => Answer::Refused("damaged".into()),
            _ => Answer::Rows(case.rows.iter().flat_map(|rows| rows.lines()).map(|line| serde_json::from_str(line).unwrap()).collect()),
        });
        report.assert();
    }

    #[test]
    fn faults_are_seen() {
        let blind = Suite::new().run(|_| Answer::Rows(vec![]));
        assert!(blind.faults.iter().any(|(_, fault)| fault.starts_with("accepted")));
        assert!(blind.faults.iter().any(|(_, fault)| fault.starts_with("0 rows")));
        let refuses = Suite::new().run(|_| Answer::Refused("no".into()));
        assert!(refuses.faults.iter().all(|(_, fault)| fault == "refused: no"));
        let panics = Suite::new().ignore(["witnesses/*", "writers/*", "known_bugs/*"]).run(|_| panic!("no"));
        assert_eq!((panics.ignored, panics.faults.len()), (CASES, 0));
    }

    #[test]
    fn a_run_without_right_answers_fails() {
        fn message(report: Report) -> String {
            *catch_unwind(move || report.assert()).expect_err("it passes").downcast::<String>().expect("a text")
        }
        let unsupported = |_: &Case| Answer::Unsupported("all".into());
        assert_eq!(message(Suite::new().run(unsupported)), "0 right answers, expected at least 1");
        assert_eq!(message(Suite::new().ignore(["*"]).run(unsupported)), "0 right answers, expected at least 1");
        let refuses_most = Suite::new().ignore(["*"]).at_least(CASES).run(unsupported);
        assert_eq!(message(refuses_most), format!("0 right answers, expected at least {CASES}"));
    }

    #[test]
    fn integers_are_equal_by_all_digits_and_real_numbers_by_value() {
        let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        for (meant, given) in [
            ("1", "1.0"), ("100", "1e2"), ("9007199254740993", "9007199254740993.0"), ("9007199254740992", "9007199254740992.0"),
            ("9223372036854775808", "9.223372036854776e18"), ("1e+22", "10000000000000000000000"), ("0.1", "0.1000000000000000055"),
            ("123456789012345683968", "1.2345678901234568E20"),
        ] {
            assert!(same(&parsed(meant), &parsed(given)), "{meant} and {given}");
        }
        for (meant, given) in [
            ("9007199254740993", "9007199254740992.0"), ("9007199254740992", "9007199254740993.0"),
            ("9223372036854775807", "9.223372036854776e18"), ("-1", "1"), ("0", "-0.0"), ("-0.0", "0"), ("1", "1e999999999999999999999"),
            ("1", "1e-999999999999999999999"), ("0.1", "0.10000000149011612"),
        ] {
            assert!(!same(&parsed(meant), &parsed(given)), "{meant} and {given}");
        }
    }
}
