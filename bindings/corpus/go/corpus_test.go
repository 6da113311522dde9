package corpus

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Integers of 16 digits and more that are values, and what precedes them.
var integers = regexp.MustCompile(`[:,\[]-?\d{16,}\b`)

func TestAReaderThatKnowsTheRowsPasses(t *testing.T) {
	all := Cases()
	if len(all) != NumCases {
		t.Fatalf("%d cases, expected %d", len(all), NumCases)
	}
	for _, one := range all {
		err := Check(one, func([]byte) ([]string, error) {
			if one.Duty == "reject" {
				return nil, errors.New("damaged")
			}
			if one.Rows == nil {
				return nil, nil
			}
			lines := strings.Split(*one.Rows, "\n")
			return lines[:len(lines)-1], nil
		})
		if err != nil {
			t.Errorf("%s: %v", one.File, err)
		}
	}
}

func TestFaultsAreSeen(t *testing.T) {
	answers := map[string]func([]byte) ([]string, error){
		"accepted, with": func([]byte) ([]string, error) { return nil, nil },
		"refused: no":    func([]byte) ([]string, error) { return nil, errors.New("no") },
		"panic: no":      func([]byte) ([]string, error) { panic("no") },
		"row 0 is {}":    func([]byte) ([]string, error) { return []string{"{}"}, nil },
	}
	for start, answer := range answers {
		seen := false
		for _, one := range Cases() {
			if err := Check(one, answer); err != nil && strings.HasPrefix(err.Error(), start) {
				seen = true
			}
		}
		if !seen {
			t.Errorf("no case says %q", start)
		}
	}
	if err := Check(Cases()[0], func([]byte) ([]string, error) { return nil, ErrUnsupported }); !errors.Is(err, ErrUnsupported) {
		t.Errorf("%v", err)
	}
}

func TestNumbers(t *testing.T) {
	for _, one := range []struct {
		meant, given string
		same         bool
	}{
		{"1", "1.0", true}, {"100", "1e2", true}, {"9007199254740993", "9007199254740993.0", true}, {"9007199254740992", "9007199254740992.0", true},
		{"9223372036854775808", "9.223372036854776e18", true}, {"1e+22", "10000000000000000000000", true}, {"0.1", "0.1000000000000000055", true},
		{"123456789012345683968", "1.2345678901234568E20", true},
		{"9007199254740993", "9007199254740992.0", false}, {"9007199254740992", "9007199254740993.0", false},
		{"9223372036854775807", "9.223372036854776e18", false}, {"-1", "1", false}, {"0", "-0.0", false}, {"-0.0", "0", false},
		{"1", "1e999999999", false}, {"1", "1e-999999999999999999999", false}, {"0.1", "0.10000000149011612", false},
	} {
		meant, _ := Parse([]byte(one.meant))
		given, err := Parse([]byte(one.given))
		if err != nil || Same(meant, given) != one.same {
			t.Errorf("%s and %s: %v, %v", one.meant, one.given, !one.same, err)
		}
	}
}

func TestARowIsOneValue(t *testing.T) {
	for _, row := range []string{`{"a":1} x`, `{"a":1}{"a":1}`, `{"a":1}]`, ""} {
		if value, err := Parse([]byte(row)); err == nil {
			t.Errorf("%q is %v", row, value)
		}
	}
	for _, one := range Cases() {
		if one.Duty != "accept" || one.Rows == nil || *one.Rows == "" {
			continue
		}
		lines := strings.Split(strings.TrimSuffix(*one.Rows, "\n"), "\n")
		lines[0] += " garbage"
		if err := Check(one, func([]byte) ([]string, error) { return lines, nil }); err == nil || !strings.HasPrefix(err.Error(), "row 0 is no JSON") {
			t.Errorf("%s: %v", one.File, err)
		}
	}
}

func TestARunWithoutRightAnswersFails(t *testing.T) {
	unsupported := func([]byte) ([]string, error) { return nil, ErrUnsupported }
	refuses := func([]byte) ([]string, error) { return nil, errors.New("no") }
	for _, one := range []struct {
		suite Suite
		read  func([]byte) ([]string, error)
		says  string
	}{
		{Suite{}, unsupported, "0 right answers, expected at least 1"},
		{Suite{Ignore: []string{"*"}}, refuses, "0 right answers, expected at least 1"},
		{Suite{AtLeast: NumCases + 1}, refuses, fmt.Sprintf("expected at least %d", NumCases+1)},
		{Suite{}, refuses, "refused: no"},
	} {
		if err := one.suite.Run(one.read).Err(); err == nil || !strings.Contains(err.Error(), one.says) {
			t.Errorf("%q instead of %q", err, one.says)
		}
	}
	report := Suite{Ignore: []string{"witnesses/*", "known_bugs/*", "LZO"}}.Run(refuses)
	if report.Ignored == 0 || report.Ignored+report.Right+len(report.Faults) != NumCases {
		t.Errorf("%v", report)
	}
}

func TestAReaderThatReturnsIntegersAsDoublesIsWrong(t *testing.T) {
	wrong := 0
	for _, one := range Cases() {
		if one.Duty != "accept" || one.Rows == nil {
			continue
		}
		answer := integers.ReplaceAllStringFunc(*one.Rows, func(text string) string {
			number, _ := strconv.ParseFloat(text[1:], 64)
			return text[:1] + strconv.FormatFloat(number, 'e', -1, 64)
		})
		lines := strings.Split(answer, "\n")
		if Check(one, func([]byte) ([]string, error) { return lines[:len(lines)-1], nil }) != nil {
			wrong++
		}
	}
	if wrong == 0 {
		t.Error("no case has an integer of more than 53 bits")
	}
}
