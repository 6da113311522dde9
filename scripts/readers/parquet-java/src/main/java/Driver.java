import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.parquet.Version;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType;

/** Shows the rows of Parquet files as parquet-java reads them: its records of class Group. */
public final class Driver {
  private record Answer(String how, String why) {}

  /** What was wrong in the first place. */
  private static String firstLine(Throwable reason) {
    Throwable root = reason;
    while (root.getCause() != null) root = root.getCause();
    return root.toString().lines().findFirst().orElse("");
  }

  /** Codecs that have to be installed beside parquet-java. */
  private static boolean isUnsupported(Throwable reason) {
    for (Throwable each = reason; each != null; each = each.getCause()) {
      String text = String.valueOf(each.getMessage());
      if (each instanceof UnsupportedOperationException || text.contains("was not found") || text.contains("not supported")
          || text.contains("nsupported encoding") || text.contains("not implemented")) {
        return true;
      }
    }
    return false;
  }

  private static <T extends Comparable<T>, C extends Operators.Column<T> & Operators.SupportsLtGt> FilterPredicate compared(
      C column, String operator, T value) {
    return operator.equals("=") ? FilterApi.eq(column, value) : operator.equals("<") ? FilterApi.lt(column, value) : FilterApi.gt(column, value);
  }

  /** The predicate `column operator value`, by the type of the column. The value is JSON: a number, or a text in ASCII. */
  private static FilterPredicate predicate(InputFile file, String column, String operator, String value) throws IOException {
    PrimitiveType.PrimitiveTypeName type;
    try (ParquetFileReader reader = ParquetFileReader.open(file)) {
      type = reader.getFileMetaData().getSchema().getType(column).asPrimitiveType().getPrimitiveTypeName();
    }
    return switch (type) {
      case INT32 -> compared(FilterApi.intColumn(column), operator, (int) Long.parseLong(value));
      case INT64 -> compared(FilterApi.longColumn(column), operator, new BigInteger(value).longValue());
      case DOUBLE -> compared(FilterApi.doubleColumn(column), operator, Double.valueOf(value));
      default -> compared(FilterApi.binaryColumn(column), operator,
          Binary.fromString(value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1")));
    };
  }

  /** The reader for a line: a path, and perhaps column, operator and value behind it. */
  private static ParquetReader<Group> reader(String[] line) throws IOException {
    InputFile file = new LocalInputFile(Path.of(line[0]));
    ParquetReader.Builder<Group> builder = new Groups(file);
    if (line.length == 4) builder = builder.withFilter(FilterCompat.get(predicate(file, line[1], line[2], line[3])));
    return builder.build();
  }

  private static Answer answer(String line, Writer out) throws IOException {
    try (ParquetReader<Group> reader = reader(line.split("\t"))) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        out.write(Shown.row(row) + "\n");
      }
    } catch (Exception reason) {
      return new Answer(isUnsupported(reason) ? "unsupported" : "refused", firstLine(reason));
    } catch (Error reason) { // an assertion, a stack or a heap that is too small
      return new Answer("crashed", firstLine(reason));
    }
    return new Answer("rows", "");
  }

  public static void main(String[] arguments) throws IOException {
    Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), 1 << 16);
    if (arguments.length > 0 && arguments[0].equals("--version")) {
      out.write("parquet-java " + Version.VERSION_NUMBER + "\n");
      out.flush();
    } else if (arguments.length > 0) {
      Answer answer = answer(arguments[0], out);
      out.flush();
      System.err.println(answer.why);
      System.exit(Map.of("rows", 0, "refused", 1, "unsupported", 3, "crashed", 4).get(answer.how));
    } else {
      BufferedReader paths = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String path = paths.readLine(); path != null; path = paths.readLine()) {
        Answer answer = answer(path, out);
        out.write(("=" + answer.how + " " + answer.why).strip() + "\n");
        out.flush();
      }
    }
  }
}
