// Asks parquet-go for the rows of all cases, by the driver in this folder, and prints a line for each wrong answer.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corpus "github.com/parqproof/parqproof-corpus-go"
)

func TestReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "case.parquet")
	read := func(file []byte) ([]string, error) {
		if err := os.WriteFile(path, file, 0o600); err != nil {
			panic(err)
		}
		var out bytes.Buffer
		switch how := answered(path, &out); how.how {
		case "rows":
			lines := strings.Split(out.String(), "\n")
			return lines[:len(lines)-1], nil
		case "unsupported":
			return nil, corpus.ErrUnsupported
		case "crashed":
			panic(how.why)
		default:
			return nil, errors.New(how.why)
		}
	}
	cases := corpus.Cases()
	if len(cases) != corpus.NumCases {
		t.Fatalf("%d cases instead of %d", len(cases), corpus.NumCases)
	}
	fatal := strings.Fields(os.Getenv("FATAL_CASES")) // an allocation that fails ends the process
	for _, one := range cases {
		if slices.Contains(fatal, one.File) {
			fmt.Printf("wrong\t%s\tends the process\n", one.File)
			continue
		}
		if wrong := corpus.Check(one, read); wrong != nil && !errors.Is(wrong, corpus.ErrUnsupported) {
			fmt.Printf("wrong\t%s\t%s\n", one.File, strings.SplitN(wrong.Error(), "\n", 2)[0])
		}
	}
	fmt.Printf("asked\t%d\n", len(cases))
}
