import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/**
 * Random files by parquet-java.
 *
 * <p>usage: RandomFiles PLANS, a line each of KEY=VALUE between tabs; names on stdout what cannot be written
 */
public final class RandomFiles {
  private static final String[] WORDS = {"", "a", "alpha", "alphabet", "größe", "日本", "zz", "\uD83D\uDE42 smile", "\0", "z".repeat(70), "\uDBFF\uDFFF".repeat(20)};
  private final Map<String, String> plan;
  private final Random random;
  private final Map<String, Object> few = new HashMap<>();
  private long row;

  private RandomFiles(Map<String, String> plan) {
    this.plan = plan;
    this.random = new Random(Long.parseLong(plan.get("seed")));
  }

  private boolean is(String key) { return "True".equals(plan.get(key)); }

  private boolean isNull() {
    return switch (plan.get("nulls")) {
      case "none" -> false;
      case "all" -> true;
      case "runs" -> row / 23 % 2 == 1;
      case "some" -> random.nextInt(100) < 15;
      default -> random.nextInt(100) < 80;
    };
  }

  private void fill(Group group, GroupType type) {
    LogicalTypeAnnotation outer = type.getLogicalTypeAnnotation();
    for (int f = 0; f < type.getFieldCount(); f++) {
      Type child = type.getType(f);
      int count = switch (child.getRepetition()) {
        case REQUIRED -> 1;
        case OPTIONAL -> isNull() ? 0 : 1;
        case REPEATED -> new int[] {0, 0, 1, 1, 2, 3, 5}[random.nextInt(7)];
      };
      for (int k = 0; k < count; k++) {
        if (child.isPrimitive()) add(group, f, child.asPrimitiveType(), k);
        else if (outer instanceof LogicalTypeAnnotation.MapLogicalTypeAnnotation) entry(group.addGroup(f), child.asGroupType(), k);
        else fill(group.addGroup(f), child.asGroupType());
      }
    }
  }

  private void entry(Group pair, GroupType type, int k) {
    PrimitiveType key = type.getType(0).asPrimitiveType();
    if (key.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT32) pair.add(0, k);
    else pair.add(0, Binary.fromString("k" + k));
    Type value = type.getType(1);
    if (value.getRepetition() == Type.Repetition.OPTIONAL && isNull()) return;
    if (value.isPrimitive()) add(pair, 1, value.asPrimitiveType(), k);
    else fill(pair.addGroup(1), value.asGroupType());
  }

  private void add(Group group, int f, PrimitiveType type, int k) {
    Object value;
    String how = plan.get("values");
    switch (how) {
      case "constant" -> value = few.computeIfAbsent(type.toString(), n -> one(type));
      case "few" -> value = few.computeIfAbsent(type.toString() + random.nextInt(5), n -> one(type));
      case "runs" -> value = few.computeIfAbsent(type.toString() + row / 31 % 5, n -> one(type));
      default -> value = one(type);
    }
    if (value instanceof Boolean b) group.add(f, b);
    else if (value instanceof Integer i) group.add(f, i);
    else if (value instanceof Long l) group.add(f, l);
    else if (value instanceof Float x) group.add(f, x);
    else if (value instanceof Double x) group.add(f, x);
    else group.add(f, Binary.fromConstantByteArray((byte[]) value));
  }

  private boolean special() { return "special".equals(plan.get("values")) ? random.nextInt(10) < 6 : !"random".equals(plan.get("values")) && random.nextInt(2) == 0; }

  private BigInteger within(BigInteger low, BigInteger high) {
    if (special()) return new BigInteger[] {low, high, low.add(BigInteger.ONE), high.subtract(BigInteger.ONE), BigInteger.ZERO.max(low), BigInteger.ONE}[random.nextInt(6)];
    if (random.nextInt(2) == 0) return BigInteger.valueOf(random.nextInt(1000)).min(high);
    return new BigInteger(high.subtract(low).bitLength() + 8, random).mod(high.subtract(low).add(BigInteger.ONE)).add(low);
  }

  private BigInteger number(PrimitiveType type, int bits) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    BigInteger half = BigInteger.ONE.shiftLeft(bits - 1);
    if (logical instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation d) {
      BigInteger limit = BigInteger.TEN.pow(d.getPrecision()).subtract(BigInteger.ONE);
      return within(limit.negate(), limit);
    }
    if (logical instanceof LogicalTypeAnnotation.IntLogicalTypeAnnotation w) {
      BigInteger most = BigInteger.ONE.shiftLeft(w.getBitWidth());
      return w.isSigned() ? within(most.shiftRight(1).negate(), most.shiftRight(1).subtract(BigInteger.ONE)) : within(BigInteger.ZERO, most.subtract(BigInteger.ONE));
    }
    if (logical instanceof LogicalTypeAnnotation.TimeLogicalTypeAnnotation t) {
      long units = switch (t.getUnit()) { case MILLIS -> 1000L; case MICROS -> 1000_000L; case NANOS -> 1000_000_000L; };
      return within(BigInteger.ZERO, BigInteger.valueOf(86400 * units - 1));
    }
    if (logical instanceof LogicalTypeAnnotation.DateLogicalTypeAnnotation) return within(BigInteger.valueOf(-719_162), BigInteger.valueOf(2_932_896));
    return within(half.negate(), half.subtract(BigInteger.ONE));
  }

  private static byte[] padded(BigInteger value, int length) {
    byte[] bytes = value.toByteArray(), out = new byte[length];
    for (int i = 0; i < length; i++) {
      int at = bytes.length - length + i;
      out[i] = at >= 0 ? bytes[at] : (byte) (value.signum() < 0 ? -1 : 0);
    }
    return out;
  }

  private Object one(PrimitiveType type) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    double[] reals = {0.0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, Double.MIN_VALUE, -1.5, Double.MAX_VALUE};
    switch (type.getPrimitiveTypeName()) {
      case BOOLEAN: return random.nextBoolean();
      case INT32: return number(type, 32).intValue();
      case INT64: return number(type, 64).longValue();
      case FLOAT: return (float) (special() ? reals[random.nextInt(8)] : random.nextInt(200000) / 100.0 - 1000);
      case DOUBLE: return special() ? reals[random.nextInt(8)] : random.nextGaussian() * 1000;
      case INT96: {
        ByteBuffer b = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        return b.putLong(Math.floorMod(random.nextLong(), 86_400_000_000_000L)).putInt(special() ? 1721426 : 2440588 + random.nextInt(9000)).array();
      }
      case FIXED_LEN_BYTE_ARRAY: {
        int length = type.getTypeLength();
        if (logical instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation) return padded(number(type, 0), length);
        byte[] out = new byte[length];
        if (logical instanceof LogicalTypeAnnotation.Float16LogicalTypeAnnotation) {
          int[] halves = {0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 1, 0x3c00, 0xbc00};
          int bits = special() ? halves[random.nextInt(8)] : random.nextInt(0x7c00) | random.nextInt(2) << 15;
          return new byte[] {(byte) bits, (byte) (bits >> 8)};
        }
        if (logical instanceof LogicalTypeAnnotation.IntervalLogicalTypeAnnotation) return ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putInt(random.nextInt(99)).putInt(random.nextInt(31)).putInt(random.nextInt(86400000)).array();
        if (special()) java.util.Arrays.fill(out, (byte) new int[] {0, 255, 128}[random.nextInt(3)]);
        else random.nextBytes(out);
        return out;
      }
      default:
        if (logical instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation) return number(type, 0).toByteArray();
        if (logical instanceof LogicalTypeAnnotation.JsonLogicalTypeAnnotation) return ("{\"a\": [" + random.nextInt(99) + ", null]}").getBytes(StandardCharsets.UTF_8);
        if (logical instanceof LogicalTypeAnnotation.BsonLogicalTypeAnnotation) return new byte[] {12, 0, 0, 0, 0x10, 'a', 0, (byte) random.nextInt(99), 0, 0, 0, 0};
        if (logical != null) return (special() ? WORDS[random.nextInt(WORDS.length)] : "customer/" + random.nextInt(999999)).getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[random.nextInt(20)];
        if (special()) java.util.Arrays.fill(out, (byte) new int[] {0, 255, 128}[random.nextInt(3)]);
        else random.nextBytes(out);
        return out;
    }
  }

  private void write(Path path) throws Exception {
    MessageType schema = MessageTypeParser.parseMessageType(plan.get("schema"));
    ExampleParquetWriter.Builder b = ExampleParquetWriter.builder(new LocalOutputFile(path)).withConf(new PlainParquetConfiguration()).withType(schema)
        .withCompressionCodec(CompressionCodecName.valueOf(plan.get("codec"))).withWriterVersion(plan.get("version").equals("1") ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0);
    if (plan.get("encoding").equals("plain") || plan.get("encoding").equals("split")) b.withDictionaryEncoding(false);
    if (plan.get("encoding").equals("split")) b.withByteStreamSplitEncoding(true);
    if (plan.get("encoding").equals("fallback")) b.withDictionaryPageSize(64);
    switch (plan.get("pages")) {
      case "bytes" -> b.withPageSize(64).withMinRowCountForPageSizeCheck(5).withMaxRowCountForPageSizeCheck(5);
      case "rows" -> b.withPageRowCountLimit(17);
      default -> { }
    }
    if (plan.get("groups").equals("3")) b.withRowGroupRowCountLimit(60);
    b.withPageWriteChecksumEnabled(is("checksums")).withStatisticsEnabled(!is("no_statistics")).withSizeStatisticsEnabled(!is("no_sizes"));
    if (is("truncate")) b.withStatisticsTruncateLength(6).withColumnIndexTruncateLength(3);
    if (!plan.get("bloom").equals("None")) {
      b.withBloomFilterEnabled(true);
      if (plan.get("bloom").equals("adaptive")) b.withAdaptiveBloomFilterEnabled(true);
      b.withMaxBloomFilterBytes(1024);
    }
    try (ParquetWriter<Group> writer = b.build()) {
      for (row = 0; row < Long.parseLong(plan.get("rows")); row++) {
        Group group = new SimpleGroup(schema);
        fill(group, schema);
        writer.write(group);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      Map<String, String> plan = new HashMap<>();
      for (String part : line.split("\t")) plan.put(part.substring(0, part.indexOf('=')), part.substring(part.indexOf('=') + 1));
      try {
        new RandomFiles(plan).write(Path.of(plan.get("file")));
      } catch (Exception | LinkageError reason) {
        System.out.println(plan.get("file") + ": " + reason);
        Files.deleteIfExists(Path.of(plan.get("file")));
      }
    }
  }
}
