package dev.toolhealth;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Breakers with the right transitions, and each with one fault that only a second caller shows. */
final class BrokenBreakers {
  private BrokenBreakers() {}

  /** Two callers can both find the cooldown elapsed, and both be the probe (BRK-8). */
  public static final class ProbeByCheckThenAct extends Operations {
    @Override
    Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new SwappingBreaker(config, clock) {
        @Override
        boolean swap(BreakerState current, BreakerState next) {
          if (next instanceof BreakerState.HalfOpen) {
            state.set(next);
            return true;
          }
          return super.swap(current, next);
        }
      };
    }
  }

  /** One of two failures can be lost (BRK-2). */
  public static final class FailureByCheckThenAct extends Operations {
    @Override
    Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new SwappingBreaker(config, clock) {
        @Override
        public void recordFailure() {
          BreakerState current = read();
          state.set(current.afterFailure(config, clock.getAsLong()));
        }
      };
    }
  }

  /** A failure can be dated to before the state that it meets (STALE-5). */
  public static final class ClockBeforeState extends Operations {
    @Override
    Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new SwappingBreaker(config, clock) {
        @Override
        public void recordFailure() {
          long now = clock.getAsLong();
          BreakerState current;
          do {
            current = read();
          } while (!swap(current, current.afterFailure(config, now)));
        }
      };
    }
  }

  /**
   * A failure can sleep through a whole round and take what it finds for what it left (STALE-5).
   */
  public static final class ClosedObjectShared extends Operations {
    @Override
    Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new SwappingBreaker(config, clock) {
        @Override
        boolean swap(BreakerState current, BreakerState next) {
          return super.swap(current, next.equals(BreakerState.NEW) ? BreakerState.NEW : next);
        }
      };
    }
  }

  /** A caller that stops while it records holds up all others (CONC-3). */
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

  /** As it should be. */
  private static class SwappingBreaker implements BreakerOperations.Breaker {
    final AtomicReference<BreakerState> state = new AtomicReference<>(BreakerState.NEW);
    private final CircuitBreakerConfig config;
    private final LongSupplier clock;

    SwappingBreaker(CircuitBreakerConfig config, LongSupplier clock) {
      this.config = config;
      this.clock = clock;
    }

    BreakerState read() {
      return Objects.requireNonNull(state.get());
    }

    boolean swap(BreakerState current, BreakerState next) {
      return state.compareAndSet(current, next);
    }

    @Override
    public boolean allowRequest() {
      for (; ; ) {
        BreakerState current = read();
        long now = clock.getAsLong();
        if (current instanceof BreakerState.Closed) {
          return true;
        }
        if (!current.admits(config, now)) {
          return false;
        }
        if (swap(current, new BreakerState.HalfOpen(now, current.consecutiveFailures()))) {
          return true;
        }
      }
    }

    @Override
    public boolean isAvailable() {
      return read().admits(config, clock.getAsLong());
    }

    @Override
    public void recordSuccess() {
      BreakerState current;
      do {
        current = read();
      } while (!swap(current, current.afterSuccess(config, clock.getAsLong())));
    }

    @Override
    public void recordFailure() {
      BreakerState current;
      do {
        current = read();
      } while (!swap(current, current.afterFailure(config, clock.getAsLong())));
    }

    @Override
    public ToolCircuitBreaker.View view() {
      return new ToolCircuitBreaker.View(read(), config, clock.getAsLong());
    }
  }
}
