import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.variant.Variant;
import org.apache.parquet.variant.VariantArrayBuilder;
import org.apache.parquet.variant.VariantBuilder;
import org.apache.parquet.variant.VariantObjectBuilder;
import org.apache.parquet.variant.VariantValueWriter;

/** A column of Variants, shredded by the typed_value of a schema. */
final class VariantFiles {
  private VariantFiles() {}

  /** The typed_value of each file, in the message syntax; empty: not shredded. */
  static Map<String, String> types() {
    String field = "required group %s { optional binary value; %s }";
    String object = "optional group typed_value { "
        + field.formatted("a", "optional int64 typed_value (INTEGER(64,true));")
        + field.formatted("b", "optional binary typed_value (STRING);")
        + field.formatted("c", list("optional int64 typed_value (INTEGER(64,true));")) + " }";
    Map<String, String> types = new LinkedHashMap<>();
    types.put("variant", "");
    types.put("variant-shredded-int64", "optional int64 typed_value (INTEGER(64,true));");
    types.put("variant-shredded-int8", "optional int32 typed_value (INTEGER(8,true));");
    types.put("variant-shredded-string", "optional binary typed_value (STRING);");
    types.put("variant-shredded-decimal", "optional int64 typed_value (DECIMAL(18,2));");
    types.put("variant-shredded-date", "optional int32 typed_value (DATE);");
    types.put("variant-shredded-timestamp", "optional int64 typed_value (TIMESTAMP(MICROS,true));");
    types.put("variant-shredded-timestamp-nanos", "optional int64 typed_value (TIMESTAMP(NANOS,false));");
    types.put("variant-shredded-time", "optional int64 typed_value (TIME(MICROS,false));");
    types.put("variant-shredded-uuid", "optional fixed_len_byte_array(16) typed_value (UUID);");
    types.put("variant-shredded-object", object);
    types.put("variant-shredded-list", list("optional int64 typed_value (INTEGER(64,true));"));
    types.put("variant-shredded-list-of-objects", list(object));
    return types;
  }

  private static String list(String typed) {
    return "optional group typed_value (LIST) { repeated group list { required group element { optional binary value; " + typed + " } } }";
  }

  static void write(Path path, String typed) throws Exception {
    MessageType schema = MessageTypeParser.parseMessageType(
        "message variants { optional group v (VARIANT(1)) { required binary metadata; " + (typed.isEmpty() ? "required" : "optional") + " binary value; " + typed + " } }");
    try (ParquetWriter<Variant> writer = new Builder(new LocalOutputFile(path), schema).withConf(new PlainParquetConfiguration())
        .withCompressionCodec(CompressionCodecName.UNCOMPRESSED).build()) {
      for (Variant row : rows()) {
        writer.write(row);
      }
    }
  }

  /** Values of all types; every fifth row has none. */
  private static List<Variant> rows() {
    List<Variant> rows = new ArrayList<>();
    for (int i = 0; i < 75; i++) {
      if (i % 5 == 0) {
        rows.add(null);
        continue;
      }
      VariantBuilder one = new VariantBuilder();
      append(one, i);
      rows.add(one.build());
    }
    return rows;
  }

  private static void append(VariantBuilder one, int i) {
    switch (i % 25) {
      case 1 -> one.appendLong((long) i * i);
      case 2 -> one.appendString("text " + i);
      case 3, 19 -> {
        VariantObjectBuilder object = one.startObject();
        object.appendKey("a");
        object.appendLong(i);
        object.appendKey("b");
        object.appendString("b" + i);
        if (i % 25 == 19) {
          object.appendKey("d");
          object.appendFloat(i);
        }
        one.endObject();
      }
      case 4 -> {
        VariantObjectBuilder object = one.startObject();
        object.appendKey("z");
        object.appendDouble(1.5);
        object.appendKey("a");
        object.appendString("no number");
        one.endObject();
      }
      case 6 -> {
        VariantObjectBuilder object = one.startObject();
        object.appendKey("b");
        object.appendNull();
        object.appendKey("c");
        VariantArrayBuilder inner = object.startArray();
        inner.appendLong(i);
        inner.appendLong(i + 1);
        object.endArray();
        one.endObject();
      }
      case 7, 8 -> {
        VariantArrayBuilder array = one.startArray();
        array.appendLong(i);
        if (i % 25 == 8) {
          array.appendString("two");
          VariantObjectBuilder object = array.startObject();
          object.appendKey("a");
          object.appendLong(i);
          array.endObject();
        }
        one.endArray();
      }
      case 9 -> one.appendBoolean(i % 2 == 0);
      case 11 -> one.appendDecimal(BigDecimal.valueOf(i * 1234567L, 2));
      case 12 -> one.appendDecimal(new BigDecimal("1234567890123456789012345." + i));
      case 13 -> one.appendDouble(i / 8.0);
      case 14 -> one.appendBinary(ByteBuffer.wrap(new byte[] {(byte) i, 0, -1}));
      case 16 -> one.appendByte((byte) i);
      case 17 -> one.appendDate(i * 200);
      case 18 -> one.appendTimestampTz(i * 1_000_000_007L);
      case 21 -> one.appendTimestampNanosNtz(i * 1_000_000_000_007L);
      case 22 -> one.appendTime(i * 1_000_003L);
      case 23 -> one.appendUUID(new UUID(i * 0x0102030405060708L, ~i));
      default -> one.appendNull();
    }
  }

  private static final class Builder extends ParquetWriter.Builder<Variant, Builder> {
    private final MessageType schema;

    Builder(OutputFile file, MessageType schema) {
      super(file);
      this.schema = schema;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    protected WriteSupport<Variant> getWriteSupport(Configuration conf) {
      return new Support(schema);
    }

    @Override
    protected WriteSupport<Variant> getWriteSupport(ParquetConfiguration conf) {
      return new Support(schema);
    }
  }

  private static final class Support extends WriteSupport<Variant> {
    private final MessageType schema;
    private RecordConsumer consumer;

    Support(MessageType schema) {
      this.schema = schema;
    }

    @Override
    public WriteContext init(Configuration conf) {
      return new WriteContext(schema, Map.of());
    }

    @Override
    public WriteContext init(ParquetConfiguration conf) {
      return new WriteContext(schema, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
      this.consumer = consumer;
    }

    @Override
    public void write(Variant row) {
      consumer.startMessage();
      if (row != null) {
        consumer.startField("v", 0);
        VariantValueWriter.write(consumer, schema.getType("v").asGroupType(), row);
        consumer.endField("v", 0);
      }
      consumer.endMessage();
    }
  }
}
