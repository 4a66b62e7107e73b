package dev.toolhealth.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;

class SlowestThreadTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Returns the share for threads that made the given numbers of calls in a second. */
  private static double share(long... calls) {
    List<Result<?>> threads =
        LongStream.of(calls)
            .<Result<?>>mapToObj(
                n ->
                    new AverageTimeResult(
                        ResultRole.PRIMARY, "record", n, SECOND, TimeUnit.NANOSECONDS))
            .toList();
    return SlowestThread.share(threads, SlowestThread::speedByTime).get(0).getScore();
  }

  @Test
  void allHaveTheSame() {
    assertThat(share(500, 500)).isCloseTo(100, within(1e-9));
    assertThat(share(500, 500, 500)).isCloseTo(100, within(1e-9));
  }

  /** Of forty calls, a fair share is twenty, and the slower thread made ten. */
  @Test
  void oneHasHalfOfItsShare() {
    assertThat(share(30, 10)).isCloseTo(50, within(1e-9));
    assertThat(share(10, 30)).isCloseTo(50, within(1e-9));
  }

  @Test
  void oneHardlyComesToIt() {
    assertThat(share(1, 999)).isCloseTo(0.2, within(1e-9));
  }
}
