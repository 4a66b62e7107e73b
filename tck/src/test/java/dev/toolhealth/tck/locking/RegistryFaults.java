package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.SummaryEntry;
import dev.toolhealth.tck.spec.Rule;
import java.text.Normalizer;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Faulty registries: wrong lookups by name, handles, configurations and summaries. */
final class RegistryFaults {
  private RegistryFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inRegistry(
            Rule.REG_1,
            "Names are converted to lower case",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool findOrCreate(String tool) {
                    return super.findOrCreate(tool.toLowerCase(Locale.ROOT));
                  }

                  @Override
                  LockingTool findOrElseNew(String tool) {
                    return super.findOrElseNew(tool.toLowerCase(Locale.ROOT));
                  }
                }),
        Fault.inRegistry(
            Rule.REG_1,
            "Names are trimmed",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool findOrCreate(String tool) {
                    return super.findOrCreate(tool.trim());
                  }

                  @Override
                  LockingTool findOrElseNew(String tool) {
                    return super.findOrElseNew(tool.trim());
                  }
                }),
        Fault.inRegistry(
            Rule.REG_1,
            "Names are normalized to NFC",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool findOrCreate(String tool) {
                    return super.findOrCreate(Normalizer.normalize(tool, Normalizer.Form.NFC));
                  }

                  @Override
                  LockingTool findOrElseNew(String tool) {
                    return super.findOrElseNew(Normalizer.normalize(tool, Normalizer.Form.NFC));
                  }
                }),
        Fault.inRegistry(
            Rule.REG_1,
            "Names with equal hash codes share one tool",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool findOrCreate(String tool) {
                    return super.findOrCreate(Integer.toString(tool.hashCode()));
                  }

                  @Override
                  LockingTool findOrElseNew(String tool) {
                    return super.findOrElseNew(Integer.toString(tool.hashCode()));
                  }
                }),
        Fault.inRegistry(
            Rule.REG_1,
            "Names are cut off after 1000 characters",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool findOrCreate(String tool) {
                    return super.findOrCreate(tool.substring(0, Math.min(1_000, tool.length())));
                  }

                  @Override
                  LockingTool findOrElseNew(String tool) {
                    return super.findOrElseNew(tool.substring(0, Math.min(1_000, tool.length())));
                  }
                }),
        Fault.inRegistry(
            Rule.REG_1,
            "Names are compared by identity instead of equality",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  private final IdentityHashMap<String, String> names = new IdentityHashMap<>();

                  @Override
                  LockingTool findOrCreate(String tool) {
                    return super.findOrCreate(nameOf(tool));
                  }

                  @Override
                  LockingTool findOrElseNew(String tool) {
                    return super.findOrElseNew(nameOf(tool));
                  }

                  private synchronized String nameOf(String tool) {
                    return names.computeIfAbsent(tool, name -> name + "#" + names.size());
                  }

                  @Override
                  public Map<String, SummaryEntry> healthSummary() {
                    Map<String, SummaryEntry> summary = new TreeMap<>();
                    super.healthSummary()
                        .forEach(
                            (name, entry) ->
                                summary.put(name.substring(0, name.lastIndexOf('#')), entry));
                    return summary;
                  }
                }),
        Fault.inRegistry(
            Rule.REG_1,
            "The empty name throws an exception",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool findOrCreate(String tool) {
                    if (tool.isEmpty()) {
                      throw new IllegalArgumentException("tool is empty");
                    }
                    return super.findOrCreate(tool);
                  }
                }),
        Fault.inRegistry(
            Rule.REG_1,
            "All names but the first share one tool",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool findOrCreate(String tool) {
                    return super.findOrCreate(
                        tools.isEmpty() || tools.containsKey(tool) ? tool : "other");
                  }

                  @Override
                  LockingTool findOrElseNew(String tool) {
                    return super.findOrElseNew(tools.containsKey(tool) ? tool : "other");
                  }
                }),
        Fault.inRegistry(
                Rule.REG_2,
                "Two callers that race for a new name can create two tools",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      LockingTool findOrCreate(String tool) {
                        LockingTool known = tools.get(tool);
                        if (known == null) {
                          Window.open();
                          known = newTool();
                          tools.put(tool, known);
                        }
                        return known;
                      }
                    })
            .inRacesOnly(),
        Fault.inRegistry(
                Rule.REG_2,
                "A failure that creates its tool is not recorded",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public void recordFailure(String tool, long nanos) {
                        boolean known = tools.containsKey(tool);
                        toolToChange(tool);
                        if (known) {
                          super.recordFailure(tool, nanos);
                        }
                      }
                    })
            .orUnder(Rule.STAT_1),
        Fault.inRegistry(
            Rule.REG_2,
            "A gate call does not create the tool",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public boolean allowRequest(String tool) {
                    return toolToRead(tool).allowRequest();
                  }
                }),
        Fault.inRegistry(
            Rule.REG_2,
            "Requesting a handle does not create the tool",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public Handle handle(String tool) {
                    return tools.containsKey(tool) ? super.handle(tool) : newTool();
                  }
                }),
        Fault.inRegistry(
            Rule.REG_2,
            "Every handle works on a tool of its own instead of the named tool",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public Handle handle(String tool) {
                    toolToChange(tool);
                    return newTool();
                  }
                }),
        Fault.inRegistry(
            Rule.REG_3,
            "A read creates the tool",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool findOrElseNew(String tool) {
                    return toolToChange(tool);
                  }
                }),
        Fault.inRegistry(
            Rule.REG_3,
            "Routing creates the primary",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    toolToChange(primary);
                    return super.route(primary);
                  }
                }),
        Fault.inRegistry(
            Rule.REG_3,
            "The oracle answers false for an unknown tool",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public boolean isToolAvailable(String tool) {
                    return tools.containsKey(tool) && super.isToolAvailable(tool);
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "Setting a configuration resets existing tools",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void configure(Config config) {
                    super.configure(config);
                    tools.replaceAll((name, tool) -> newTool());
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "A new threshold also applies to existing tools",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool newTool() {
                    return new LockingTool(config, clock) {
                      @Override
                      boolean reachesThreshold() {
                        int threshold = latest().failureThreshold();
                        return threshold != 0 && consecutiveFailures >= threshold;
                      }
                    };
                  }

                  private Config latest() {
                    return config;
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "A new cooldown also applies to existing tools",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool newTool() {
                    return new LockingTool(config, clock) {
                      @Override
                      boolean cooldownElapsed(long now) {
                        return now - cooldownStartAt(now) >= latest().recoveryNanos();
                      }
                    };
                  }

                  private Config latest() {
                    return config;
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "A read fixes the configuration of a tool that is created later",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  private final Map<String, LockingTool> seen = new ConcurrentHashMap<>();

                  @Override
                  LockingTool findOrElseNew(String tool) {
                    LockingTool known = tools.get(tool);
                    return known != null ? known : seen(tool);
                  }

                  @Override
                  LockingTool findOrCreate(String tool) {
                    return tools.computeIfAbsent(tool, this::seen);
                  }

                  private LockingTool seen(String tool) {
                    return seen.computeIfAbsent(tool, name -> newTool());
                  }
                }),
        Fault.inRegistry(
                Rule.REG_4,
                "A configuration is set field by field, so racing callers can see a mixture",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public void configure(Config config) {
                        checked(config);
                        this.config =
                            new Config(
                                config.failureThreshold(),
                                this.config.recoveryNanos(),
                                this.config.probeTimeoutNanos());
                        Window.open();
                        this.config = config;
                      }
                    })
            .inRacesOnly(),
        Fault.inRegistry(
            Rule.REG_5,
            "The summary leaves out tools without outcomes",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public Map<String, SummaryEntry> healthSummary() {
                    Map<String, SummaryEntry> summary = super.healthSummary();
                    summary.keySet().removeIf(name -> statistics(name).total() == 0);
                    return summary;
                  }
                }),
        Fault.inTool(
            Rule.REG_5,
            "The status in the summary depends on the score even while OPEN",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized SummaryEntry summary() {
                    SummaryEntry entry = super.summary();
                    return state == CircuitState.OPEN && scoreIsAtLeast(5)
                        ? new SummaryEntry(HealthStatus.DEGRADED, entry.score())
                        : entry;
                  }
                }),
        Fault.inTool(
            Rule.REG_5,
            "The summary shows the success rate instead of the score",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized SummaryEntry summary() {
                    return new SummaryEntry(status(), successRate());
                  }
                }),
        Fault.inClaims(
                Rule.REG_6,
                "An implementation that reads the clock under a lock claims to be lock-free")
            .inRacesOnly());
  }
}
