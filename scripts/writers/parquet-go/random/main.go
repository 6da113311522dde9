// Random files by parquet-go.
//
// usage: random PLANS   a JSON object a line; prints plans that cannot be written
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"os"
	"sort"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
)

type plan struct {
	File, Nulls, Values, Shape, Codec, Encoding string
	Seed                                        int64
	Rows, Version, Page, RowGroup, Limit        int
	Sorted                                      *string
	Bloom, PageStatistics, Deprecated           bool
	Dict                                        int
}

// A leaf makes a node and values of it.
type leaf struct {
	node  func() parquet.Node
	value func(r *maker) parquet.Value
}

type maker struct {
	*rand.Rand
	p   plan
	row int
	few map[string]parquet.Value
}

var words = []string{"", "a", "alpha", "alphabet", "größe", "日本", "zz", "🙂 smile", "\x00", strings.Repeat("z", 70), strings.Repeat("\U0010ffff", 20)}

func (r *maker) special() bool {
	switch r.p.Values {
	case "special":
		return r.Intn(10) < 6
	case "random":
		return false
	}
	return r.Intn(2) == 0
}

func (r *maker) within(low, high int64) int64 {
	if r.special() {
		return []int64{low, high, low + 1, high - 1, max(low, 0), max(low, 1)}[r.Intn(6)]
	}
	if r.Intn(2) == 0 {
		return max(low, min(high, int64(r.Intn(1000))))
	}
	span := new(big.Int).Sub(big.NewInt(high), big.NewInt(low))
	span.Add(span, big.NewInt(1))
	return new(big.Int).Add(new(big.Int).Rand(r.Rand, span), big.NewInt(low)).Int64()
}

func (r *maker) real() float64 {
	if r.special() {
		return []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -1.5, math.MaxFloat64}[r.Intn(8)]
	}
	return float64(r.Intn(200000))/100 - 1000
}

func (r *maker) text() []byte {
	if r.special() {
		return []byte(words[r.Intn(len(words))])
	}
	return fmt.Appendf(nil, "customer/%06d", r.Intn(1000000))
}

func (r *maker) blob(n int) []byte {
	out := make([]byte, n)
	if r.special() {
		for i := range out {
			out[i] = []byte{0, 255, 128}[n%3]
		}
	} else {
		r.Read(out)
	}
	return out
}

func i32(low, high int64) func(r *maker) parquet.Value {
	return func(r *maker) parquet.Value { return parquet.Int32Value(int32(r.within(low, high))) }
}

func i64(low, high int64) func(r *maker) parquet.Value {
	return func(r *maker) parquet.Value { return parquet.Int64Value(r.within(low, high)) }
}

func u32(high int64) func(r *maker) parquet.Value {
	return func(r *maker) parquet.Value { return parquet.Int32Value(int32(uint32(r.within(0, high)))) }
}

func node(n parquet.Node) func() parquet.Node { return func() parquet.Node { return n } }

const day = 86400

var leaves = []leaf{
	{node(parquet.Leaf(parquet.BooleanType)), func(r *maker) parquet.Value { return parquet.BooleanValue(r.Intn(2) == 0) }},
	{node(parquet.Int(8)), i32(-128, 127)}, {node(parquet.Int(16)), i32(-32768, 32767)}, {node(parquet.Int(32)), i32(math.MinInt32, math.MaxInt32)},
	{node(parquet.Int(64)), i64(math.MinInt64, math.MaxInt64)}, {node(parquet.Uint(8)), u32(255)}, {node(parquet.Uint(16)), u32(65535)},
	{node(parquet.Uint(32)), u32(math.MaxUint32)}, {node(parquet.Uint(64)), i64(math.MinInt64, math.MaxInt64)},
	{node(parquet.Leaf(parquet.Int32Type)), i32(math.MinInt32, math.MaxInt32)}, {node(parquet.Leaf(parquet.Int64Type)), i64(math.MinInt64, math.MaxInt64)},
	{node(parquet.Leaf(parquet.Int96Type)), func(r *maker) parquet.Value {
		return parquet.Int96Value(deprecated.Int96{r.Uint32(), uint32(r.Intn(20000)), 2440588 + uint32(r.Intn(9000))})
	}},
	{node(parquet.Leaf(parquet.FloatType)), func(r *maker) parquet.Value { return parquet.FloatValue(float32(r.real())) }},
	{node(parquet.Leaf(parquet.DoubleType)), func(r *maker) parquet.Value { return parquet.DoubleValue(r.real()) }},
	{node(parquet.String()), func(r *maker) parquet.Value { return parquet.ByteArrayValue(r.text()) }},
	{node(parquet.String()), func(r *maker) parquet.Value { return parquet.ByteArrayValue(r.text()) }},
	{node(parquet.Enum()), func(r *maker) parquet.Value {
		return parquet.ByteArrayValue([]byte([]string{"A", "B", "C"}[r.Intn(3)]))
	}},
	{node(parquet.JSON()), func(r *maker) parquet.Value {
		return parquet.ByteArrayValue(fmt.Appendf(nil, `{"a": [%d]}`, r.Intn(99)))
	}},
	{node(parquet.BSON()), func(r *maker) parquet.Value {
		return parquet.ByteArrayValue([]byte{12, 0, 0, 0, 0x10, 'a', 0, byte(r.Intn(99)), 0, 0, 0, 0})
	}},
	{node(parquet.Leaf(parquet.ByteArrayType)), func(r *maker) parquet.Value { return parquet.ByteArrayValue(r.blob(r.Intn(20))) }},
	{node(parquet.Leaf(parquet.FixedLenByteArrayType(5))), func(r *maker) parquet.Value { return parquet.FixedLenByteArrayValue(r.blob(5)) }},
	{node(parquet.Leaf(parquet.FixedLenByteArrayType(1))), func(r *maker) parquet.Value { return parquet.FixedLenByteArrayValue(r.blob(1)) }},
	{node(parquet.UUID()), func(r *maker) parquet.Value { return parquet.FixedLenByteArrayValue(r.blob(16)) }},
	{node(parquet.Decimal(2, 9, parquet.Int32Type)), i32(-999999999, 999999999)},
	{node(parquet.Decimal(4, 18, parquet.Int64Type)), i64(-999999999999999999, 999999999999999999)},
	{node(parquet.Decimal(0, 20, parquet.FixedLenByteArrayType(9))), func(r *maker) parquet.Value {
		v := r.within(-999999999999999999, 999999999999999999)
		b := make([]byte, 9)
		if v < 0 {
			b[0] = 255
		}
		for i := range 8 {
			b[8-i] = byte(v >> (8 * i))
		}
		return parquet.FixedLenByteArrayValue(b)
	}},
	{node(parquet.Date()), i32(-719162, 2932896)},
	{node(parquet.Time(parquet.Millisecond)), i32(0, day*1000-1)}, {node(parquet.Time(parquet.Microsecond)), i64(0, day*1000000-1)},
	{node(parquet.Time(parquet.Nanosecond)), i64(0, day*1000000000-1)},
	{node(parquet.Timestamp(parquet.Millisecond)), i64(math.MinInt64, math.MaxInt64)}, {node(parquet.Timestamp(parquet.Microsecond)), i64(math.MinInt64, math.MaxInt64)},
	{node(parquet.Timestamp(parquet.Nanosecond)), i64(math.MinInt64, math.MaxInt64)},
	{node(parquet.TimestampAdjusted(parquet.Microsecond, false)), i64(math.MinInt64, math.MaxInt64)},
	{node(parquet.TimeAdjusted(parquet.Microsecond, false)), i64(0, day*1000000-1)},
}

func encodingOf(policy string, kind parquet.Kind) encoding.Encoding {
	switch policy {
	case "dictionary":
		if kind != parquet.Boolean {
			return &parquet.RLEDictionary
		}
	case "delta":
		switch kind {
		case parquet.Int32, parquet.Int64:
			return &parquet.DeltaBinaryPacked
		case parquet.ByteArray:
			return &parquet.DeltaLengthByteArray
		}
	case "delta_byte_array":
		if kind == parquet.ByteArray || kind == parquet.FixedLenByteArray {
			return &parquet.DeltaByteArray
		}
	case "split":
		switch kind {
		case parquet.Int32, parquet.Int64, parquet.Float, parquet.Double, parquet.FixedLenByteArray:
			return &parquet.ByteStreamSplit
		}
	case "rle":
		if kind == parquet.Boolean {
			return &parquet.RLE
		}
	case "plain":
		return &parquet.Plain
	}
	return nil
}

func (r *maker) leafNode() parquet.Node {
	l := leaves[r.Intn(len(leaves))]
	n := l.node()
	if e := encodingOf(r.p.Encoding, n.Type().Kind()); e != nil {
		n = parquet.Encoded(n, e)
	}
	return n
}

func (r *maker) how(n parquet.Node) parquet.Node {
	if r.Intn(10) < 7 {
		return parquet.Optional(n)
	}
	return parquet.Required(n)
}

func (r *maker) node(depth int) parquet.Node {
	if depth == 0 {
		return r.leafNode()
	}
	switch r.Intn(3) {
	case 0:
		return parquet.List(r.how(r.node(depth - 1)))
	case 1:
		return parquet.Map(parquet.String(), r.how(r.node(depth-1)))
	}
	group := parquet.Group{}
	for i := range 1 + r.Intn(3) {
		below := 0
		if i == 0 {
			below = depth - 1
		}
		group[fmt.Sprintf("f%d", i)] = r.how(r.node(below))
	}
	return group
}

func (r *maker) null() bool {
	switch r.p.Nulls {
	case "none":
		return false
	case "all":
		return true
	case "runs":
		return r.row/23%2 == 1
	case "some":
		return r.Intn(100) < 15
	}
	return r.Intn(100) < 80
}

func (r *maker) valueOf(n parquet.Node, path string) parquet.Value {
	for _, l := range leaves {
		own := l.node()
		if own.Type().String() == n.Type().String() && fmt.Sprint(own.Type().LogicalType()) == fmt.Sprint(n.Type().LogicalType()) {
			key := ""
			switch r.p.Values {
			case "constant":
				key = path
			case "few":
				key = fmt.Sprint(path, r.Intn(5))
			case "runs":
				key = fmt.Sprint(path, r.row/31%5)
			default:
				return l.value(r)
			}
			if _, ok := r.few[key]; !ok {
				r.few[key] = l.value(r)
			}
			return r.few[key]
		}
	}
	panic("no leaf like " + n.Type().String())
}

type columns [][]parquet.Value

// shred adds a value of n to the columns from first on; returns the next column.
func (r *maker) shred(out columns, n parquet.Node, first, rep, def, depth int, absent bool, path string) int {
	switch {
	case n.Optional():
		if absent || r.null() {
			return r.inner(out, n, first, rep, def, depth, true, path)
		}
		return r.inner(out, n, first, rep, def+1, depth, false, path)
	case n.Repeated():
		count := []int{0, 0, 1, 1, 2, 3, 5}[r.Intn(7)]
		if absent || count == 0 {
			return r.inner(out, n, first, rep, def, depth+1, true, path)
		}
		end := 0
		for i := range count {
			at := rep
			if i > 0 {
				at = depth + 1
			}
			end = r.inner(out, n, first, at, def+1, depth+1, false, path+fmt.Sprintf("#%d", i))
		}
		return end
	}
	return r.inner(out, n, first, rep, def, depth, absent, path)
}

func (r *maker) inner(out columns, n parquet.Node, first, rep, def, depth int, absent bool, path string) int {
	if n.Leaf() {
		v := parquet.NullValue()
		if !absent {
			if strings.HasSuffix(path, ".key") {
				v = parquet.ByteArrayValue([]byte(path[strings.LastIndex(path, "#"):]))
			} else {
				v = r.valueOf(n, fmt.Sprint(first))
			}
		}
		out[first] = append(out[first], v.Level(rep, def, first))
		return first + 1
	}
	for _, f := range n.Fields() {
		first = r.shred(out, f, first, rep, def, depth, absent, path+"."+f.Name())
	}
	return first
}

func run(p plan) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	r := &maker{Rand: rand.New(rand.NewSource(p.Seed)), p: p, few: map[string]parquet.Value{}}
	depth := map[string]int{"nested": 2, "deep": 3}[p.Shape]
	group := parquet.Group{}
	for i := range 1 + r.Intn(6) {
		group[fmt.Sprintf("c%d", i)] = r.how(r.node(depth))
	}
	schema := parquet.NewSchema("m", group)
	codecs := map[string]compress.Codec{"none": &parquet.Uncompressed, "snappy": &parquet.Snappy, "gzip": &parquet.Gzip, "brotli": &parquet.Brotli, "zstd": &parquet.Zstd, "lz4_raw": &parquet.Lz4Raw}
	options := []parquet.WriterOption{schema, parquet.DataPageVersion(p.Version), parquet.Compression(codecs[p.Codec]), parquet.DataPageStatistics(p.PageStatistics), parquet.DeprecatedDataPageStatistics(p.Deprecated)}
	if p.Page > 0 {
		options = append(options, parquet.PageBufferSize(p.Page), parquet.WriteBufferSize(p.Page))
	}
	if p.RowGroup > 0 {
		options = append(options, parquet.MaxRowsPerRowGroup(int64(p.RowGroup)))
	}
	if p.Limit > 0 {
		options = append(options, parquet.ColumnIndexSizeLimit(func([]string) int { return p.Limit }))
	}
	if p.Dict > 0 {
		options = append(options, parquet.DictionaryMaxBytes(int64(p.Dict)))
	}
	if p.Bloom {
		var filters []parquet.BloomFilterColumn
		for _, path := range schema.Columns() {
			if c, _ := schema.Lookup(path...); c.Node.Type().Kind() != parquet.Boolean {
				filters = append(filters, parquet.SplitBlockFilter(10, path...))
			}
		}
		options = append(options, parquet.BloomFilters(filters...))
	}
	var rows []parquet.Row
	for r.row = 0; r.row < p.Rows; r.row++ {
		out := make(columns, len(schema.Columns()))
		r.shred(out, schema, 0, 0, 0, 0, false, "")
		var row parquet.Row
		for _, c := range out {
			row = append(row, c...)
		}
		rows = append(rows, row)
	}
	if p.Sorted != nil && depth == 0 {
		for i, path := range schema.Columns() {
			c, _ := schema.Lookup(path...)
			kind := c.Node.Type().Kind()
			if kind == parquet.Boolean || kind == parquet.Float || kind == parquet.Double || kind == parquet.Int96 {
				continue
			}
			down, first := strings.Contains(*p.Sorted, "descending"), strings.Contains(*p.Sorted, "nulls-first")
			sort.SliceStable(rows, func(a, b int) bool {
				x, y := rows[a][i], rows[b][i]
				if x.IsNull() || y.IsNull() {
					return x.IsNull() != y.IsNull() && x.IsNull() == first
				}
				less := c.Node.Type().Compare(x, y)
				return less < 0 && !down || less > 0 && down
			})
			column := parquet.Ascending(path...)
			if down {
				column = parquet.Descending(path...)
			}
			if first {
				column = parquet.NullsFirst(column)
			}
			options = append(options, parquet.SortingWriterConfig(parquet.SortingColumns(column)))
			break
		}
	}
	out, err := os.Create(p.File)
	if err != nil {
		return err
	}
	defer out.Close()
	writer := parquet.NewWriter(out, options...)
	for len(rows) > 0 {
		n := min(len(rows), 16)
		if _, err := writer.WriteRows(rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return writer.Close()
}

func main() {
	in, _ := os.Open(os.Args[1])
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var p plan
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			panic(err)
		}
		if err := run(p); err != nil {
			fmt.Printf("%s: %v\n", p.File, err)
			os.Remove(p.File)
		}
	}
}
