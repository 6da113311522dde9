import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.Version;
import org.apache.parquet.conf.HadoopParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;

/** Shows the rows of Parquet files as parquet-java reads them: its records of class Group. */
public final class Driver {
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

  private static Answer answer(String path, Writer out) throws IOException {
    try (ParquetReader<Group> reader = new Groups(new LocalInputFile(Path.of(path))).build()) {
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
