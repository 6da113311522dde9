package main

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

const day = 86_400

func quoted(text []byte) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(string(text))
	return strings.TrimSuffix(out.String(), "\n")
}

func real(value float64, bits int) string {
	switch {
	case math.IsNaN(value):
		return `"NaN"`
	case math.IsInf(value, 1):
		return `"Infinity"`
	case math.IsInf(value, -1):
		return `"-Infinity"`
	case value == 0 && math.Signbit(value):
		return "-0.0"
	}
	return strconv.FormatFloat(value, 'g', -1, bits)
}

func half(bits uint16) float64 {
	sign, exponent, fraction := 1.0, int(bits>>10&0x1f), float64(bits&0x3ff)
	if bits>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return math.Copysign(math.Ldexp(fraction, -24), sign)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

func decimal(number *big.Int, scale int) string {
	digits := new(big.Int).Abs(number).String()
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	sign := ""
	if number.Sign() < 0 {
		sign = "-"
	}
	if scale == 0 {
		return `"` + sign + digits + `"`
	}
	point := len(digits) - scale
	return `"` + sign + digits[:point] + "." + digits[point:] + `"`
}

// bigEndian is a number in two's complement.
func bigEndian(data []byte) *big.Int {
	number := new(big.Int).SetBytes(data)
	if len(data) > 0 && data[0]&0x80 != 0 {
		number.Sub(number, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data))))
	}
	return number
}

// clock is a time of day of so many digits behind its seconds.
func clock(units int64, digits int) string {
	one := int64(math.Pow10(digits))
	seconds := units / one
	return fmt.Sprintf("%02d:%02d:%02d.%0*d", seconds/3600, seconds/60%60, seconds%60, digits, units%one)
}

// moment is a day and what has gone by since it began; "" outside of the years 1 to 9999.
func moment(days, units int64, digits int, end string) string {
	whole := day * int64(math.Pow10(digits))
	more := units / whole
	if units %= whole; units < 0 {
		more, units = more-1, units+whole
	}
	date := dateOf(days + more)
	if date == "" {
		return ""
	}
	return `"` + date + "T" + clock(units, digits) + end + `"`
}

func dateOf(days int64) string {
	if days < -719162 || days > 2932896 {
		return ""
	}
	return time.Unix(days*day, 0).UTC().Format("2006-01-02")
}

func digitsOf(unit format.TimeUnit) int {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return 3
	case *format.MicroSeconds:
		return 6
	case *format.NanoSeconds:
		return 9
	}
	return 0
}

// annotation is the logical type of an element, or what its converted type stands for.
func annotation(element *format.SchemaElement) any {
	logical := element.LogicalType.Value
	if _, unknown := logical.(*format.NullType); logical != nil && !unknown || !element.ConvertedType.Valid {
		return logical
	}
	millis, micros := parquet.Millisecond.TimeUnit(), parquet.Microsecond.TimeUnit()
	switch kind := element.ConvertedType.V; kind {
	case deprecated.UTF8:
		return &format.StringType{}
	case deprecated.Enum:
		return &format.EnumType{}
	case deprecated.Json:
		return &format.JsonType{}
	case deprecated.Decimal:
		return &format.DecimalType{Scale: element.Scale.V, Precision: element.Precision.V}
	case deprecated.Date:
		return &format.DateType{}
	case deprecated.TimeMillis:
		return &format.TimeType{Unit: millis}
	case deprecated.TimeMicros:
		return &format.TimeType{Unit: micros}
	case deprecated.TimestampMillis:
		return &format.TimestampType{IsAdjustedToUTC: true, Unit: millis}
	case deprecated.TimestampMicros:
		return &format.TimestampType{IsAdjustedToUTC: true, Unit: micros}
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return &format.IntType{}
	case deprecated.Interval:
		return kind
	}
	return logical
}

// valueText is a value of a leaf as it stands in a row.
func valueText(element *format.SchemaElement, value parquet.Value) (string, error) {
	text := ""
	switch value.Kind() {
	case parquet.Boolean:
		return strconv.FormatBool(value.Boolean()), nil
	case parquet.Float:
		return real(float64(value.Float()), 32), nil
	case parquet.Double:
		return real(value.Double(), 64), nil
	case parquet.Int96:
		data := value.Int96()
		nanoseconds := int64(uint64(data[0]) | uint64(data[1])<<32)
		if text = moment(int64(int32(data[2]))-2_440_588, nanoseconds, 9, ""); text == "" {
			raw := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, uint64(nanoseconds)), data[2])
			return `"` + hex.EncodeToString(raw) + `"`, nil
		}
		return text, nil
	case parquet.Int32:
		if text = ofNumber(element, int64(value.Int32()), 32); text == "" {
			text = strconv.FormatInt(int64(value.Int32()), 10)
		}
	case parquet.Int64:
		if text = ofNumber(element, value.Int64(), 64); text == "" {
			text = strconv.FormatInt(value.Int64(), 10)
		}
	case parquet.ByteArray, parquet.FixedLenByteArray:
		if text = ofBytes(element, value.ByteArray(), value.Kind()); text == "" {
			text = `"` + hex.EncodeToString(value.ByteArray()) + `"`
		}
	default:
		return "", fmt.Errorf("driver: a value of kind %v", value.Kind())
	}
	return text, nil
}

// ofNumber shows an annotated number; "" where the annotation does not fit.
func ofNumber(element *format.SchemaElement, value int64, bits int) string {
	switch says := annotation(element).(type) {
	case *format.IntType:
		if !says.IsSigned && bits == 32 {
			return strconv.FormatUint(uint64(uint32(value)), 10)
		} else if !says.IsSigned {
			return strconv.FormatUint(uint64(value), 10)
		}
	case *format.DecimalType:
		if says.Scale >= 0 && says.Scale <= 10_000 {
			return decimal(big.NewInt(value), int(says.Scale))
		}
	case *format.DateType:
		if date := dateOf(value); date != "" && bits == 32 {
			return `"` + date + `"`
		}
	case *format.TimeType:
		if digits := digitsOf(says.Unit); digits > 0 && value >= 0 && value < day*int64(math.Pow10(digits)) {
			return `"` + clock(value, digits) + `"`
		}
	case *format.TimestampType:
		if digits := digitsOf(says.Unit); digits > 0 && bits == 64 {
			return moment(0, value, digits, map[bool]string{true: "Z"}[says.IsAdjustedToUTC])
		}
	}
	return ""
}

// ofBytes shows an annotated byte array; "" where the annotation does not fit.
func ofBytes(element *format.SchemaElement, data []byte, kind parquet.Kind) string {
	fixed := kind == parquet.FixedLenByteArray
	switch says := annotation(element).(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		if !utf8.Valid(data) {
			return `{"hex":"` + hex.EncodeToString(data) + `"}`
		}
		return quoted(data)
	case *format.DecimalType:
		if len(data) > 0 && len(data) <= 4_096 && says.Scale >= 0 && says.Scale <= 10_000 {
			return decimal(bigEndian(data), int(says.Scale))
		}
	case *format.UUIDType:
		if fixed && len(data) == 16 {
			return fmt.Sprintf(`"%x-%x-%x-%x-%x"`, data[:4], data[4:6], data[6:8], data[8:10], data[10:])
		}
	case *format.Float16Type:
		if fixed && len(data) == 2 {
			return real(half(binary.LittleEndian.Uint16(data)), 64)
		}
	case deprecated.ConvertedType: // INTERVAL
		if fixed && len(data) == 12 {
			part := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
			return fmt.Sprintf(`{"months":%d,"days":%d,"milliseconds":%d}`, part(0), part(4), part(8))
		}
	}
	return ""
}
