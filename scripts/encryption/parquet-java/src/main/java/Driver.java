import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.Version;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.HadoopParquetConfiguration;
import org.apache.parquet.crypto.ColumnDecryptionProperties;
import org.apache.parquet.crypto.ColumnEncryptionProperties;
import org.apache.parquet.crypto.FileDecryptionProperties;
import org.apache.parquet.crypto.FileEncryptionProperties;
import org.apache.parquet.crypto.ParquetCipher;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import shaded.parquet.com.fasterxml.jackson.databind.JsonNode;
import shaded.parquet.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Files by parquet-java: reads jobs as JSON, one a line, and answers each with a line. A job reads the file `in` with `keys`, and writes
 * its rows to `out` as `form` and `layout` say. Keys are hex.
 */
public final class Driver {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A reader of groups. */
  private static final class Groups extends ParquetReader.Builder<Group> {
    Groups(InputFile file) {
      super(file, new HadoopParquetConfiguration(new Configuration(false)));
    }

    @Override
    protected ReadSupport<Group> getReadSupport() {
      return new GroupReadSupport();
    }
  }

  private static byte[] key(JsonNode hex) {
    return HexFormat.of().parseHex(hex.asText());
  }

  /** The keys of columns; null without any. */
  private static Map<ColumnPath, byte[]> columns(JsonNode keys) {
    if (!keys.hasNonNull("column_keys")) return null;
    Map<ColumnPath, byte[]> out = new HashMap<>();
    keys.get("column_keys").fields().forEachRemaining(one -> out.put(ColumnPath.fromDotString(one.getKey()), key(one.getValue())));
    return out;
  }

  private static FileDecryptionProperties decryption(JsonNode keys) {
    FileDecryptionProperties.Builder builder = FileDecryptionProperties.builder().withFooterKey(key(keys.get("footer_key")));
    Map<ColumnPath, byte[]> columns = columns(keys);
    if (columns != null) {
      Map<ColumnPath, ColumnDecryptionProperties> each = new HashMap<>();
      columns.forEach((path, bytes) -> each.put(path, ColumnDecryptionProperties.builder(path).withKey(bytes).build()));
      builder.withColumnKeys(each);
    }
    if (keys.hasNonNull("aad_prefix")) builder.withAADPrefix(keys.get("aad_prefix").asText().getBytes(StandardCharsets.UTF_8));
    return builder.build();
  }

  private static FileEncryptionProperties encryption(JsonNode form) {
    FileEncryptionProperties.Builder builder = FileEncryptionProperties.builder(key(form.get("footer_key")))
        .withAlgorithm(ParquetCipher.valueOf(form.get("algorithm").asText()));
    Map<ColumnPath, byte[]> columns = columns(form);
    if (columns != null) {
      Map<ColumnPath, ColumnEncryptionProperties> each = new HashMap<>();
      columns.forEach((path, bytes) -> each.put(path, ColumnEncryptionProperties.builder(path).withKey(bytes).build()));
      builder.withEncryptedColumns(each);
      if (!form.path("other_columns").asText().equals("plaintext")) builder.withCompleteColumnEncryption();
    }
    if (form.get("footer").asText().equals("plaintext")) builder.withPlaintextFooter();
    if (form.hasNonNull("aad_prefix")) {
      builder.withAADPrefix(form.get("aad_prefix").asText().getBytes(StandardCharsets.UTF_8));
      if (!form.path("store_aad_prefix").asBoolean(true)) builder.withoutAADPrefixStorage();
    }
    return builder.build();
  }

  private static ParquetWriter<Group> writer(JsonNode job, MessageType schema) throws IOException {
    JsonNode layout = job.get("layout");
    ExampleParquetWriter.Builder builder = ExampleParquetWriter.builder(new LocalOutputFile(Path.of(job.get("out").asText())))
        .withType(schema)
        .withConf(new HadoopParquetConfiguration(new Configuration(false)))
        .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
        .withWriterVersion(layout.get("page_version").asInt() == 2 ? WriterVersion.PARQUET_2_0 : WriterVersion.PARQUET_1_0)
        .withPageSize(layout.get("page_bytes").asInt())
        .withMinRowCountForPageSizeCheck(4)
        .withPageWriteChecksumEnabled(layout.get("checksums").asBoolean())
        .withRowGroupRowCountLimit(layout.get("row_group_rows").asInt());
    for (JsonNode name : layout.get("bloom")) builder.withBloomFilterEnabled(name.asText(), true).withBloomFilterNDV(name.asText(), 50L);
    return job.hasNonNull("form") ? builder.withEncryption(encryption(job.get("form"))).build() : builder.build();
  }

  private static void act(JsonNode job) throws IOException {
    ParquetReader.Builder<Group> builder = new Groups(new LocalInputFile(Path.of(job.get("in").asText())));
    if (job.hasNonNull("keys")) builder = builder.withDecryption(decryption(job.get("keys")));
    try (ParquetReader<Group> reader = builder.build()) {
      Group row = reader.read();
      try (ParquetWriter<Group> writer = writer(job, (MessageType) row.getType())) {
        for (; row != null; row = reader.read()) writer.write(row);
      }
    }
  }

  private static String answer(String line) throws IOException {
    try {
      act(JSON.readTree(line));
      return "{\"done\": true}";
    } catch (Exception | LinkageError reason) {
      Throwable root = reason;
      while (root.getCause() != null) root = root.getCause();
      return JSON.writeValueAsString(Map.of("refused", root.toString()));
    }
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length > 0 && arguments[0].equals("--version")) {
      System.out.println("parquet-java " + Version.VERSION_NUMBER);
      return;
    }
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) System.out.println(answer(line));
  }
}
