package dev.toolhealth;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Faulty breakers with the right transitions, wrong only when a second caller interferes. */
final class BrokenBreakers {
  private BrokenBreakers() {}

  /**
   * A breaker that can grant the probe to two callers who both find the cooldown elapsed (BRK-8).
   */
  public static final class ProbeByCheckThenAct extends Operations {
    @Override
    Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new SwappingBreaker(config, clock) {
        @Override
        boolean swap(SequentialBreaker current, SequentialBreaker next) {
          if (next.state() == CircuitState.HALF_OPEN) {
            state.set(next);
            return true;
          }
          return super.swap(current, next);
        }
      };
    }
  }

  /** A breaker that can lose a failure when two arrive at once (BRK-2). */
  public static final class FailureByCheckThenAct extends Operations {
    @Override
    Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new SwappingBreaker(config, clock) {
        @Override
        public void recordFailure() {
          SequentialBreaker current = read();
          state.set(current.afterFailure(clock.getAsLong()));
        }
      };
    }
  }

  /** A breaker that can date a failure before the state it applies the failure to (STALE-5). */
  public static final class ClockBeforeState extends Operations {
    @Override
    Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new SwappingBreaker(config, clock) {
        @Override
        public void recordFailure() {
          long now = clock.getAsLong();
          SequentialBreaker current;
          do {
            current = read();
          } while (!swap(current, current.afterFailure(now)));
        }
      };
    }
  }

  /**
   * A breaker that reuses one CLOSED object (STALE-5). A failure that sleeps through a whole round
   * finds the same object again and swaps in a state with an old time.
   */
  public static final class ClosedObjectShared extends Operations {
    @Override
    Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new SwappingBreaker(config, clock) {
        private final SequentialBreaker shared = read();

        @Override
        boolean swap(SequentialBreaker current, SequentialBreaker next) {
          boolean calm = next.state() == CircuitState.CLOSED && next.failures() == 0;
          return super.swap(current, calm ? shared : next);
        }
      };
    }
  }

  /** A breaker that lets a success in between the last failure's count and the trip (BRK-4). */
  public static final class CountNotStopped extends BreakerOperations {
    public CountNotStopped() {
      super(2);
    }

    @Override
    Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new SwappingBreaker(config.withFailureThreshold(1), clock) {
        private final AtomicLong run = new AtomicLong();

        @Override
        public void recordSuccess() {
          if (read().at(clock.getAsLong()).state() != CircuitState.OPEN) {
            run.set(0);
          }
          super.recordSuccess();
        }

        @Override
        public void recordFailure() {
          if (run.incrementAndGet() >= config.failureThreshold()) {
            super.recordFailure();
          }
        }

        @Override
        public String look() {
          return read().at(clock.getAsLong()).state() + " " + run;
        }
      };
    }
  }

  /** A breaker with a lock: a caller stopped while recording blocks all others (CONC-3). */
  public static final class Locked extends Operations {
    @Override
    Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new SwappingBreaker(config, clock) {
        @Override
        public synchronized void recordFailure() {
          super.recordFailure();
        }
      };
    }
  }

  abstract static class Operations extends BreakerOperations {
    Operations() {
      super(1);
    }
  }

  /** A correct breaker. */
  private static class SwappingBreaker implements BreakerOperations.Breaker {
    final AtomicReference<SequentialBreaker> state;
    private final LongSupplier clock;

    SwappingBreaker(CircuitBreakerConfig config, LongSupplier clock) {
      this.state =
          new AtomicReference<>(
              SequentialBreaker.closed(
                  config.failureThreshold(),
                  config.recoveryDuration().toNanos(),
                  config.probeTimeout().toNanos()));
      this.clock = clock;
    }

    SequentialBreaker read() {
      return Objects.requireNonNull(state.get());
    }

    boolean swap(SequentialBreaker current, SequentialBreaker next) {
      return state.compareAndSet(current, next);
    }

    @Override
    public boolean allowRequest() {
      for (; ; ) {
        SequentialBreaker current = read();
        long now = clock.getAsLong();
        if (current.state() == CircuitState.CLOSED) {
          return true;
        }
        if (!current.admits(now)) {
          return false;
        }
        if (swap(current, current.afterGate(now))) {
          return true;
        }
      }
    }

    @Override
    public boolean isAvailable() {
      return read().admits(clock.getAsLong());
    }

    @Override
    public void recordSuccess() {
      SequentialBreaker current;
      do {
        current = read();
      } while (!swap(current, current.afterSuccess(clock.getAsLong())));
    }

    @Override
    public void recordFailure() {
      SequentialBreaker current;
      do {
        current = read();
      } while (!swap(current, current.afterFailure(clock.getAsLong())));
    }

    @Override
    public String look() {
      SequentialBreaker seen = read().at(clock.getAsLong());
      return seen.state() + " " + seen.failures();
    }
  }
}
