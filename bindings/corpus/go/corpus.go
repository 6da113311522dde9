// Package corpus has small Parquet files, with what a reader must do with each.
package corpus

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

//go:embed core.jsonl
var core string

// Version is that of the corpus; its licence is in LICENSE.
const Version = "@VERSION@"

// NumCases is the number of cases; Cases panics if there are fewer.
const NumCases = @CASES@

// Case is a file of the corpus.
type Case struct {
	File    string   `json:"file"` // its path in the corpus
	SHA256  string   `json:"sha256"`
	Rule    string   `json:"rule"`   // the rule that it is about; may be empty
	Breaks  []string `json:"breaks"` // the rules of severity error that it breaks
	Verdict string   `json:"verdict"`
	// The options of `parqproof check` with this verdict that are not the defaults.
	Options  map[string]any `json:"options"`
	Duty     string         `json:"duty"`   // accept: read it; reject: report that the rows cannot be returned; may: either
	Phase    string         `json:"phase"`  // of a file to reject, where a reader meets the fault: footer, page header, page body or values
	Clause   string         `json:"clause"` // the clause of the specification that requires it
	Features []string       `json:"features"`
	Probes   []Probe        `json:"probes"`
	Keys     map[string]any `json:"keys"`    // of an encrypted file, in the form of `parqproof check --keys`; a reader without them may refuse it
	Rows     *string        `json:"rows"`    // JSON Lines, as `parqproof cat` prints rows; nil where the specification does not define them, and with NoRows
	NoRows   string         `json:"no_rows"` // of a file to accept without Rows, why there are none
	Bytes    []byte         `json:"bytes"`
}

// Probe is a predicate on a column. A reader with filters returns the rows that match; one that trusts wrong statistics,
// indexes or filters loses some.
type Probe struct {
	Column   string `json:"column"`
	Operator string `json:"operator"` // =, < or >
	Value    any    `json:"value"`    // a number or a text
	Rows     []int  `json:"rows"`     // the ordinals of the rows that match
}

// ErrUnsupported is what a reader returns for a feature that it does not have.
var ErrUnsupported = errors.New("unsupported")

// Cases returns all cases, in the order of their paths.
func Cases() []Case {
	var all []Case
	for _, line := range strings.Split(strings.TrimRight(core, "\n"), "\n") {
		var one Case
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			panic(fmt.Sprintf("core.jsonl: %v", err))
		}
		all = append(all, one)
	}
	if len(all) != NumCases {
		panic(fmt.Sprintf("core.jsonl has %d cases instead of %d", len(all), NumCases))
	}
	return all
}

// Parse parses one value of JSON; numbers become json.Number, so that all their digits count.
func Parse(text []byte) (any, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("there are bytes after the value")
	}
	return value, nil
}

// isReal returns true if a number cannot be that of an integer column: a fraction, an exponent, or more than 64 bits.
func isReal(number string) bool {
	integer, ok := new(big.Int).SetString(number, 10)
	return !ok || integer.BitLen() > 64
}

// exact returns a text that two numbers share if all their digits are equal: the sign, the digits and the power of ten.
func exact(number string) string {
	digits, exponent, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(number, "-")), "e")
	integer, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(integer+fraction, "0")
	shown := strings.TrimRight(digits, "0")
	sign := number[:len(number)-len(strings.TrimPrefix(number, "-"))]
	if shown == "" {
		return sign + "0"
	}
	power, _ := new(big.Int).SetString("0"+strings.TrimLeft(exponent, "+-"), 10)
	if strings.HasPrefix(exponent, "-") {
		power.Neg(power)
	}
	return fmt.Sprintf("%s%se%v", sign, shown, power.Add(power, big.NewInt(int64(len(digits)-len(shown)-len(fraction)))))
}

// sameNumber compares a real number by the value of its DOUBLE, and an integer by all digits. The shortest text of a DOUBLE
// counts as its value: 9.223372036854776e18 is 9223372036854775808.
func sameNumber(meant, given json.Number) bool {
	digits := exact(string(given))
	if exact(string(meant)) == digits {
		return true
	}
	b, err := given.Float64()
	if err != nil {
		return false
	}
	if isReal(string(meant)) {
		a, err := meant.Float64()
		return err == nil && math.Float64bits(a) == math.Float64bits(b)
	}
	return exact(strconv.FormatFloat(b, 'e', -1, 64)) == digits && strconv.FormatFloat(b, 'f', 0, 64) == string(meant)
}

// Same returns true if two parsed values are equal; the order of an object's keys does not count.
func Same(meant, given any) bool {
	switch a := meant.(type) {
	case json.Number:
		b, ok := given.(json.Number)
		return ok && sameNumber(a, b)
	case []any:
		b, ok := given.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !Same(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := given.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key := range a {
			other, has := b[key]
			if !has || !Same(a[key], other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(meant, given)
}

// Check asks a reader for the rows of a case, each a JSON object, and returns an error if its answer is wrong. It returns
// ErrUnsupported if the reader does. A panic of the reader is a wrong answer.
func Check(one Case, read func(file []byte) ([]string, error)) (wrong error) {
	defer func() {
		if reason := recover(); reason != nil {
			wrong = fmt.Errorf("panic: %v", reason)
		}
	}()
	rows, err := read(one.Bytes)
	switch {
	case errors.Is(err, ErrUnsupported):
		return ErrUnsupported
	case err != nil && one.Duty == "accept":
		return fmt.Errorf("refused: %w", err)
	case err != nil:
		return nil
	case one.Duty == "reject":
		return fmt.Errorf("accepted, with %d rows; %s", len(rows), one.Clause)
	case one.Rows == nil:
		return nil
	}
	expected := strings.Split(*one.Rows, "\n")
	expected = expected[:len(expected)-1]
	for i := 0; i < len(expected) && i < len(rows); i++ {
		a, _ := Parse([]byte(expected[i]))
		b, err := Parse([]byte(rows[i]))
		if err != nil {
			return fmt.Errorf("row %d is no JSON: %w", i, err)
		}
		if !Same(a, b) {
			return fmt.Errorf("row %d is %s, expected %s", i, rows[i], expected[i])
		}
	}
	if len(expected) != len(rows) {
		return fmt.Errorf("%d rows, expected %d", len(rows), len(expected))
	}
	return nil
}

// Suite is a run over all cases.
type Suite struct {
	Ignore  []string // leaves out cases by path, rule or feature; a name may end in *
	AtLeast int      // the number of right answers without which Err fails, or 1
}

// Fault is a wrong answer.
type Fault struct {
	File string
	Err  error
}

// Report is the result of a run.
type Report struct {
	Right, Unsupported, Ignored int
	Faults                      []Fault
	AtLeast                     int
}

func (s Suite) ignores(one Case) bool {
	for _, pattern := range s.Ignore {
		start, isStart := strings.CutSuffix(pattern, "*")
		for _, name := range append([]string{one.File, one.Rule}, one.Features...) {
			if name == pattern || isStart && strings.HasPrefix(name, start) {
				return true
			}
		}
	}
	return false
}

// Run asks a reader for the rows of each case, as Check does.
func (s Suite) Run(read func(file []byte) ([]string, error)) Report {
	report := Report{AtLeast: max(s.AtLeast, 1)}
	for _, one := range Cases() {
		if s.ignores(one) {
			report.Ignored++
			continue
		}
		switch err := Check(one, read); {
		case err == nil:
			report.Right++
		case errors.Is(err, ErrUnsupported):
			report.Unsupported++
		default:
			report.Faults = append(report.Faults, Fault{one.File, err})
		}
	}
	return report
}

// Err returns an error if an answer is wrong, or if too few are right.
func (r Report) Err() error {
	var lines []string
	for _, fault := range r.Faults {
		lines = append(lines, fmt.Sprintf("%s: %v", fault.File, fault.Err))
	}
	if r.Right < r.AtLeast {
		lines = append(lines, fmt.Sprintf("%d right answers, expected at least %d", r.Right, r.AtLeast))
	}
	if lines == nil {
		return nil
	}
	return errors.New(strings.Join(lines, "\n"))
}
