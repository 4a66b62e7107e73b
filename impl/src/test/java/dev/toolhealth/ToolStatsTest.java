package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ToolStatsTest {
  private final ToolStats stats = new ToolStats();

  @Test
  void theSumStopsAtTheLargestValue() {
    stats.recordSuccess(Long.MAX_VALUE - 10);
    stats.recordSuccess(9);
    assertThat(stats.durationSum()).isEqualTo(Long.MAX_VALUE - 1);
    stats.recordFailure(2);
    assertThat(stats.durationSum()).isEqualTo(Long.MAX_VALUE);
    stats.recordFailure(1);
    stats.recordFailure(Long.MAX_VALUE);
    stats.recordSuccess(0);
    assertThat(stats.durationSum()).isEqualTo(Long.MAX_VALUE);
  }

  /** No reader sees the sum wrap while other threads add to a full sum. */
  @Test
  void aFullSumIsNeverSeenToWrap() {
    stats.recordSuccess(Long.MAX_VALUE);
    CompletableFuture<Void> writers =
        CompletableFuture.allOf(
            CompletableFuture.runAsync(() -> record(1)),
            CompletableFuture.runAsync(() -> record(1L << 40)));
    do {
      assertThat(stats.durationSum()).isEqualTo(Long.MAX_VALUE);
    } while (!writers.isDone());
    writers.join();
    assertThat(stats.durationSum()).isEqualTo(Long.MAX_VALUE);
  }

  private void record(long nanos) {
    for (int i = 0; i < 200_000; i++) {
      stats.recordFailure(nanos);
    }
  }
}
