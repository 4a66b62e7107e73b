package dev.toolhealth.tck.locking;

import static java.util.Objects.requireNonNull;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.List;

/** Faults with arguments that make no sense, and with values at the edges of their range. */
final class BadInputFaults {
  private BadInputFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inRegistry(
            Rule.BAD_1,
            "a negative threshold is taken for zero",
            (config, clock) ->
                new LockingRegistry(
                    new Config(
                        Math.max(0, config.failureThreshold()),
                        config.recoveryNanos(),
                        config.probeTimeoutNanos()),
                    clock)),
        Fault.inRegistry(
            Rule.BAD_1,
            "a refused configuration has been set",
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
            "null is a name",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public boolean isToolAvailable(String tool) {
                    return super.isToolAvailable(String.valueOf(tool));
                  }
                }),
        Fault.inRegistry(
            Rule.BAD_1,
            "it is left to the JVM to find a null",
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
            "a null fallback is found without a word of which argument it was",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void setFallbacks(String primary, List<String> fallbacks) {
                    this.fallbacks.put(requireNonNull(primary, "primary"), List.copyOf(fallbacks));
                  }
                }),
        Fault.inRegistry(
            Rule.BAD_1,
            "refused fallbacks have been set up to the null",
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
            "the end of the cooldown is compared by its order",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return now >= cooldownStartAt(now) + config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "the end of the lease is compared by its order",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return now >= leaseEnd();
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "a grant at time 0 is taken for none",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return probeStart != 0 && super.leaseElapsed(now);
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "a trip at time 0 is taken for none",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return cooldownStartAt(now) == 0 || super.cooldownElapsed(now);
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "times below 0 are taken for none",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return cooldownStartAt(now) < 0 || super.cooldownElapsed(now);
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "the time that has passed loses its sign",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return Math.abs(now - cooldownStartAt(now)) >= config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "a cooldown for ever is over after a century",
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
