package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.AbstractScheduler;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.pattern.CircuitBreaker;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.concurrent.duration.FiniteDuration;

/**
 * An adapter of Pekko's breaker, without actors. The breaker only needs a scheduler, because a
 * timer ends its cooldown.
 *
 * <p>Pekko's gate takes the call itself. The adapter passes a call that never completes, and
 * records the outcome separately. Pekko's timeout stays off: it applies to all calls, not only to
 * the probe, and would count a failure for each of these never-ending calls. With a threshold of 0,
 * the breaker trips only after four billion consecutive failures, because its counter starts at 1
 * and must wrap.
 */
public final class PekkoAdapter extends PeerAdapter {
  private static final Timer TIMER = new Timer();

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.CIRCUIT_STATE, Capability.HANDLES);
  }

  @Override
  Function<String, Breaker> factory(Config config, LongSupplier nanoClock) {
    Duration recovery = Duration.ofNanos(config.recoveryNanos());
    return name ->
        new Single(
            CircuitBreaker.create(TIMER, config.failureThreshold(), Duration.ZERO, recovery));
  }

  private record Single(CircuitBreaker breaker) implements Breaker {
    private static final Future<?> NEVER = Future.never$.MODULE$;

    @Override
    public boolean allowRequest() {
      return !breaker.callWithCircuitBreaker(() -> NEVER).isCompleted();
    }

    @Override
    public void recordSuccess(long nanos) {
      breaker.succeed();
    }

    @Override
    public void recordFailure(long nanos) {
      breaker.fail();
    }

    @Override
    public CircuitState state() {
      if (breaker.isClosed()) {
        return CircuitState.CLOSED;
      }
      return breaker.isHalfOpen() ? CircuitState.HALF_OPEN : CircuitState.OPEN;
    }
  }

  /** The part of a scheduler that the breaker needs: running a task once, later. */
  private static final class Timer extends AbstractScheduler {
    private final ScheduledThreadPoolExecutor pool =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "pekko-timer");
              thread.setDaemon(true);
              return thread;
            });

    @Override
    public Cancellable scheduleOnce(
        FiniteDuration delay, Runnable task, ExecutionContext executor) {
      ScheduledFuture<?> future =
          pool.schedule(() -> executor.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
      return new Cancellable() {
        @Override
        public boolean cancel() {
          return future.cancel(false);
        }

        @Override
        public boolean isCancelled() {
          return future.isCancelled();
        }
      };
    }

    @Override
    @SuppressWarnings("deprecation") // the interface still requires it
    public Cancellable schedule(
        FiniteDuration initialDelay,
        FiniteDuration interval,
        Runnable task,
        ExecutionContext executor) {
      throw new UnsupportedOperationException("a breaker schedules no recurring tasks");
    }

    @Override
    public double maxFrequency() {
      return TimeUnit.SECONDS.toNanos(1);
    }
  }
}
