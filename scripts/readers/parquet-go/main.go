// Shows the rows of Parquet files as parquet-go reads them: its rows of values, put together here by the schema of the file.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/parquet-go/parquet-go"
)

type answer struct{ how, why string }

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// rows writes the rows of a file.
func rows(path string, out io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return err
	}
	opened, err := parquet.OpenFile(file, about.Size())
	if err != nil {
		return err
	}
	shape := viewOf(opened)
	for _, group := range opened.RowGroups() {
		if err := rowsOf(group, shape, out); err != nil {
			return err
		}
	}
	return nil
}

func rowsOf(group parquet.RowGroup, shape *view, out io.Writer) error {
	reading := group.Rows()
	defer reading.Close()
	batch := make([]parquet.Row, 64)
	for {
		count, err := reading.ReadRows(batch)
		for _, row := range batch[:count] {
			scope := make([][]parquet.Value, shape.leaves)
			row.Range(func(column int, values []parquet.Value) bool {
				scope[column] = values
				return true
			})
			text, err := shape.row(scope)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(out, text+"\n"); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if count == 0 {
			return errors.New("no rows, and no end of them")
		}
	}
}

// answered writes the rows of a file, and says how it went. A panic is the reader's.
func answered(path string, out io.Writer) (how answer) {
	defer func() {
		if reason := recover(); reason != nil {
			how = answer{"crashed", "panic: " + firstLine(fmt.Sprint(reason))}
		}
	}()
	err := rows(path, out)
	switch {
	case err == nil:
		return answer{"rows", ""}
	case strings.Contains(err.Error(), "not supported"), strings.Contains(err.Error(), "unsupported"), strings.Contains(err.Error(), "not implemented"):
		return answer{"unsupported", firstLine(err.Error())}
	default:
		return answer{"refused", firstLine(err.Error())}
	}
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "github.com/parquet-go/parquet-go" {
			return "parquet-go " + module.Version
		}
	}
	return "parquet-go"
}

func main() {
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Fprintln(out, version())
		return
	}
	if len(os.Args) > 1 {
		how := answered(os.Args[1], out)
		out.Flush()
		fmt.Fprint(os.Stderr, how.why)
		os.Exit(map[string]int{"rows": 0, "refused": 1, "unsupported": 3, "crashed": 4}[how.how])
	}
	for paths := bufio.NewScanner(os.Stdin); paths.Scan(); {
		how := answered(paths.Text(), out)
		fmt.Fprintln(out, strings.TrimSpace("="+how.how+" "+how.why))
		out.Flush()
	}
}
