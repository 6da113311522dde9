import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** Fills rows of any schema with values that are functions of the row number and the column's name alone. */
final class Values {
  private static final String[] WORDS = {"", "a", "alpha", "alphabet", "beta", "Gamma", "größe", "日本", "zz", "\uD83D\uDE42 smile"};
  private static final double[] SPECIAL = {0.0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};

  private Values() {}

  /** SplitMix64 of (i, salt): 64 bits that look random and never change. */
  static long mix(long i, long salt) {
    long z = i * 0x9E3779B97F4A7C15L + salt * 0xD1B54A32D192ED03L + 0x632BE59BD9B4E019L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  private static int below(long i, long salt, int limit) {
    return (int) Long.remainderUnsigned(mix(i, salt), limit);
  }

  private static byte[] bytes(long i, long salt, int length) {
    byte[] out = new byte[length];
    for (int k = 0; k < length; k++) out[k] = (byte) mix(i, salt + 1000 + k);
    return out;
  }

  /** Adds the fields of one group: three of four optional ones, up to three of each repeated one. */
  static void fill(Group group, GroupType type, long i) {
    for (int field = 0; field < type.getFieldCount(); field++) {
      Type child = type.getType(field);
      long salt = child.getName().hashCode();
      int count = switch (child.getRepetition()) {
        case REQUIRED -> 1;
        case OPTIONAL -> child.getName().startsWith("null") || below(i, salt, 4) == 0 ? 0 : 1;
        case REPEATED -> below(i, salt, 4);
      };
      for (int k = 0; k < count; k++) {
        if (child.isPrimitive()) add(group, field, child.asPrimitiveType(), i * 5 + k, salt);
        else fill(group.addGroup(field), child.asGroupType(), i * 5 + k + 1);
      }
    }
  }

  private static void add(Group group, int field, PrimitiveType type, long i, long salt) {
    switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> group.add(field, mix(i, salt) % 2 == 0);
      case INT32 -> group.add(field, integer(type, i, salt));
      case INT64 -> group.add(field, type.getName().equals("steps") ? 1700000000000L + 1000 * i : whole(type, i, salt));
      case INT96 -> group.add(field, Binary.fromConstantByteArray(ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN)
          .putLong(Long.remainderUnsigned(mix(i, salt), 86_400_000_000_000L)).putInt(2440588 + (int) i).array()));
      case FLOAT -> group.add(field, type.getName().startsWith("nan") ? Float.NaN : (float) real(i, salt));
      case DOUBLE -> group.add(field, type.getName().startsWith("nan") && i % 3 != 0 ? Double.NaN : real(i, salt));
      case BINARY -> group.add(field, Binary.fromConstantByteArray(binary(type, i, salt)));
      case FIXED_LEN_BYTE_ARRAY -> group.add(field, Binary.fromConstantByteArray(bytes(i, salt, type.getTypeLength())));
    }
  }

  private static double real(long i, long salt) {
    return i % 5 == 0 && i / 5 < SPECIAL.length ? SPECIAL[(int) i / 5] : below(i, salt, 2_000_001) / 1024.0 - 1000;
  }

  private static int integer(PrimitiveType type, long i, long salt) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    if (logical instanceof LogicalTypeAnnotation.IntLogicalTypeAnnotation width) {
      int bits = width.getBitWidth();
      int value = (int) mix(i, salt) << (32 - bits);
      return width.isSigned() ? value >> (32 - bits) : value >>> (32 - bits);
    }
    if (logical instanceof LogicalTypeAnnotation.TimeLogicalTypeAnnotation) return below(i, salt, 86_400_000);
    if (logical != null) return below(i, salt, 1_000_000) - 500_000;
    return type.getName().equals("few") ? below(i, salt, 9) : (int) mix(i, salt);
  }

  private static long whole(PrimitiveType type, long i, long salt) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    if (logical instanceof LogicalTypeAnnotation.TimeLogicalTypeAnnotation) return below(i, salt, 2_000_000_000) * 43L;
    if (logical == null || logical instanceof LogicalTypeAnnotation.IntLogicalTypeAnnotation) return mix(i, salt);
    return mix(i, salt) % 1_000_000_000_000_000L;
  }

  private static byte[] binary(PrimitiveType type, long i, long salt) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    String name = type.getName();
    if (name.equals("empty")) return new byte[0];
    if (name.equals("long")) return "é".repeat(700 + (int) i).getBytes(StandardCharsets.UTF_8);
    if (name.equals("key")) return String.format("customer/%06d/order/%08d", i / 80, i).getBytes(StandardCharsets.UTF_8);
    if (logical instanceof LogicalTypeAnnotation.EnumLogicalTypeAnnotation) return new String[] {"SAD", "OK", "HAPPY"}[below(i, salt, 3)].getBytes(StandardCharsets.UTF_8);
    if (logical instanceof LogicalTypeAnnotation.JsonLogicalTypeAnnotation) return ("{\"a\": [" + i + ", null]}").getBytes(StandardCharsets.UTF_8);
    if (logical instanceof LogicalTypeAnnotation.BsonLogicalTypeAnnotation) return new byte[] {12, 0, 0, 0, 0x10, 'a', 0, (byte) i, 0, 0, 0, 0};
    if (logical instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation) return java.math.BigInteger.valueOf(mix(i, salt) >> below(i, 9, 60)).toByteArray();
    if (logical instanceof LogicalTypeAnnotation.GeometryLogicalTypeAnnotation || logical instanceof LogicalTypeAnnotation.GeographyLogicalTypeAnnotation) {
      return ByteBuffer.allocate(21).order(ByteOrder.LITTLE_ENDIAN).put((byte) 1).putInt(1).putDouble(below(i, salt, 180)).putDouble(-below(i, salt + 1, 90)).array();
    }
    if (logical != null) return WORDS[below(i, salt, WORDS.length)].getBytes(StandardCharsets.UTF_8);
    return bytes(i, salt, below(i, salt, 13));
  }
}
