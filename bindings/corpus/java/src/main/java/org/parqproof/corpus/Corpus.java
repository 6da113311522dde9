package org.parqproof.corpus;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/** All cases. */
public final class Corpus {
  /** The number of cases; {@link #cases} throws if there are fewer. */
  public static final int CASES = @CASES@;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.USE_BIG_INTEGER_FOR_INTS,
          DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Corpus() {}

  /** All cases, in the order of their paths. */
  public static List<Case> cases() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(Corpus.class.getResourceAsStream("core.jsonl"), StandardCharsets.UTF_8))) {
      List<Case> all = lines.lines().map(line -> read(line, Case.class)).collect(Collectors.toList());
      if (all.size() != CASES) throw new IllegalStateException("core.jsonl has " + all.size() + " cases instead of " + CASES);
      return all;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static <T> T read(String text, Class<T> type) {
    try {
      return JSON.readValue(text, type);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** A row; all digits of its numbers count. Throws UncheckedIOException if it is no JSON, or has bytes after it. */
  public static JsonNode parse(String row) {
    return read(row, JsonNode.class);
  }

  /**
   * A real number is compared by the value of its DOUBLE, and an integer by all digits. The shortest text of a DOUBLE counts as
   * its value: 9.223372036854776e18 is 9223372036854775808.
   */
  private static boolean sameNumber(JsonNode meant, JsonNode given) {
    double nearest = given.doubleValue();
    if (!meant.isIntegralNumber() || meant.bigIntegerValue().abs().bitLength() > 64) return Double.compare(meant.doubleValue(), nearest) == 0;
    if (given.isDouble() && !Double.isFinite(nearest)) return false;
    if (given.decimalValue().compareTo(meant.decimalValue()) == 0) return true;
    return Double.isFinite(nearest) && new BigDecimal(Double.toString(nearest)).compareTo(given.decimalValue()) == 0
        && new BigDecimal(nearest).compareTo(meant.decimalValue()) == 0;
  }

  /** Returns true if two values are equal; the order of an object's keys does not count. */
  public static boolean same(JsonNode meant, JsonNode given) {
    if (meant.isNumber() && given.isNumber()) return sameNumber(meant, given);
    if (meant.isArray() && given.isArray()) {
      if (meant.size() != given.size()) return false;
      for (int i = 0; i < meant.size(); ++i) if (!same(meant.get(i), given.get(i))) return false;
      return true;
    }
    if (meant.isObject() && given.isObject()) {
      if (meant.size() != given.size()) return false;
      for (Iterator<String> names = meant.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (!given.has(name) || !same(meant.get(name), given.get(name))) return false;
      }
      return true;
    }
    return meant.equals(given);
  }
}
