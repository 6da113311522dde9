package org.parqproof.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    one.fault(bytes -> one.lines().orElse(List.of()));
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

  private static Case accepted() {
    return Corpus.cases().stream().filter(one -> one.duty == Case.Duty.accept && one.rows != null && !one.rows.isEmpty()).findFirst().get();
  }

  @Test
  void whatIsNoRowIsAFault() {
    assertTrue(accepted().fault(bytes -> null).get().startsWith("the reader returned null"));
    assertTrue(accepted().fault(bytes -> Collections.singletonList(null)).get().startsWith("row 0 is null"));
    for (String after : List.of(" x", "{}", "]")) {
      String row = accepted().lines().get().get(0) + after;
      assertTrue(accepted().fault(bytes -> List.of(row)).get().startsWith("row 0 is no JSON"), row);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1.0, true", "100, 1e2, true", "9007199254740993, 9007199254740993.0, true", "9007199254740992, 9007199254740992.0, true",
      "9223372036854775808, 9.223372036854776e18, true", "1e+22, 10000000000000000000000, true", "123456789012345683968, 1.2345678901234568E20, true",
      "9007199254740993, 9007199254740992.0, false", "9007199254740992, 9007199254740993.0, false", "9223372036854775807, 9.223372036854776e18, false",
      "-1, 1, false", "1, 1e999999999, false", "0.1, 0.10000000149011612, false"})
  void integersAreEqualByAllDigitsAndRealNumbersByValue(String meant, String given, boolean same) {
    assertEquals(same, Corpus.same(Corpus.parse(meant), Corpus.parse(given)));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Asks a reader for the cases of the test of that name; returns what is run after the last one. */
  private static ExtensionContext.Store.CloseableResource end(String test, Case.Reader reader) throws Exception {
    Object[] kept = new Object[1];
    ExtensionContext.Store store = proxy(ExtensionContext.Store.class, (self, method, values) -> {
      kept[0] = values[1];
      return null;
    });
    ParquetCases.Provider provider = new ParquetCases.Provider();
    provider.accept(CorpusTest.class.getDeclaredMethod(test, Case.class).getAnnotation(ParquetCases.class));
    provider.provideArguments(proxy(ExtensionContext.class, (self, method, values) -> store)).forEach(one -> ((Case) one.get()[0]).fault(reader));
    return (ExtensionContext.Store.CloseableResource) kept[0];
  }

  @Test
  void aTestWithoutRightAnswersFails() throws Throwable {
    ExtensionContext.Store.CloseableResource end = end("aReaderThatKnowsTheRowsPasses", bytes -> { throw new UnsupportedOperationException(); });
    assertEquals("0 right answers, expected at least 1", assertThrows(AssertionError.class, end::close).getMessage());
    end("aReaderThatKnowsTheRowsPasses", bytes -> { throw new IOException(); }).close();
  }
}
