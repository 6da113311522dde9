package corpus

import (
	"errors"
	"strings"
	"testing"
)

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
