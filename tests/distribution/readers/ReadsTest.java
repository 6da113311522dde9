import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.parqproof.corpus.Case;
import org.parqproof.corpus.ParquetCases;

/** Asks parquet-java for the rows of all cases, and prints a line for each wrong answer. */
class ReadsTest {
  private static List<String> rows(Path path) throws Exception {
    List<String> rows = new ArrayList<>();
    try (ParquetReader<Group> reader = new Groups(new LocalInputFile(path)).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) rows.add(Shown.row(row));
    }
    return rows;
  }

  @ParameterizedTest
  @ParquetCases(ignore = "LZO")
  void reads(Case one, @TempDir Path folder) {
    Path path = folder.resolve("case.parquet");
    String fault = one.fault(bytes -> {
      Files.write(path, bytes);
      try {
        return rows(path);
      } catch (Error failed) { // an assertion, a stack or a heap that is too small
        throw new Exception(failed);
      }
    }).map(text -> "wrong\t" + one.file + "\t" + text.lines().findFirst().orElse("")).orElse("right\t" + one.file);
    System.out.println("\n" + fault);
  }
}
