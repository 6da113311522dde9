package org.parqproof.corpus;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;

/**
 * The cases as arguments of a parameterized test of JUnit 5:
 *
 * <pre>
 * &#64;ParameterizedTest
 * &#64;ParquetCases(ignore = {"LZO", "witnesses/rle/header-long/*"}, atLeast = 500)
 * void reads(Case one) {
 *   one.fault(MyReader::rows).ifPresent(Assertions::fail);
 * }
 * </pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(ParquetCases.Provider.class)
public @interface ParquetCases {
  /** Leaves out cases by path, rule or feature; a name may end in {@code *}. */
  String[] ignore() default {};

  /** The number of right answers without which the test fails after its last case. */
  int atLeast() default 1;

  /** Makes the arguments. */
  final class Provider implements ArgumentsProvider, AnnotationConsumer<ParquetCases> {
    private String[] ignored = {};
    private int atLeast = 1;

    @Override
    public void accept(ParquetCases annotation) {
      ignored = annotation.ignore();
      atLeast = Math.max(annotation.atLeast(), 1);
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ExtensionContext context) {
      AtomicInteger right = new AtomicInteger();
      ExtensionContext.Store.CloseableResource atEnd = () -> check(right.get(), atLeast);
      context.getStore(ExtensionContext.Namespace.create(Provider.class, this)).put("right", atEnd);
      return Corpus.cases().stream().filter(one -> !ignores(one)).peek(one -> one.right = right).map(Arguments::of);
    }

    static void check(int right, int atLeast) {
      if (right < atLeast) throw new AssertionError(right + " right answers, expected at least " + atLeast);
    }

    private boolean ignores(Case one) {
      return Arrays.stream(ignored)
          .anyMatch(pattern -> Stream.concat(Stream.of(one.file, String.valueOf(one.rule)), one.features.stream()).anyMatch(name -> matches(pattern, name)));
    }

    private static boolean matches(String pattern, String name) {
      return pattern.endsWith("*") ? name.startsWith(pattern.substring(0, pattern.length() - 1)) : name.equals(pattern);
    }
  }
}
