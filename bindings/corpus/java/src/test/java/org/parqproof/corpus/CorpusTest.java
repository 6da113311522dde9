package org.parqproof.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class CorpusTest {
  @Test
  void allCasesAreHere() {
    assertEquals(Corpus.CASES, Corpus.cases().size());
  }

  @ParameterizedTest
  @ParquetCases
  void aReaderThatKnowsTheRowsPasses(Case one) {
    assertEquals(Optional.empty(), one.fault(bytes -> {
      if (one.duty == Case.Duty.reject) throw new IOException("damaged");
      return one.lines().orElse(List.of());
    }));
  }

  @ParameterizedTest
  @ParquetCases(ignore = {"witnesses/*", "known_bugs/*", "LZO"})
  void ignoredCasesAreLeftOut(Case one) {
    assertTrue(one.file.startsWith("writers/") && !one.features.contains("LZO"), one.file);
  }

  @Test
  void faultsAreSeen() {
    Case accepted = Corpus.cases().stream().filter(one -> one.duty == Case.Duty.accept && one.rows != null).findFirst().get();
    Case rejected = Corpus.cases().stream().filter(one -> one.duty == Case.Duty.reject).findFirst().get();
    assertTrue(rejected.fault(bytes -> List.of()).get().startsWith("accepted"));
    assertTrue(accepted.fault(bytes -> List.of()).get().startsWith("0 rows"));
    assertTrue(accepted.fault(bytes -> List.of("{}")).get().startsWith("row 0 is {}"));
    assertTrue(accepted.fault(bytes -> { throw new IOException("no"); }).get().startsWith("refused"));
    assertEquals(Optional.empty(), accepted.fault(bytes -> { throw new UnsupportedOperationException(); }));
  }
}
