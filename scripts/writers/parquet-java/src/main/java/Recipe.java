import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.crypto.ColumnEncryptionProperties;
import org.apache.parquet.crypto.FileEncryptionProperties;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/**
 * Files by parquet-java, through its example writer of groups.
 *
 * <p>usage: Recipe DIR [NAME...] writes DIR/NAME.parquet, one JSON line on stdout per file
 */
public final class Recipe {
  private static final String VERSION = org.apache.parquet.Version.VERSION_NUMBER;

  private static final MessageType FLAT = schema("""
      message flat { optional boolean flag; optional int32 i32; required int64 i64; optional int64 steps; optional float f32; optional double f64;
        optional binary text (STRING); optional binary blob; optional fixed_len_byte_array(5) fixed; required int32 few; required binary key (STRING); }""");
  private static final MessageType TYPES = schema("""
      message types { optional int96 moment; required int32 i8 (INTEGER(8,true)); required int32 u8 (INTEGER(8,false)); required int32 i16 (INTEGER(16,true));
        required int32 u16 (INTEGER(16,false)); required int32 u32 (INTEGER(32,false)); required int64 u64 (INTEGER(64,false));
        required int32 d9 (DECIMAL(9,2)); optional int64 d18 (DECIMAL(18,4)); optional fixed_len_byte_array(9) dfix (DECIMAL(20,0)); optional binary dvar (DECIMAL(25,5));
        optional int32 day (DATE); optional int32 ms (TIME(MILLIS,true)); optional int64 us (TIME(MICROS,false)); optional int64 ns (TIME(NANOS,true));
        optional int64 at_ms (TIMESTAMP(MILLIS,true)); optional int64 at_us (TIMESTAMP(MICROS,false)); optional int64 at_ns (TIMESTAMP(NANOS,true));
        optional fixed_len_byte_array(16) id (UUID); optional fixed_len_byte_array(12) span (INTERVAL); optional fixed_len_byte_array(2) half (FLOAT16);
        optional binary mood (ENUM); optional binary doc (JSON); optional binary bson (BSON); }""");
  private static final MessageType NESTED = schema("""
      message nested { required int64 id;
        optional group numbers (LIST) { repeated group list { optional int32 element; } }
        optional group matrix (LIST) { repeated group list { optional group element (LIST) { repeated group list { optional int32 element; } } } }
        optional group points (LIST) { repeated group list { optional group element { optional int32 x; optional binary label (STRING); } } }
        optional group pairs (MAP) { repeated group key_value { required binary name (STRING); optional int32 value; } }
        optional group point { required double x; optional group inner { repeated binary tags (STRING); } }
        optional group legacy (LIST) { repeated int32 array; }
        optional group tuples (LIST) { repeated group tuples_tuple { required int32 a; optional int64 b; } }
        repeated group bare { optional int32 c; repeated float d; } }""");
  private static final MessageType FEW = schema("message few { required binary key (STRING); optional int32 few; optional double price; }");
  private static final MessageType ODD = schema("""
      message odd { optional int32 null_i; optional binary null_text (STRING); required double nan_some; required float nan_all; required binary empty (STRING);
        optional binary long (STRING); }""");
  private static final MessageType GEO = Types.buildMessage()
      .optional(PrimitiveTypeName.BINARY).as(LogicalTypeAnnotation.geometryType("EPSG:3857")).named("geometry")
      .optional(PrimitiveTypeName.BINARY).as(LogicalTypeAnnotation.geographyType()).named("geography").named("geo");

  private interface Make {
    void to(Path path) throws Exception;
  }

  private record File(String settings, Make make) {}

  private final Map<String, File> files = new LinkedHashMap<>();

  private static MessageType schema(String text) {
    return MessageTypeParser.parseMessageType(text);
  }

  /** Registers a file of that many rows; settings is a JSON object for the manifest. */
  private void add(String name, MessageType schema, int rows, String settings, UnaryOperator<ExampleParquetWriter.Builder> change) {
    Make make = path -> {
      ExampleParquetWriter.Builder builder = ExampleParquetWriter.builder(new LocalOutputFile(path))
          .withConf(new PlainParquetConfiguration()).withType(schema).withCompressionCodec(CompressionCodecName.UNCOMPRESSED);
      try (ParquetWriter<Group> writer = change.apply(builder).build()) {
        for (int i = 0; i < rows; i++) {
          Group group = new SimpleGroup(schema);
          Values.fill(group, schema, i);
          writer.write(group);
        }
      }
    };
    if (files.put(name, new File(settings, make)) != null) throw new IllegalStateException("two recipes are called " + name);
  }

  private static UnaryOperator<ExampleParquetWriter.Builder> smallPages(int bytes, WriterVersion version) {
    return b -> b.withPageSize(bytes).withMinRowCountForPageSizeCheck(10).withMaxRowCountForPageSizeCheck(10).withWriterVersion(version);
  }

  private Recipe() {
    Map<String, MessageType> schemas = new LinkedHashMap<>();
    schemas.put("flat", FLAT);
    schemas.put("types", TYPES);
    schemas.put("nested", NESTED);
    for (WriterVersion version : WriterVersion.values()) {
      String number = version == WriterVersion.PARQUET_1_0 ? "1" : "2";
      String settings = "{\"writer_version\": " + number + "}";
      schemas.forEach((name, schema) -> add("default-" + name + "-v" + number, schema, 40, settings, b -> b.withWriterVersion(version)));
      schemas.forEach((name, schema) -> add("dictionary-off-" + name + "-v" + number, schema, 40,
          "{\"writer_version\": " + number + ", \"dictionary\": false}", b -> b.withWriterVersion(version).withDictionaryEncoding(false)));
      add("several-pages-v" + number, FEW, 400, "{\"page_size\": 512}", smallPages(512, version));
      add("several-pages-nested-v" + number, NESTED, 100, "{\"page_size\": 128}", smallPages(128, version));
      add("byte-stream-split-v" + number, FLAT, 60, "{\"byte_stream_split\": true, \"dictionary\": false}",
          b -> b.withWriterVersion(version).withDictionaryEncoding(false).withByteStreamSplitEncoding(true));
      for (CompressionCodecName codec : CompressionCodecName.values()) {
        if (codec == CompressionCodecName.BROTLI) continue;
        add("codec-" + codec.name().toLowerCase().replace('_', '-') + "-v" + number, FEW, 100,
            "{\"compression\": \"" + codec + "\", \"writer_version\": " + number + "}", b -> b.withCompressionCodec(codec).withWriterVersion(version));
      }
      add("odd-values-v" + number, ODD, 24, settings, b -> b.withWriterVersion(version));
      add("one-row-v" + number, FEW, 1, "{\"dictionary\": false}", b -> b.withWriterVersion(version).withDictionaryEncoding(false));
    }
    add("zero-rows", NESTED, 0, "{}", b -> b);
    add("rows-per-page", FEW, 100, "{\"page_rows\": 17}", b -> b.withPageRowCountLimit(17));
    add("several-row-groups", FEW, 100, "{\"row_group_rows\": 30}", b -> b.withRowGroupRowCountLimit(30));
    add("dictionary-falls-back", FEW, 300, "{\"dictionary_page_size\": 200, \"page_size\": 1024}",
        b -> smallPages(1024, WriterVersion.PARQUET_2_0).apply(b).withDictionaryPageSize(200));
    add("checksums-off", FEW, 60, "{\"checksum\": false}", b -> b.withPageWriteChecksumEnabled(false));
    add("statistics-off", FEW, 60, "{\"statistics\": false, \"size_statistics\": false}", b -> b.withStatisticsEnabled(false).withSizeStatisticsEnabled(false));
    add("truncated-statistics", ODD, 12, "{\"truncate\": 7}", b -> b.withStatisticsTruncateLength(7).withColumnIndexTruncateLength(3));
    add("bloom-filters", FLAT, 60, "{\"bloom_filter\": true, \"dictionary\": false}", b -> {
      for (String column : new String[] {"i32", "i64", "f32", "f64", "text", "fixed"}) b.withBloomFilterEnabled(column, true).withBloomFilterNDV(column, 60L);
      return b.withDictionaryEncoding(false);
    });
    add("bloom-filters-adaptive", FEW, 100, "{\"bloom_filter\": \"adaptive\"}", b -> b.withBloomFilterEnabled(true).withAdaptiveBloomFilterEnabled(true).withMaxBloomFilterBytes(4096).withRowGroupRowCountLimit(60));
    add("extra-metadata", FEW, 2, "{\"extra_metadata\": true}", b -> b.withExtraMetaData(Map.of("note", "größe")));
    add("geospatial", GEO, 20, "{}", b -> b);
    VariantFiles.types().forEach((name, typed) ->
        files.put(name, new File("{\"shredded\": " + !typed.isEmpty() + "}", path -> VariantFiles.write(path, typed))));
    byte[] footer = "0123456789012345".getBytes(StandardCharsets.US_ASCII);
    byte[] column = "1234567890123450".getBytes(StandardCharsets.US_ASCII);
    for (boolean plaintext : new boolean[] {false, true}) {
      add(plaintext ? "encrypted-columns" : "encrypted-footer", FEW, 30,
          "{\"random\": true, \"plaintext_footer\": " + plaintext + ", \"keys\": \"footer 0123456789012345, price 1234567890123450\"}", b -> {
            ColumnPath path = ColumnPath.get("price");
            var properties = FileEncryptionProperties.builder(footer)
                .withEncryptedColumns(Map.of(path, ColumnEncryptionProperties.builder(path).withKey(column).build()));
            return b.withEncryption((plaintext ? properties.withPlaintextFooter() : properties).build());
          });
    }
  }

  public static void main(String[] arguments) throws Exception {
    Recipe all = new Recipe();
    Path out = Path.of(arguments[0]);
    var names = arguments.length > 1 ? Arrays.asList(arguments).subList(1, arguments.length) : all.files.keySet();
    boolean failed = false;
    for (String name : names) {
      File file = all.files.get(name);
      try {
        file.make().to(out.resolve(name + ".parquet"));
        System.out.println("{\"name\": \"" + name + "\", \"version\": \"" + VERSION + "\", \"settings\": " + file.settings() + "}");
      } catch (Exception | LinkageError reason) {
        failed = true;
        System.err.println(name + ": " + reason);
      }
    }
    System.exit(failed ? 1 : 0);
  }
}
