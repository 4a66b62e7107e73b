package dev.toolhealth.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "1, 1 ns",
    "-1, -1 ns",
    "999999, 1 ms - 1 ns",
    "1000000, 1 ms",
    "1001000, 1 ms + 1000 ns",
    "1001001, 1001001 ns",
    "29999999999, 30 s - 1 ns",
    "30000000001, 30 s + 1 ns",
    "9223372036854775807, for ever",
    "-9223372036854775808, -9223372036854775808 ns"
  })
  void anInstantIsToldFromARoundOneNearby(long nanos, String words) {
    assertThat(Words.instant(nanos)).isEqualTo(words);
  }
}
