package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolhealth.dispatch.HealthRouter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Behaviour beyond the kit: durations as {@link Duration}, snapshots, nulls of other types. */
class ToolHealthRegistryTest {
  private final ManualClock clock = new ManualClock();
  private final ToolHealthRegistry registry = ToolHealthRegistry.builder().nanoClock(clock).build();

  @Test
  void aSnapshotHasEverything() {
    registry.recordSuccess("search", Duration.ofMillis(20));
    registry.recordFailure("search", Duration.ofMillis(31));
    registry.recordSuccess("search", Duration.ofMillis(10));
    registry.recordFailureNanos("search", 0);

    ToolSnapshot snapshot = registry.snapshot("search");
    assertThat(snapshot)
        .isEqualTo(
            new ToolSnapshot(
                "search",
                2,
                2,
                Duration.ofMillis(61),
                Duration.ofMillis(31),
                553_000,
                CircuitState.CLOSED,
                1,
                Optional.of(Duration.ZERO)));
    assertThat(snapshot.total()).isEqualTo(4);
    assertThat(snapshot.successRate()).isEqualTo(0.5);
    assertThat(snapshot.averageDuration()).isEqualTo(Duration.ofNanos(15_250_000));
    assertThat(snapshot.score()).isEqualTo(0.15 + 0.7 * 0.553);
    assertThat(snapshot.status()).isEqualTo(HealthStatus.DEGRADED);
  }

  @Test
  void aSnapshotOfAnUnknownNameIsThatOfANewTool() {
    assertThat(registry.snapshot("new"))
        .isEqualTo(
            new ToolSnapshot(
                "new",
                0,
                0,
                Duration.ZERO,
                Duration.ZERO,
                1_000_000,
                CircuitState.CLOSED,
                0,
                Optional.of(Duration.ZERO)));
    assertThat(registry.snapshot("new").averageDuration()).isEqualTo(Duration.ZERO);
    assertThat(registry.toolCount()).isZero();
  }

  /** Field case C01, step 7: the wait before, during and after a probe. */
  @Test
  void aSnapshotSaysHowLongToWait() {
    for (int i = 0; i < 3; i++) {
      registry.recordFailureNanos("search", 1);
    }
    assertThat(retryAfterAt(10_000)).contains(Duration.ofSeconds(20));
    assertThat(retryAfterAt(29_999)).contains(Duration.ofMillis(1));
    assertThat(retryAfterAt(30_000)).contains(Duration.ZERO);
    assertThat(registry.allowRequest("search")).isTrue();
    assertThat(retryAfterAt(45_000)).contains(Duration.ofSeconds(45));
    assertThat(retryAfterAt(70_000)).contains(Duration.ofSeconds(20));
    assertThat(retryAfterAt(200_000)).contains(Duration.ZERO);
  }

  private Optional<Duration> retryAfterAt(long millis) {
    clock.set(Duration.ofMillis(millis).toNanos());
    return registry.snapshot("search").retryAfter();
  }

  @Test
  void withoutALeaseNobodyCanSayHowLongToWait() {
    registry.configure(
        CircuitBreakerConfig.ofDefaults()
            .withFailureThreshold(1)
            .withRecoveryDuration(Duration.ZERO)
            .withProbeTimeout(Duration.ZERO));
    registry.recordFailureNanos("search", 1);
    assertThat(registry.allowRequest("search")).isTrue();
    assertThat(registry.snapshot("search").retryAfter()).isEmpty();
  }

  /** STAT-6 for durations beyond a {@code long} of nanoseconds. */
  @Test
  void durationsBeyondTheRangeSaturate() {
    registry.recordSuccess("search", Duration.ofSeconds(Long.MAX_VALUE));
    registry.recordFailure("search", Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    registry.recordSuccess("search", Duration.ofSeconds(Long.MIN_VALUE));
    ToolSnapshot snapshot = registry.snapshot("search");
    assertThat(snapshot.maxDuration()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    assertThat(snapshot.totalDuration()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    assertThat(snapshot.total()).isEqualTo(3);
    registry.recordFailure("other", Duration.ofNanos(-1));
    assertThat(registry.snapshot("other").totalDuration()).isEqualTo(Duration.ZERO);
    registry.recordFailure("other", Duration.ofNanos(Long.MAX_VALUE));
    assertThat(registry.snapshot("other").maxDuration())
        .isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
  }

  @Test
  void theSummaryIsInOrderAndDoesNotChange() {
    registry.recordSuccessNanos("search", 1);
    registry.recordFailureNanos("shell", 1);
    registry.allowRequest("database");
    Map<String, ToolSnapshot> summary = registry.healthSummary();
    registry.recordFailureNanos("search", 1);
    registry.recordFailureNanos("later", 1);
    assertThat(summary.keySet()).containsExactly("database", "search", "shell");
    assertThat(summary.get("search")).isNotNull().extracting(ToolSnapshot::total).isEqualTo(1L);
    assertThatThrownBy(summary::clear).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aHandleIsTheToolItself() {
    ToolHealth search = registry.tool("search");
    assertThat(registry.tool("search")).isSameAs(search);
    assertThat(search.name()).isEqualTo("search");
    search.recordFailure(Duration.ofMillis(1));
    registry.recordFailure("search", Duration.ofMillis(1));
    search.recordFailure(Duration.ofMillis(1));
    assertThat(registry.isToolAvailable("search")).isFalse();
    assertThat(search.isAvailable()).isFalse();
    assertThat(search.healthStatus()).isEqualTo(HealthStatus.UNHEALTHY);
    search.recordSuccess(Duration.ofMillis(1));
    assertThat(search.snapshot().successes()).isEqualTo(1);
    assertThat(search.snapshot()).isEqualTo(registry.snapshot("search"));
    assertThat(search).hasToString(search.snapshot().toString());
  }

  /** An outcome is counted before the breaker changes, so the trip shows its own failure. */
  @Test
  void aTripIsNeverSeenWithoutItsFailures() {
    AtomicReference<Runnable> whenTheClockIsRead = new AtomicReference<>(() -> {});
    ToolHealth tool = toolThatTripsAtOnce(whenTheClockIsRead);
    List<Long> failuresAtTheTrip = new ArrayList<>();
    whenTheClockIsRead.set(() -> failuresAtTheTrip.add(tool.snapshot().failures()));
    tool.recordFailureNanos(1);
    assertThat(failuresAtTheTrip).containsExactly(1L);
  }

  /** Readers use the reverse order: first the breaker, then the counters. */
  @Test
  void aSnapshotReadsTheCountersLast() {
    AtomicReference<Runnable> whenTheClockIsRead = new AtomicReference<>(() -> {});
    ToolHealth tool = toolThatTripsAtOnce(whenTheClockIsRead);
    tool.recordFailureNanos(1);
    whenTheClockIsRead.set(() -> tool.recordFailureNanos(1));
    assertThat(tool.snapshot().failures()).isEqualTo(2);
  }

  private static ToolHealth toolThatTripsAtOnce(AtomicReference<Runnable> whenTheClockIsRead) {
    return ToolHealthRegistry.builder()
        .config(CircuitBreakerConfig.ofDefaults().withFailureThreshold(1))
        .nanoClock(
            () -> {
              whenTheClockIsRead.getAndSet(() -> {}).run();
              return 0;
            })
        .build()
        .tool("search");
  }

  @Test
  void theDefaultClockIsTheSystemsMonotonicOne() {
    ToolHealthRegistry onSystemClock =
        ToolHealthRegistry.builder()
            .config(
                CircuitBreakerConfig.ofDefaults()
                    .withFailureThreshold(1)
                    .withRecoveryDuration(Duration.ofDays(1)))
            .build();
    long before = System.nanoTime();
    onSystemClock.recordFailureNanos("search", 1);
    Duration wait = onSystemClock.snapshot("search").retryAfter().orElseThrow();
    Duration passed = Duration.ofNanos(System.nanoTime() - before);
    assertThat(wait).isBetween(Duration.ofDays(1).minus(passed), Duration.ofDays(1));
    assertThat(ToolHealthRegistry.ofDefaults().allowRequest("search")).isTrue();
  }

  /** BAD-1 for every argument that can be null. The registry does not change. */
  @Test
  @SuppressWarnings("NullAway") // this test passes nulls on purpose
  void nullsAreRefusedByNameAndChangeNothing() {
    registry.recordFailureNanos("search", 1);
    Map<String, ToolSnapshot> before = registry.healthSummary();
    ToolHealth search = registry.tool("search");
    HealthRouter router = new HealthRouter(registry, Map.of("search", List.of("b")));

    refused("config", () -> ToolHealthRegistry.builder().config(null).build());
    refused("nanoClock", () -> ToolHealthRegistry.builder().nanoClock(null).build());
    refused("config", () -> registry.configure(null));
    refused("tool", () -> registry.tool(null));
    refused("tool", () -> registry.allowRequest(null));
    refused("tool", () -> registry.isToolAvailable(null));
    refused("tool", () -> registry.recordSuccessNanos(null, 1));
    refused("tool", () -> registry.recordFailureNanos(null, 1));
    refused("tool", () -> registry.recordSuccess(null, Duration.ZERO));
    refused("tool", () -> registry.recordFailure(null, Duration.ZERO));
    refused("duration", () -> registry.recordSuccess("new", null));
    refused("duration", () -> registry.recordFailure("new", null));
    refused("duration", () -> search.recordSuccess(null));
    refused("duration", () -> search.recordFailure(null));
    refused("tool", () -> registry.healthStatus(null));
    refused("tool", () -> registry.snapshot(null));
    refused("registry", () -> new HealthRouter(null, Map.of()));
    refused("fallbacks", () -> new HealthRouter(registry, null));
    refused("a primary in fallbacks", () -> fallbacks(null, List.of()));
    refused("fallbacks of search", () -> fallbacks("search", null));
    refused("a fallback of search", () -> fallbacks("search", Arrays.asList("a", null)));
    refused("primary", () -> router.route(null));

    assertThat(registry.healthSummary()).isEqualTo(before);
    registry.recordFailureNanos("search", 1);
    registry.recordFailureNanos("search", 1);
    assertThat(router.route("search")).isEqualTo("b");
  }

  @SuppressWarnings("NullAway") // this test passes nulls on purpose
  private void fallbacks(@Nullable String primary, @Nullable List<String> substitutes) {
    new HealthRouter(registry, Collections.singletonMap(primary, substitutes));
  }

  private static void refused(String argument, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(argument);
  }
}
