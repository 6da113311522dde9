// Files by parquet-go.
//
// usage: recipe DIR [NAME...]   writes DIR/NAME.parquet, one JSON line on stdout per file
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
)

// mix is SplitMix64 of (i, salt): 64 bits that look random and never change.
func mix(i int, salt uint64) uint64 {
	z := uint64(i)*0x9E3779B97F4A7C15 + salt*0xD1B54A32D192ED03 + 0x632BE59BD9B4E019
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

var words = []string{"", "a", "alpha", "alphabet", "beta", "Gamma", "größe", "日本", "zz", "🙂 smile"}

func text(i int) string { return words[mix(i, 6)%uint64(len(words))] }

func key(i int) string { return fmt.Sprintf("customer/%06d/order/%08d", i/16, i) }

func blob(i, length int) []byte {
	out := make([]byte, length)
	for k := range out {
		out[k] = byte(mix(i, uint64(200+k)))
	}
	return out
}

func real(i int) float64 {
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 5e-324}
	if i < len(special) {
		return special[i]
	}
	return float64(mix(i, 4)%2000001)/1024 - 1000
}

// maybe is nil in about one row of four.
func maybe[T any](i int, value T) *T {
	if mix(i, 100)%4 == 0 {
		return nil
	}
	return &value
}

type flat struct {
	Bool  *bool            `parquet:"bool,optional"`
	I8    int8             `parquet:"i8"`
	U8    uint8            `parquet:"u8"`
	I16   int16            `parquet:"i16"`
	U16   uint16           `parquet:"u16"`
	I32   *int32           `parquet:"i32,optional"`
	U32   uint32           `parquet:"u32"`
	I64   *int64           `parquet:"i64,optional"`
	U64   uint64           `parquet:"u64"`
	I96   deprecated.Int96 `parquet:"i96"`
	F32   *float32         `parquet:"f32,optional"`
	F64   *float64         `parquet:"f64,optional"`
	Text  *string          `parquet:"text,optional"`
	Blob  []byte           `parquet:"blob,optional"`
	Fixed [5]byte          `parquet:"fixed"`
}

func flatRow(i int) flat {
	row := flat{
		Bool: maybe(i, mix(i, 1)%2 == 0), I8: int8(mix(i, 2)), U8: uint8(mix(i, 3)), I16: int16(mix(i, 4)), U16: uint16(mix(i, 5)),
		I32: maybe(i+1, int32(mix(i, 6))), U32: uint32(mix(i, 7)), I64: maybe(i+2, int64(mix(i, 8))), U64: mix(i, 9),
		I96: deprecated.Int96{uint32(mix(i, 10)), uint32(mix(i, 11) % 20000), 2440588 + uint32(i)},
		F32: maybe(i+3, float32(real(i))), F64: maybe(i+4, real(i)), Text: maybe(i+5, text(i)), Fixed: [5]byte(blob(i, 5)),
	}
	if mix(i, 12)%3 > 0 {
		row.Blob = blob(i, 1+int(mix(i, 13)%12))
	}
	return row
}

type logical struct {
	D9     int32     `parquet:"d9,decimal(2:9)"`
	D18    int64     `parquet:"d18,decimal(4:18)"`
	DFix   [16]byte  `parquet:"dfix,decimal(10:38)"`
	Day    int32     `parquet:"day,date"`
	TimeMs int32     `parquet:"time_ms,time(millisecond)"`
	TimeUs int64     `parquet:"time_us,time(microsecond:local)"`
	TimeNs int64     `parquet:"time_ns,time(nanosecond)"`
	AtMs   int64     `parquet:"at_ms,timestamp(millisecond)"`
	AtUs   int64     `parquet:"at_us,timestamp(microsecond:local)"`
	AtNs   time.Time `parquet:"at_ns,timestamp(nanosecond)"`
	ID     uuid.UUID `parquet:"id,uuid"`
	Mood   string    `parquet:"mood,enum"`
	Doc    string    `parquet:"doc,json"`
	Field  int32     `parquet:"field,id(42)"`
}

func logicalRow(i int) logical {
	moment := int64(mix(i, 15)%4_000_000_000_000) - 1_000_000_000_000
	return logical{
		D9: int32(mix(i, 1)%1_999_999_999) - 999_999_999, D18: int64(mix(i, 2)%1_000_000_000_000) - 500_000_000_000, DFix: [16]byte(append(make([]byte, 4), blob(i, 12)...)),
		Day: int32(mix(i, 3)%40000) - 10000, TimeMs: int32(mix(i, 4) % 86_400_000), TimeUs: int64(mix(i, 5) % 86_400_000_000), TimeNs: int64(mix(i, 6) % 86_400_000_000_000),
		AtMs: moment, AtUs: moment * 1000, AtNs: time.UnixMilli(moment).UTC(), ID: uuid.UUID(blob(i, 16)), Mood: []string{"sad", "ok", "happy"}[i%3],
		Doc: fmt.Sprintf(`{"a": [%d, null]}`, i), Field: int32(i),
	}
}

type point struct {
	X     *int32 `parquet:"x,optional"`
	Label string `parquet:"label"`
}

type nested struct {
	ID      int64            `parquet:"id"`
	Numbers []int64          `parquet:"numbers,list,optional"`
	Matrix  [][]int32        `parquet:"matrix,list,optional"`
	Points  []point          `parquet:"points,list"`
	Pairs   map[string]int32 `parquet:"pairs,optional"`
	Point   *point           `parquet:"point,optional"`
	Bare    []string         `parquet:"bare"`
	Inner   struct {
		Tags []string `parquet:"tags"`
		Deep []struct {
			Values []float32 `parquet:"values"`
		} `parquet:"deep"`
	} `parquet:"inner"`
}

func nestedRow(i int) nested {
	row := nested{ID: int64(i), Pairs: map[string]int32{}}
	for k := range int(mix(i, 20) % 4) {
		row.Numbers = append(row.Numbers, int64(mix(i, uint64(21+k))%50))
		row.Matrix = append(row.Matrix, make([]int32, mix(i+k, 30)%3))
		row.Points = append(row.Points, point{maybe(i+k, int32(k)), text(i + k)})
	}
	if i%3 > 0 { // One key at most: Go's maps have no order.
		row.Pairs["k"] = int32(i)
	}
	if i%4 > 0 {
		row.Point = &point{maybe(i, int32(i)), text(i)}
	}
	for k := range int(mix(i, 40) % 3) {
		row.Bare = append(row.Bare, text(i+k))
		row.Inner.Tags = append(row.Inner.Tags, text(i*k))
		row.Inner.Deep = append(row.Inner.Deep, struct {
			Values []float32 `parquet:"values"`
		}{make([]float32, mix(i+k, 50)%3)})
	}
	return row
}

type few struct {
	Key   string   `parquet:"key"`
	Count *int32   `parquet:"count,optional"`
	Price *float64 `parquet:"price,optional"`
}

func fewRow(i int) few {
	return few{key(i), maybe(i, int32(mix(i, 2)%9)), maybe(i+7, float64(mix(i, 5)%100000)/100)}
}

type dictionary struct {
	Key   string  `parquet:"key,dict"`
	Word  string  `parquet:"word,dict,optional"`
	Count int64   `parquet:"count,dict"`
	Price float64 `parquet:"price,dict"`
	Same  string  `parquet:"same,dict"`
}

type delta struct {
	I32   int32   `parquet:"i32,delta"`
	I64   int64   `parquet:"i64,delta"`
	Steps int64   `parquet:"steps,delta"`
	Maybe *int64  `parquet:"maybe,optional"`
	Key   string  `parquet:"key,delta"`
	Blob  []byte  `parquet:"blob,delta"`
	Fixed [7]byte `parquet:"fixed,delta"`
}

func deltaRow(i int) delta {
	return delta{int32(mix(i, 1)), int64(mix(i, 2)), 1_700_000_000_000 + 1000*int64(i) + int64(mix(i, 80)%7), maybe(i, int64(i)), key(i), blob(i, int(mix(i, 3)%9)), [7]byte(blob(i, 7))}
}

type split struct {
	F32   float32  `parquet:"f32,split"`
	F64   *float64 `parquet:"f64,split,optional"`
	I32   int32    `parquet:"i32,split"`
	I64   int64    `parquet:"i64,split"`
	Fixed [7]byte  `parquet:"fixed,split"`
}

type text2 struct {
	Key  string  `parquet:"key"`
	Word *string `parquet:"word,optional"`
	Blob []byte  `parquet:"blob"`
}

type odd struct {
	Some  float64  `parquet:"some"`
	All   float32  `parquet:"all"`
	Zeros *float64 `parquet:"zeros,optional"`
	Empty string   `parquet:"empty"`
	Null  *int32   `parquet:"null,optional"`
	Words *string  `parquet:"words,optional"`
	Long  string   `parquet:"long"`
}

func oddRow(i int) odd {
	row := odd{Some: float64(i), All: float32(math.NaN()), Zeros: []*float64{new(float64), maybe(1, math.Copysign(0, -1)), nil}[i%3], Long: strings.Repeat("é", 120+i%2)}
	if i%3 > 0 {
		row.Some = math.NaN()
	}
	return row
}

// A file is one named recipe; Settings go into the manifest.
type file struct {
	name     string
	settings map[string]any
	make     func(path string) error
}

var files []file

// add registers a file of n rows.
func add[T any](name string, row func(int) T, n int, settings map[string]any, options ...parquet.WriterOption) {
	files = append(files, file{name, settings, func(path string) error {
		out, err := os.Create(path)
		if err != nil {
			return err
		}
		defer out.Close()
		writer := parquet.NewGenericWriter[T](out, options...)
		for i := range n {
			if _, err := writer.Write([]T{row(i)}); err != nil {
				return err
			}
		}
		return writer.Close()
	}})
}

type settings = map[string]any

func register() {
	add("default-flat", flatRow, 60, settings{})
	add("default-logical", logicalRow, 30, settings{})
	add("default-nested", nestedRow, 40, settings{})
	for version := 1; version <= 2; version++ {
		page := parquet.DataPageVersion(version)
		suffix := fmt.Sprintf("-v%d", version)
		add("flat"+suffix, flatRow, 40, settings{"page_version": version}, page)
		add("nested"+suffix, nestedRow, 40, settings{"page_version": version}, page, parquet.Compression(&parquet.Snappy))
		for name, codec := range map[string]compress.Codec{"uncompressed": &parquet.Uncompressed, "snappy": &parquet.Snappy, "gzip": &parquet.Gzip,
			"brotli": &parquet.Brotli, "zstd": &parquet.Zstd, "lz4-raw": &parquet.Lz4Raw} {
			add("codec-"+name+suffix, fewRow, 100, settings{"compression": name, "page_version": version}, page, parquet.Compression(codec))
		}
		add("dictionary"+suffix, func(i int) dictionary {
			return dictionary{key(i % 50), text(i), int64(i % 7), float64(i%9) / 2, "same"}
		}, 120, settings{"page_version": version}, page)
		for _, n := range []int{1, 300} {
			add(fmt.Sprintf("delta%s-%d", suffix, n), deltaRow, n, settings{"page_version": version}, page)
		}
		add("byte-stream-split"+suffix, func(i int) split {
			return split{float32(real(i)), maybe(i, real(i)), int32(mix(i, 1)), int64(mix(i, 2)), [7]byte(blob(i, 7))}
		}, 60, settings{"page_version": version}, page)
		add("several-pages"+suffix, fewRow, 200, settings{"page_version": version, "page_buffer": 512}, page, parquet.PageBufferSize(512), parquet.WriteBufferSize(256))
		add("several-pages-nested"+suffix, nestedRow, 50, settings{"page_version": version, "page_buffer": 128}, page, parquet.PageBufferSize(128), parquet.WriteBufferSize(128))
		for name, enc := range map[string]encoding.Encoding{"delta-length-byte-array": &parquet.DeltaLengthByteArray, "delta-byte-array": &parquet.DeltaByteArray} {
			add(name+suffix, func(i int) text2 { return text2{key(i), maybe(i, text(i)), blob(i, int(mix(i, 3)%9))} }, 80, settings{"page_version": version},
				page, parquet.DefaultEncodingFor(parquet.ByteArray, enc))
		}
		add("rle-boolean"+suffix, func(i int) struct{ A, B bool } { return struct{ A, B bool }{mix(i, 1)%2 == 0, i/90%2 == 0} }, 300, settings{"page_version": version},
			page, parquet.DefaultEncodingFor(parquet.Boolean, &parquet.RLE))
		add("odd-values"+suffix, oddRow, 24, settings{"page_version": version}, page)
	}
	add("several-row-groups", fewRow, 100, settings{"row_group_rows": 40}, parquet.MaxRowsPerRowGroup(40))
	add("page-statistics", flatRow, 40, settings{"page_statistics": true}, parquet.DataPageStatistics(true))
	add("page-statistics-deprecated", flatRow, 40, settings{"page_statistics": true, "deprecated": true}, parquet.DataPageStatistics(true), parquet.DeprecatedDataPageStatistics(true))
	add("bloom-filters", flatRow, 100, settings{"bloom_filter_bits": 10}, parquet.BloomFilters(parquet.SplitBlockFilter(10, "u64"), parquet.SplitBlockFilter(10, "i32"),
		parquet.SplitBlockFilter(10, "f64"), parquet.SplitBlockFilter(10, "text"), parquet.SplitBlockFilter(10, "fixed")))
	add("bloom-filters-several-row-groups", fewRow, 100, settings{"bloom_filter_bits": 10, "row_group_rows": 40}, parquet.MaxRowsPerRowGroup(40), parquet.BloomFilters(parquet.SplitBlockFilter(10, "key")))
	add("bloom-filter-compressed", fewRow, 100, settings{"bloom_filter_bits": 10, "bloom_filter_compression": "gzip"}, parquet.BloomFilters(parquet.SplitBlockFilter(10, "key")), parquet.BloomFilterCompression(&parquet.Gzip))
	add("sorted", fewRow, 60, settings{"sorting": "key, -price"}, parquet.SortingWriterConfig(parquet.SortingColumns(parquet.Ascending("key"), parquet.NullsFirst(parquet.Descending("price")))))
	add("skip-bounds", fewRow, 60, settings{"skip_page_bounds": "key"}, parquet.SkipPageBounds("key"))
	add("skip-statistics", fewRow, 60, settings{"skip_page_statistics": "key"}, parquet.SkipPageStatistics("key"))
	add("column-index-limit", oddRow, 12, settings{"column_index_limit": 5}, parquet.ColumnIndexSizeLimit(func([]string) int { return 5 }))
	add("dictionary-limit", func(i int) dictionary { return dictionary{key(i), text(i), int64(i), float64(i) / 2, "same"} }, 300, settings{"dictionary_bytes": 500, "page_buffer": 1024},
		parquet.DictionaryMaxBytes(500), parquet.PageBufferSize(1024), parquet.WriteBufferSize(256))
	add("created-by", fewRow, 3, settings{"created_by": "parqproof recipe"}, parquet.CreatedBy("parqproof recipe", "1.0.0", "0"), parquet.KeyValueMetadata("note", "größe"))
	add("zero-rows", flatRow, 0, settings{})
	add("one-row", fewRow, 1, settings{})
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "github.com/parquet-go/parquet-go" {
			return strings.TrimPrefix(module.Version, "v")
		}
	}
	return "unknown"
}

// try makes one file; a panic of the writer is an error.
func try(f file, out string) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	return f.make(filepath.Join(out, f.name+".parquet"))
}

func main() {
	register()
	out, names := os.Args[1], os.Args[2:]
	failed := false
	for _, f := range files {
		if len(names) > 0 && !slices.Contains(names, f.name) {
			continue
		}
		if err := try(f, out); err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "%s: %v\n", f.name, err)
			continue
		}
		line, _ := json.Marshal(map[string]any{"name": f.name, "version": version(), "settings": f.settings})
		fmt.Println(string(line))
	}
	if failed {
		os.Exit(1)
	}
}
