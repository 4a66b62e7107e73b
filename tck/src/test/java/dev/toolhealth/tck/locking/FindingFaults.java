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

/** More faulty lookups by name, handles, configurations, reads and routing. */
final class FindingFaults {
  private FindingFaults() {}

  static List<Fault> all() {
    return List.of(
        names(
            "Names are cut off after 100 characters",
            tool -> tool.substring(0, Math.min(100, tool.length()))),
        names("Blank names are treated as the empty name", tool -> tool.isBlank() ? "" : tool),
        names("Several spaces in a name are treated as one", tool -> tool.replaceAll("[ ]+", " ")),
        names("Line breaks are removed from names", tool -> tool.replaceAll("[\\r\\n]", "")),
        names("Digits are removed from names", tool -> tool.replaceAll("[0-9]", "")),
        names(
            "Names are cut off at the first colon",
            tool -> tool.substring(0, tool.indexOf(':') < 0 ? tool.length() : tool.indexOf(':'))),
        names(
            "Everything up to the last slash is removed from names",
            tool -> tool.substring(tool.lastIndexOf('/') + 1)),
        names("Hyphens in names are replaced by underscores", tool -> tool.replace('-', '_')),
        names(
            "Names are converted to UTF-8 and back",
            tool -> new String(tool.getBytes(UTF_8), UTF_8)),
        names(
            "Characters outside ASCII in names are replaced by question marks",
            tool -> new String(tool.getBytes(US_ASCII), US_ASCII)),
        names(
            "Characters that need a surrogate pair are removed from names",
            tool -> tool.replaceAll("[\\x{10000}-\\x{10ffff}]", "")),
        names(
            "Names are normalized to NFKC",
            tool -> Normalizer.normalize(tool, Normalizer.Form.NFKC)),
        names("The empty name is replaced by 'default'", tool -> tool.isEmpty() ? "default" : tool),
        Fault.inRegistry(
            Rule.REG_1,
            "A name gets the last used tool if the hash codes are equal",
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
                "The oldest tool is removed once there are more than a hundred",
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
                "All names beyond the first thousand share one tool",
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
            "Only one tool at a time can have a live probe",
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
                "The primary's name is converted to lower case to find its fallbacks",
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
            "The second handle for a name works on a tool of its own",
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
                "A handle admitted while CLOSED is always admitted until it records a failure",
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
                "The gate of a handle answers like the oracle and never takes the probe",
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
                "A handle replaces negative durations by their absolute values",
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
                "A success recorded by handle is counted but not applied to the breaker",
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
            "A new probe timeout also applies to existing tools",
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
            "A new configuration also applies to existing tools without outcomes",
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
            "A tool gets its threshold at its first failure instead of its creation",
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
            "Only the threshold of a new configuration takes effect",
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
            "A new configuration does not apply to the first tool created after it",
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
            "The summary lists at most a hundred tools",
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
                "The summary merges names that differ only in case",
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
            "The summary leaves out the empty name",
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
            "The summary is cached until the next outcome recorded by name",
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
                "Reading the summary removes tools without outcomes",
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
            "The oracle caches its answer as long as the clock stands still",
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
            "Reading the state of a live probe renews its lease",
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
            "Reading the statistics resets the maximum",
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
            "Reading the status of an UNHEALTHY tool trips its breaker",
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
            "Routing skips a primary whose probe has expired even if it is available",
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
                "Routing keeps a chosen fallback until the primary is CLOSED",
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
            "Routing chooses the fallback with the best score instead of the first",
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
            "Routing skips fallbacks that have never been used",
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
                "Routing tries only the first two fallbacks",
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
                "Routing rotates the available fallbacks",
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
            "Routing treats a fallback as available only while it is CLOSED",
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
            "Routing takes the probe of a fallback that it chooses",
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
                "Setting an empty list does not replace the fallbacks",
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
            "The threshold of a refused configuration takes effect",
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
                "A refused configuration removes all tools",
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
            "A null fallback is skipped instead of refused",
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
            "Reading the score of a null name returns 1 instead of throwing",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public double score(String tool) {
                    return tool == null ? 1.0 : super.score(tool);
                  }
                }),
        Fault.inRegistry(
            Rule.BAD_1,
            "The exception for a negative probe timeout does not state the value",
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
