package dev.toolhealth.tck.locking;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.SummaryEntry;
import dev.toolhealth.tck.spec.Rule;
import java.text.Normalizer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Faults in how tools are found, looked at, configured and chosen between. */
final class FindingFaults {
  private FindingFaults() {}

  static List<Fault> all() {
    return List.of(
        names(
            "names are cut at a hundred letters",
            tool -> tool.substring(0, Math.min(100, tool.length()))),
        names("a blank name is the empty one", tool -> tool.isBlank() ? "" : tool),
        names("blanks within a name are one blank", tool -> tool.replaceAll("[ ]+", " ")),
        names("line breaks are left out of names", tool -> tool.replaceAll("[\\r\\n]", "")),
        names("digits are left out of names", tool -> tool.replaceAll("[0-9]", "")),
        names(
            "a name ends at a colon",
            tool -> tool.substring(0, tool.indexOf(':') < 0 ? tool.length() : tool.indexOf(':'))),
        names(
            "a name begins after its last slash",
            tool -> tool.substring(tool.lastIndexOf('/') + 1)),
        names("a hyphen is an underscore", tool -> tool.replace('-', '_')),
        names("names go through UTF-8", tool -> new String(tool.getBytes(UTF_8), UTF_8)),
        names(
            "letters beyond ASCII are question marks",
            tool -> new String(tool.getBytes(US_ASCII), US_ASCII)),
        names(
            "characters that take two are left out",
            tool -> tool.replaceAll("[\\x{10000}-\\x{10ffff}]", "")),
        names(
            "compatible letters are one", tool -> Normalizer.normalize(tool, Normalizer.Form.NFKC)),
        names("the empty name is 'default'", tool -> tool.isEmpty() ? "default" : tool),
        Fault.inRegistry(
            Rule.REG_1,
            "the tool that was used last is known again by its hash code",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  private volatile Map.Entry<Integer, LockingTool> latest = Map.entry(0, newTool());

                  @Override
                  LockingTool findOrCreate(String tool) {
                    Map.Entry<Integer, LockingTool> last = latest;
                    if (last.getKey() == tool.hashCode() && !tools.isEmpty()) {
                      return last.getValue();
                    }
                    LockingTool found = super.findOrCreate(tool);
                    latest = Map.entry(tool.hashCode(), found);
                    return found;
                  }
                }),
        Fault.inRegistry(
                Rule.REG_1,
                "the oldest of more than a hundred tools is forgotten",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      private final Deque<String> oldest = new ArrayDeque<>();

                      @Override
                      synchronized LockingTool findOrCreate(String tool) {
                        if (!tools.containsKey(tool)) {
                          oldest.add(tool);
                        }
                        if (oldest.size() > 100) {
                          tools.remove(oldest.remove());
                        }
                        return super.findOrCreate(tool);
                      }
                    })
            .orUnder(Rule.REG_2, Rule.REG_5),
        Fault.inRegistry(
                Rule.REG_1,
                "all tools beyond a thousand share one",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      LockingTool findOrCreate(String tool) {
                        return super.findOrCreate(
                            tools.size() < 1_000 || tools.containsKey(tool) ? tool : "others");
                      }
                    })
            .orUnder(Rule.REG_5),
        Fault.inRegistry(
            Rule.REG_1,
            "all tools share one probe",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  private final AtomicReference<LockingTool> probing = new AtomicReference<>();

                  @Override
                  LockingTool newTool() {
                    return new LockingTool(config, clock) {
                      @Override
                      boolean mayProbe(long now) {
                        LockingTool other = probing.get();
                        boolean free =
                            other == null
                                || other == this
                                || other.stateAt(now) != CircuitState.HALF_OPEN;
                        return free && super.mayProbe(now);
                      }

                      @Override
                      void grantProbe(long now) {
                        super.grantProbe(now);
                        probing.set(this);
                      }
                    };
                  }
                }),
        Fault.inRegistry(
                Rule.REG_1,
                "fallbacks are found by the name in lower case",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public void setFallbacks(String primary, List<String> fallbacks) {
                        super.setFallbacks(primary.toLowerCase(Locale.ROOT), fallbacks);
                      }

                      @Override
                      List<String> availableFallbacks(String primary) {
                        return super.availableFallbacks(primary.toLowerCase(Locale.ROOT));
                      }
                    })
            .orUnder(Rule.ROUTE_5),
        Fault.inRegistry(
            Rule.REG_2,
            "a second handle leads to a tool of its own",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  private final Set<String> handed = ConcurrentHashMap.newKeySet();

                  @Override
                  public Handle handle(String tool) {
                    return handed.add(tool) ? super.handle(tool) : newTool();
                  }
                }),
        Fault.inRegistry(
                Rule.REG_2,
                "a handle remembers that it was let through",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public Handle handle(String tool) {
                        LockingTool found = toolToChange(tool);
                        return new HandleOn(found) {
                          private boolean passes;

                          @Override
                          public boolean allowRequest() {
                            if (!passes) {
                              passes =
                                  found.allowRequest()
                                      && found.circuitState() == CircuitState.CLOSED;
                              return passes || found.circuitState() == CircuitState.HALF_OPEN;
                            }
                            return true;
                          }

                          @Override
                          public void recordFailure(long nanos) {
                            passes = false;
                            found.recordFailure(nanos);
                          }
                        };
                      }
                    })
            .orUnder(Rule.BRK_3, Rule.BRK_6, Rule.BRK_8),
        Fault.inRegistry(
                Rule.BRK_7,
                "the gate of a handle only looks",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public Handle handle(String tool) {
                        LockingTool found = toolToChange(tool);
                        return new HandleOn(found) {
                          @Override
                          public boolean allowRequest() {
                            return found.isAvailable();
                          }
                        };
                      }
                    })
            .orUnder(Rule.BRK_8, Rule.REG_2),
        Fault.inRegistry(
                Rule.STAT_6,
                "a handle takes negative durations for positive",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public Handle handle(String tool) {
                        LockingTool found = toolToChange(tool);
                        return new HandleOn(found) {
                          @Override
                          public void recordSuccess(long nanos) {
                            found.recordSuccess(Math.abs(nanos));
                          }

                          @Override
                          public void recordFailure(long nanos) {
                            found.recordFailure(Math.abs(nanos));
                          }
                        };
                      }
                    })
            .orUnder(Rule.REG_2),
        Fault.inRegistry(
                Rule.BRK_4,
                "the breaker does not hear of successes by handle",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public Handle handle(String tool) {
                        LockingTool found = toolToChange(tool);
                        return new HandleOn(found) {
                          @Override
                          public void recordSuccess(long nanos) {
                            synchronized (found) {
                              found.countSuccess(nanos);
                            }
                          }
                        };
                      }
                    })
            .orUnder(Rule.BRK_9, Rule.BRK_2),
        Fault.inRegistry(
            Rule.REG_4,
            "a new lease applies to tools that exist",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool newTool() {
                    return new LockingTool(config, clock) {
                      @Override
                      boolean leaseElapsed(long now) {
                        return now - probeStart >= leaseNanos();
                      }

                      @Override
                      long leaseEnd() {
                        return probeStart + leaseNanos();
                      }
                    };
                  }

                  private long leaseNanos() {
                    return config.probeTimeoutNanos();
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "a configuration applies to tools without outcomes",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void configure(Config config) {
                    super.configure(config);
                    tools.replaceAll((name, tool) -> tool.total() == 0 ? newTool() : tool);
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "a tool takes its threshold at its first failure",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool newTool() {
                    return new LockingTool(config, clock) {
                      private int threshold = -1;

                      @Override
                      boolean reachesThreshold() {
                        threshold = threshold < 0 ? latestThreshold() : threshold;
                        return threshold != 0 && consecutiveFailures >= threshold;
                      }
                    };
                  }

                  private int latestThreshold() {
                    return config.failureThreshold();
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "of a new configuration only the threshold is taken",
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
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "a configuration applies from the second tool on that comes after it",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  private Config previous = config;

                  @Override
                  LockingTool findOrCreate(String tool) {
                    return tools.computeIfAbsent(
                        tool,
                        name -> {
                          LockingTool created = new LockingTool(previous, clock);
                          previous = config;
                          return created;
                        });
                  }
                }),
        Fault.inRegistry(
            Rule.REG_5,
            "the summary has a hundred tools at most",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public Map<String, SummaryEntry> healthSummary() {
                    Map<String, SummaryEntry> summary = super.healthSummary();
                    summary.keySet().retainAll(summary.keySet().stream().limit(100).toList());
                    return summary;
                  }
                }),
        Fault.inRegistry(
                Rule.REG_5,
                "the summary does not know case",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public Map<String, SummaryEntry> healthSummary() {
                        Map<String, SummaryEntry> summary =
                            new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
                        summary.putAll(super.healthSummary());
                        return summary;
                      }
                    })
            .orUnder(Rule.REG_1),
        Fault.inRegistry(
            Rule.REG_5,
            "the summary leaves out the empty name",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public Map<String, SummaryEntry> healthSummary() {
                    Map<String, SummaryEntry> summary = super.healthSummary();
                    summary.remove("");
                    return summary;
                  }
                }),
        Fault.inRegistry(
            Rule.REG_5,
            "the summary is made at an outcome, and kept till the next",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  private final AtomicReference<Map<String, SummaryEntry>> kept =
                      new AtomicReference<>(Map.of());

                  @Override
                  public void recordSuccess(String tool, long nanos) {
                    super.recordSuccess(tool, nanos);
                    kept.set(Map.of());
                  }

                  @Override
                  public void recordFailure(String tool, long nanos) {
                    super.recordFailure(tool, nanos);
                    kept.set(Map.of());
                  }

                  @Override
                  public Map<String, SummaryEntry> healthSummary() {
                    return kept.updateAndGet(
                        summary ->
                            summary.size() == tools.size() ? summary : super.healthSummary());
                  }
                }),
        Fault.inRegistry(
                Rule.ORACLE_2,
                "the summary forgets tools without outcomes",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public Map<String, SummaryEntry> healthSummary() {
                        tools.values().removeIf(tool -> tool.total() == 0);
                        return super.healthSummary();
                      }
                    })
            .orUnder(Rule.REG_5),
        Fault.inTool(
            Rule.ORACLE_1,
            "the oracle keeps its answer for an instant",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private long instant;
                  private @Nullable Boolean answer;

                  @Override
                  synchronized boolean isAvailable() {
                    long now = clock.getAsLong();
                    Boolean kept = answer;
                    if (kept == null || now != instant) {
                      kept = super.isAvailable();
                      answer = kept;
                      instant = now;
                    }
                    return kept;
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_2,
            "a look at a live probe renews its lease",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized CircuitState circuitState() {
                    CircuitState seen = super.circuitState();
                    if (seen == CircuitState.HALF_OPEN) {
                      probeStart = clock.getAsLong();
                    }
                    return seen;
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_2,
            "reading the counters resets the maximum",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized Statistics statistics() {
                    Statistics read = super.statistics();
                    durationMax = 0;
                    return read;
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_2,
            "asking for the status of an unhealthy tool trips it",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized HealthStatus status() {
                    HealthStatus status = super.status();
                    if (status == HealthStatus.UNHEALTHY
                        && state == CircuitState.CLOSED
                        && config.failureThreshold() > 0) {
                      open(clock.getAsLong());
                    }
                    return status;
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_1,
            "a primary that could be probed again is passed over",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    LockingTool tool = toolToRead(primary);
                    List<String> available = availableFallbacks(primary);
                    return tool.state == CircuitState.HALF_OPEN && !available.isEmpty()
                        ? available.get(0)
                        : super.route(primary);
                  }
                }),
        Fault.inRegistry(
                Rule.ROUTE_1,
                "a fallback that was chosen once is kept",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      private final Map<String, String> chosen = new ConcurrentHashMap<>();

                      @Override
                      public String route(String primary) {
                        String before = chosen.getOrDefault(primary, primary);
                        if (!before.equals(primary)
                            && circuitState(primary) != CircuitState.CLOSED
                            && isToolAvailable(before)) {
                          return before;
                        }
                        String route = super.route(primary);
                        chosen.put(primary, route);
                        return route;
                      }
                    })
            .orUnder(Rule.ROUTE_2, Rule.ROUTE_5),
        Fault.inRegistry(
            Rule.ROUTE_2,
            "the fallback with the best score is taken",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  List<String> availableFallbacks(String primary) {
                    return super.availableFallbacks(primary).stream()
                        .sorted(Comparator.comparing(this::score).reversed())
                        .toList();
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_2,
            "a fallback that nobody has used is passed over",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  List<String> availableFallbacks(String primary) {
                    return super.availableFallbacks(primary).stream()
                        .filter(tools::containsKey)
                        .toList();
                  }
                }),
        Fault.inRegistry(
                Rule.ROUTE_2,
                "only two fallbacks are tried",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      List<String> availableFallbacks(String primary) {
                        List<String> all = fallbacks.getOrDefault(primary, List.of());
                        return super.availableFallbacks(primary).stream()
                            .filter(all.subList(0, Math.min(2, all.size()))::contains)
                            .toList();
                      }
                    })
            .orUnder(Rule.ROUTE_3),
        Fault.inRegistry(
                Rule.ROUTE_2,
                "fallbacks take turns",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      private final AtomicInteger turn = new AtomicInteger();

                      @Override
                      List<String> availableFallbacks(String primary) {
                        List<String> available = new ArrayList<>(super.availableFallbacks(primary));
                        Collections.rotate(available, turn.getAndIncrement());
                        return available;
                      }
                    })
            .orUnder(Rule.ROUTE_3, Rule.ROUTE_5),
        Fault.inRegistry(
            Rule.ROUTE_3,
            "a fallback is available only while closed",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  List<String> availableFallbacks(String primary) {
                    return super.availableFallbacks(primary).stream()
                        .filter(fallback -> circuitState(fallback) == CircuitState.CLOSED)
                        .toList();
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_5,
            "routing takes a fallback's probe",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    String route = super.route(primary);
                    if (!route.equals(primary) && circuitState(route) == CircuitState.OPEN) {
                      allowRequest(route);
                    }
                    return route;
                  }
                }),
        Fault.inRegistry(
                Rule.ROUTE_5,
                "an empty list leaves the fallbacks as they were",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public void setFallbacks(String primary, List<String> fallbacks) {
                        if (!fallbacks.isEmpty()) {
                          super.setFallbacks(primary, fallbacks);
                        }
                      }
                    })
            .orUnder(Rule.BAD_1, Rule.ROUTE_4),
        Fault.inRegistry(
            Rule.BAD_1,
            "a configuration is checked number by number while it is set",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void configure(Config config) {
                    requireNonNegative("failureThreshold", config.failureThreshold());
                    this.config =
                        new Config(
                            config.failureThreshold(),
                            this.config.recoveryNanos(),
                            this.config.probeTimeoutNanos());
                    super.configure(config);
                  }
                }),
        Fault.inRegistry(
                Rule.BAD_1,
                "a refused configuration takes all tools with it",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public void configure(Config config) {
                        Map<String, LockingTool> before = new TreeMap<>(tools);
                        tools.clear();
                        super.configure(config);
                        tools.putAll(before);
                      }
                    })
            .orUnder(Rule.REG_4),
        Fault.inRegistry(
            Rule.BAD_1,
            "a null fallback is left out",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void setFallbacks(String primary, List<String> fallbacks) {
                    super.setFallbacks(
                        primary, fallbacks.stream().filter(Objects::nonNull).toList());
                  }
                }),
        Fault.inRegistry(
            Rule.BAD_1,
            "the score of null is one",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public double score(String tool) {
                    return tool == null ? 1.0 : super.score(tool);
                  }
                }),
        Fault.inRegistry(
            Rule.BAD_1,
            "the value of a bad lease is not in the message",
            (config, clock) -> {
              if (config.probeTimeoutNanos() < 0) {
                throw new IllegalArgumentException("probeTimeout must not be negative");
              }
              return new LockingRegistry(config, clock);
            }));
  }

  private static Fault names(String description, UnaryOperator<String> folded) {
    return Fault.inRegistry(
        Rule.REG_1,
        description,
        (config, clock) ->
            new LockingRegistry(config, clock) {
              @Override
              LockingTool findOrCreate(String tool) {
                return super.findOrCreate(folded.apply(tool));
              }

              @Override
              LockingTool findOrElseNew(String tool) {
                return super.findOrElseNew(folded.apply(tool));
              }
            });
  }
}
