package dev.toolhealth.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class FootprintTest {
  private static final String REFERENCE = ReferenceAdapter.class.getName();

  /** The limit is also in docs/benchmarks.md. */
  @Test
  void anIdleToolIsSmall() {
    assertThat(Footprint.idle(Footprint.registry(REFERENCE, Config.DEFAULT))).isBetween(1L, 256L);
  }

  @Test
  void aToolThatWasFoughtForIsNoSmaller() throws InterruptedException {
    Config neverTrips = new Config(0, 0, 0);
    assertThat(Footprint.contended(Footprint.registry(REFERENCE, neverTrips)))
        .isGreaterThanOrEqualTo(Footprint.idle(Footprint.registry(REFERENCE, neverTrips)));
  }

  /** A tool has a thousand bytes, their array's header and a map entry. The name is excluded. */
  @Test
  void whatIsKeptForAToolIsWeighed() {
    assertThat(Footprint.idle(new Hoard())).isBetween(1_000L + 16 + 32, 1_000L + 100);
  }

  private static final class Hoard implements Subject {
    private final Map<String, byte[]> tools = new ConcurrentHashMap<>();

    @Override
    public boolean allowRequest(String tool) {
      tools.computeIfAbsent(tool, name -> new byte[1_000]);
      return true;
    }

    @Override
    public void recordSuccess(String tool, long nanos) {}

    @Override
    public void recordFailure(String tool, long nanos) {}
  }
}
