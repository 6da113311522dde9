package org.parqproof.corpus;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
  /** JSON Lines; null where the specification does not define the rows. */
  public String rows;

  @JsonProperty("bytes")
  byte[] content;

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
      return duty == Duty.accept ? Optional.of("refused: " + refused) : Optional.empty();
    }
    if (duty == Duty.reject) return Optional.of("accepted, with " + given.size() + " rows; " + clause);
    if (rows == null) return Optional.empty();
    List<String> meant = lines().get();
    for (int at = 0; at < Math.min(meant.size(), given.size()); ++at) {
      JsonNode expected = Corpus.parse(meant.get(at));
      if (!Corpus.same(expected, Corpus.parse(given.get(at))))
        return Optional.of("row " + at + " is " + given.get(at) + ", expected " + meant.get(at));
    }
    return meant.size() == given.size() ? Optional.empty() : Optional.of(given.size() + " rows, expected " + meant.size());
  }

  @Override
  public String toString() {
    return file;
  }
}
