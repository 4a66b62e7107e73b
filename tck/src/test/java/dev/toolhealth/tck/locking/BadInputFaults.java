package dev.toolhealth.tck.locking;

import static java.util.Objects.requireNonNull;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.List;

/** Faulty handling of invalid arguments and of values at the ends of their range. */
final class BadInputFaults {
  private BadInputFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inRegistry(
            Rule.BAD_1,
            "A negative threshold at construction is treated as 0",
            (config, clock) ->
                new LockingRegistry(
                    new Config(
                        Math.max(0, config.failureThreshold()),
                        config.recoveryNanos(),
                        config.probeTimeoutNanos()),
                    clock)),
        Fault.inRegistry(
            Rule.BAD_1,
            "A refused configuration takes effect",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void configure(Config config) {
                    this.config = config;
                    super.configure(config);
                  }
                }),
        Fault.inRegistry(
            Rule.BAD_1,
            "The oracle accepts null as a name",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public boolean isToolAvailable(String tool) {
                    return super.isToolAvailable(String.valueOf(tool));
                  }
                }),
        Fault.inRegistry(
            Rule.BAD_1,
            "The exception for a read of a null name does not name the argument",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool toolToRead(String tool) {
                    LockingTool known = tools.get(tool);
                    return known != null ? known : newTool();
                  }
                }),
        Fault.inRegistry(
            Rule.BAD_1,
            "The exception for a null fallback does not name the argument",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void setFallbacks(String primary, List<String> fallbacks) {
                    this.fallbacks.put(requireNonNull(primary, "primary"), List.copyOf(fallbacks));
                  }
                }),
        Fault.inRegistry(
            Rule.BAD_1,
            "A refused list of fallbacks takes effect up to its null element",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void setFallbacks(String primary, List<String> fallbacks) {
                    List<String> taken = new ArrayList<>();
                    this.fallbacks.put(requireNonNull(primary, "primary"), taken);
                    for (String fallback : requireNonNull(fallbacks, "fallbacks")) {
                      taken.add(requireNonNull(fallback, "fallbacks"));
                    }
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "The clock is compared with the cooldown's end directly instead of by difference",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return now >= cooldownStartAt(now) + config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "The clock is compared with the lease's end directly instead of by difference",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return now >= leaseEnd();
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "A lease that starts at time 0 never ends",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return probeStart != 0 && super.leaseElapsed(now);
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "A cooldown that starts at time 0 ends at once",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return cooldownStartAt(now) == 0 || super.cooldownElapsed(now);
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "A cooldown that starts at a negative time ends at once",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return cooldownStartAt(now) < 0 || super.cooldownElapsed(now);
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "The cooldown ends once the absolute value of the elapsed time is large enough",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return Math.abs(now - cooldownStartAt(now)) >= config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "No cooldown lasts longer than 95 years, not even one that must never end",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return super.cooldownElapsed(now)
                        || now - cooldownStartAt(now) >= 3_000_000_000_000_000_000L;
                  }
                }));
  }
}
