package org.parqproof.corpus;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A file of the corpus, and what a reader must do with it. */
public final class Case {
  /** What a reader must do. */
  public enum Duty {
    /** Read it, and return these rows. */
    accept,
    /** Report that the rows cannot be returned. */
    reject,
    /** Either. */
    may
  }

  /** A reader: returns the rows as JSON objects, one a line, in the form of {@code parqproof cat}. */
  @FunctionalInterface
  public interface Reader {
    /** @throws UnsupportedOperationException for a feature that the reader does not have */
    List<String> rows(byte[] file) throws Exception;
  }

  /** Its path in the corpus. */
  public String file;
  public String sha256;
  /** The rule that it is about, or null. */
  public String rule;
  /** The rules of severity error that it breaks. */
  public List<String> breaks = List.of();
  public String verdict;
  /** The options of {@code parqproof check} with this verdict that are not the defaults. */
  public Map<String, Object> options = Map.of();
  public Duty duty;
  /** Of a file to reject, where a reader meets the fault: footer, page header, page body or values. */
  public String phase;
  /** The clause of the specification that requires it, or null. */
  public String clause;
  public List<String> features = List.of();
  public List<Probe> probes = List.of();
  /** The keys of an encrypted file, in the form of {@code parqproof check --keys}; else null. A reader without them may refuse it. */
  public Map<String, Object> keys;
  /** JSON Lines; null where the specification does not define the rows, and with {@link #noRows}. */
  public String rows;
  /** Of a file to accept without rows, why there are none; else null. */
  @JsonProperty("no_rows")
  public String noRows;

  @JsonProperty("bytes")
  byte[] content;

  /** The number of right answers of the test that has this case as an argument. */
  AtomicInteger right = new AtomicInteger();

  /**
   * A predicate on a column. A reader with filters returns the rows that match; one that trusts wrong statistics, indexes or
   * filters loses some.
   */
  public static final class Probe {
    public String column;
    /** {@code =}, {@code <} or {@code >}. */
    public String operator;
    /** A number or a text. */
    public Object value;
    /** The ordinals of the rows that match. */
    public List<Integer> rows = List.of();

    Probe() {}
  }

  Case() {}

  /** The file. */
  public byte[] bytes() {
    return content.clone();
  }

  /** The rows, one JSON object each; empty where the specification does not define them. */
  public Optional<List<String>> lines() {
    if (rows == null) return Optional.empty();
    List<String> lines = new ArrayList<>(List.of(rows.split("\n", -1)));
    lines.remove(lines.size() - 1);
    return Optional.of(lines);
  }

  /** Judges a reader by this case: what is wrong, or empty. */
  public Optional<String> fault(Reader reader) {
    List<String> given;
    try {
      given = reader.rows(bytes());
    } catch (UnsupportedOperationException unsupported) {
      return Optional.empty();
    } catch (Exception refused) {
      return counted(duty == Duty.accept ? "refused: " + refused : null);
    }
    return counted(difference(given));
  }

  private Optional<String> counted(String fault) {
    if (fault == null) right.incrementAndGet();
    return Optional.ofNullable(fault);
  }

  /** What is wrong with the rows that a reader returned, or null. */
  private String difference(List<String> given) {
    if (given == null) return "the reader returned null instead of rows";
    if (duty == Duty.reject) return "accepted, with " + given.size() + " rows; " + clause;
    if (rows == null) return null;
    List<String> meant = lines().get();
    for (int at = 0; at < Math.min(meant.size(), given.size()); ++at) {
      if (given.get(at) == null) return "row " + at + " is null";
      try {
        if (!Corpus.same(Corpus.parse(meant.get(at)), Corpus.parse(given.get(at))))
          return "row " + at + " is " + given.get(at) + ", expected " + meant.get(at);
      } catch (UncheckedIOException broken) {
        return "row " + at + " is no JSON: " + given.get(at);
      }
    }
    return meant.size() == given.size() ? null : given.size() + " rows, expected " + meant.size();
  }

  @Override
  public String toString() {
    return file;
  }
}
