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

/** Faults in names and in what they lead to. */
final class RegistryFaults {
  private RegistryFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inRegistry(
            Rule.REG_1,
            "names are folded to lower case",
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
            "names are trimmed",
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
            "names are normalised",
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
            "names are told apart by their hash code",
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
            "names are cut to a thousand letters",
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
            "names are compared by identity",
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
            "the empty name is refused",
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
            "all tools but the first share one breaker",
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
            "two callers that meet a new name make two tools of it",
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
                }),
        Fault.inRegistry(
                Rule.REG_2,
                "the first outcome of a name is lost",
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
            "the gate does not bring the tool into being",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public boolean allowRequest(String tool) {
                    return toolToRead(tool).allowRequest();
                  }
                }),
        Fault.inRegistry(
            Rule.REG_2,
            "asking for a handle does not bring the tool into being",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public Handle handle(String tool) {
                    return tools.containsKey(tool) ? super.handle(tool) : newTool();
                  }
                }),
        Fault.inRegistry(
            Rule.REG_2,
            "a handle leads to a tool of its own",
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
            "a read creates the tool",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool findOrElseNew(String tool) {
                    return toolToChange(tool);
                  }
                }),
        Fault.inRegistry(
            Rule.REG_3,
            "routing creates the primary",
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
            "an unknown tool is not available",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public boolean isToolAvailable(String tool) {
                    return tools.containsKey(tool) && super.isToolAvailable(tool);
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "a configuration resets the tools that exist",
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
            "a new threshold applies to tools that exist",
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
            "a new cooldown applies to tools that exist",
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
            "a read freezes the configuration",
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
            "a configuration is set number by number",
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
                }),
        Fault.inRegistry(
            Rule.REG_5,
            "the summary leaves out tools without outcomes",
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
            "the summary goes by the score alone",
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
            "the summary shows the success rate for the score",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized SummaryEntry summary() {
                    return new SummaryEntry(status(), successRate());
                  }
                }),
        Fault.inClaims(
            Rule.REG_6, "a subject that locks while it reads the clock claims to be lock-free"));
  }
}
