import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntervalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** Rows as JSON: the logical view of LogicalTypes.md. */
final class Shown {
  private static final long DAY = 86_400;

  private Shown() {}

  static String row(Group row) {
    return fields(row, null);
  }

  private static String fields(Group group, List<String> names) {
    List<String> parts = new ArrayList<>();
    for (int at = 0; at < group.getType().getFieldCount(); ++at) {
      String name = names == null ? group.getType().getType(at).getName() : names.get(at);
      parts.add(quoted(name) + ":" + field(group, at));
    }
    return "{" + String.join(",", parts) + "}";
  }

  /** What stands behind the key of a field. */
  private static String field(Group group, int at) {
    Type type = group.getType().getType(at);
    if (type.isRepetition(Type.Repetition.REPEATED)) {
      List<String> items = new ArrayList<>();
      for (int item = 0; item < group.getFieldRepetitionCount(at); ++item) items.add(value(group, at, item));
      return "[" + String.join(",", items) + "]";
    }
    return group.getFieldRepetitionCount(at) == 0 ? "null" : value(group, at, 0);
  }

  private static String value(Group group, int at, int item) {
    Type type = group.getType().getType(at);
    if (type.isPrimitive()) return leaf(group, at, item, type.asPrimitiveType());
    Group inner = group.getGroup(at, item);
    GroupType shape = type.asGroupType();
    LogicalTypeAnnotation says = shape.getLogicalTypeAnnotation();
    boolean repeats = shape.getFieldCount() == 1 && shape.getType(0).isRepetition(Type.Repetition.REPEATED);
    if (says instanceof ListLogicalTypeAnnotation && repeats) return list(inner, shape);
    if ((says instanceof MapLogicalTypeAnnotation || says instanceof MapKeyValueTypeAnnotation) && repeats
        && !shape.getType(0).isPrimitive() && shape.getType(0).asGroupType().getFieldCount() <= 2) {
      int count = shape.getType(0).asGroupType().getFieldCount();
      List<String> entries = new ArrayList<>();
      for (int entry = 0; entry < inner.getFieldRepetitionCount(0); ++entry) {
        entries.add(fields(inner.getGroup(0, entry), List.of("key", "value").subList(0, count)));
      }
      return "[" + String.join(",", entries) + "]";
    }
    return fields(inner, null);
  }

  /** A LIST, by the rules for older shapes too. */
  private static String list(Group group, GroupType shape) {
    Type middle = shape.getType(0);
    boolean isElement = middle.isPrimitive() || middle.asGroupType().getFieldCount() != 1
        || middle.asGroupType().getType(0).isRepetition(Type.Repetition.REPEATED)
        || middle.getName().equals("array") || middle.getName().equals(shape.getName() + "_tuple");
    List<String> items = new ArrayList<>();
    for (int item = 0; item < group.getFieldRepetitionCount(0); ++item) {
      items.add(isElement ? value(group, 0, item) : field(group.getGroup(0, item), 0));
    }
    return "[" + String.join(",", items) + "]";
  }

  private static String leaf(Group group, int at, int item, PrimitiveType type) {
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> String.valueOf(group.getBoolean(at, item));
      case FLOAT -> real(group.getFloat(at, item), true);
      case DOUBLE -> real(group.getDouble(at, item), false);
      case INT32 -> number(group.getInteger(at, item), type, 32);
      case INT64 -> number(group.getLong(at, item), type, 64);
      case INT96 -> int96(group.getInt96(at, item).getBytes());
      case BINARY, FIXED_LEN_BYTE_ARRAY -> octets(group.getBinary(at, item).getBytes(), type);
    };
  }

  /** The fewest digits that lead to the number; before Java 19, Double.toString may write more. */
  private static String real(double value, boolean isSingle) {
    String text = isSingle ? Float.toString((float) value) : Double.toString(value);
    if (!Double.isFinite(value)) return '"' + text + '"';
    for (int digits = 1; digits <= 17 && value != 0; ++digits) {
      BigDecimal near = new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (isSingle ? near.floatValue() == (float) value : near.doubleValue() == value) return near.toString();
    }
    return text;
  }

  private static String int96(byte[] data) {
    ByteBuffer buffer = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    long nanoseconds = buffer.getLong();
    String text = moment(buffer.getInt() - 2_440_588L, nanoseconds, 9, "");
    return text == null ? hex(data) : text;
  }

  private static String number(long value, PrimitiveType type, int bits) {
    LogicalTypeAnnotation says = type.getLogicalTypeAnnotation();
    String text = null;
    if (says instanceof IntLogicalTypeAnnotation integer && !integer.isSigned()) {
      text = bits == 32 ? Integer.toUnsignedString((int) value) : Long.toUnsignedString(value);
    } else if (says instanceof DecimalLogicalTypeAnnotation decimal) {
      text = decimal(BigInteger.valueOf(value), decimal.getScale());
    } else if (says instanceof DateLogicalTypeAnnotation) {
      text = isDay(value) ? '"' + LocalDate.ofEpochDay(value).toString() + '"' : null;
    } else if (says instanceof TimeLogicalTypeAnnotation time) {
      int digits = digits(time.getUnit());
      text = value >= 0 && value < DAY * power(digits) ? '"' + clock(value, digits) + '"' : null;
    } else if (says instanceof TimestampLogicalTypeAnnotation at) {
      text = moment(0, value, digits(at.getUnit()), at.isAdjustedToUTC() ? "Z" : "");
    }
    return text == null ? String.valueOf(value) : text;
  }

  private static String octets(byte[] data, PrimitiveType type) {
    LogicalTypeAnnotation says = type.getLogicalTypeAnnotation();
    boolean isFixed = type.getPrimitiveTypeName() == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
    ByteBuffer buffer = ByteBuffer.wrap(data);
    if (says instanceof StringLogicalTypeAnnotation || says instanceof EnumLogicalTypeAnnotation || says instanceof JsonLogicalTypeAnnotation) {
      try {
        return quoted(StandardCharsets.UTF_8.newDecoder().decode(buffer).toString());
      } catch (CharacterCodingException notText) {
        return "{\"hex\":" + hex(data) + "}";
      }
    }
    if (says instanceof DecimalLogicalTypeAnnotation decimal && data.length > 0) {
      return decimal(new BigInteger(data), decimal.getScale());
    }
    if (isFixed && says instanceof UUIDLogicalTypeAnnotation && data.length == 16) {
      return '"' + new UUID(buffer.getLong(), buffer.getLong()).toString() + '"';
    }
    buffer.order(ByteOrder.LITTLE_ENDIAN);
    if (isFixed && says instanceof Float16LogicalTypeAnnotation && data.length == 2) return half(buffer.getShort());
    if (isFixed && says instanceof IntervalLogicalTypeAnnotation && data.length == 12) {
      return String.format("{\"months\":%s,\"days\":%s,\"milliseconds\":%s}", Integer.toUnsignedString(buffer.getInt()),
          Integer.toUnsignedString(buffer.getInt()), Integer.toUnsignedString(buffer.getInt()));
    }
    return hex(data);
  }

  private static String half(short bits) {
    int exponent = bits >> 10 & 0x1f;
    int fraction = bits & 0x3ff;
    double size = exponent == 0 ? fraction * 0x1p-24 : exponent < 31 ? (1024 + fraction) * Math.pow(2, exponent - 25)
        : fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
    return real(bits < 0 ? -size : size, false);
  }

  private static String decimal(BigInteger number, int scale) {
    return '"' + new BigDecimal(number, scale).toPlainString() + '"';
  }

  private static int digits(TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> 3;
      case MICROS -> 6;
      case NANOS -> 9;
    };
  }

  private static long power(int digits) {
    return digits == 3 ? 1_000 : digits == 6 ? 1_000_000 : 1_000_000_000;
  }

  private static boolean isDay(long days) {
    return days >= -719_162 && days <= 2_932_896;
  }

  private static String clock(long units, int digits) {
    long seconds = units / power(digits);
    return String.format("%02d:%02d:%02d.%0" + digits + "d", seconds / 3600, seconds / 60 % 60, seconds % 60, units % power(digits));
  }

  /** A day and what has gone by since it began; null outside of the years 1 to 9999. */
  private static String moment(long days, long units, int digits, String end) {
    long all = days + Math.floorDiv(units, DAY * power(digits));
    if (!isDay(all)) return null;
    return '"' + LocalDate.ofEpochDay(all).toString() + "T" + clock(Math.floorMod(units, DAY * power(digits)), digits) + end + '"';
  }

  private static String hex(byte[] data) {
    return '"' + HexFormat.of().formatHex(data) + '"';
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char each : text.toCharArray()) {
      if (each == '"' || each == '\\') out.append('\\').append(each);
      else if (each < 0x20) out.append(String.format("\\u%04x", (int) each));
      else out.append(each);
    }
    return out.append('"').toString();
  }
}
