package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.locking.PermitAdapter;
import dev.toolhealth.tck.locking.UnusualSubject;
import dev.toolhealth.tck.script.Examination;
import dev.toolhealth.tck.script.Exploration;
import dev.toolhealth.tck.spec.Rule;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit must pass every correct implementation, however unusual. */
class UnusualSubjectsTest {

  private static final Map<Capability, Set<String>> METHODS =
      Map.of(
          Capability.ORACLE, Set.of("isToolAvailable"),
          Capability.CIRCUIT_STATE, Set.of("circuitState"),
          Capability.CONSECUTIVE_FAILURES, Set.of("consecutiveFailures"),
          Capability.STATISTICS, Set.of("statistics"),
          Capability.SCORE, Set.of("ewma", "score", "healthStatus"),
          Capability.SUMMARY, Set.of("toolCount"),
          Capability.RECONFIGURATION, Set.of("configure"),
          Capability.ROUTING, Set.of("setFallbacks", "route"),
          Capability.HANDLES, Set.of("handle"),
          Capability.PERMITS, Set.of("tryAcquire"));

  static List<UnusualSubject> subjects() {
    return UnusualSubject.all();
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void isNotAccusedByOneCaller(UnusualSubject subject) {
    assertThat(Judgement.withOneCaller(subject.adapter(), 1, 1_000)).isEmpty();
    assertThat(Judgement.byAllShortScripts(subject.adapter())).isEmpty();
  }

  /** Races the implementation least like the locking implementation under contention. */
  @Test
  void isNotAccusedInRaces() {
    UnusualSubject swapping =
        subjects().stream()
            .filter(s -> s.description().contains("swaps"))
            .findFirst()
            .orElseThrow();
    assertThat(new Certification(swapping.adapter(), Certification.DEFAULT_SEED).run())
        .filteredOn(result -> result.outcome() == Outcome.FAILED)
        .isEmpty();
  }

  /** Returns every single capability, and every set without one or two capabilities. */
  static List<Set<Capability>> claims() {
    Set<Capability> all = new LockingAdapter().capabilities();
    List<Set<Capability>> claims = new ArrayList<>();
    for (Capability one : all) {
      claims.add(EnumSet.of(one));
      for (Capability other : all) {
        if (one.compareTo(other) <= 0) {
          Set<Capability> most = EnumSet.copyOf(all);
          most.remove(one);
          most.remove(other);
          claims.add(most);
        }
      }
    }
    return claims;
  }

  @ParameterizedTest
  @MethodSource("claims")
  void whatIsNotClaimedIsNotAsked(Set<Capability> capabilities) {
    Adapter adapter = claiming(capabilities);
    assertThat(Judgement.byHand(adapter)).isEmpty();
    if (capabilities.contains(Capability.MANUAL_CLOCK)) {
      Examination examination = new Examination(adapter);
      Exploration.play(examination, 1, 100);
      assertThat(examination.departures()).isEmpty();
    }
  }

  /** A subject may lack the methods of capabilities that it does not claim. */
  @ParameterizedTest
  @EnumSource
  void undeclaredMethodsAreNeverCalled(Capability capability) {
    Set<Capability> capabilities = EnumSet.of(Capability.MANUAL_CLOCK, capability);
    assertThat(Judgement.byHand(lackingAllBut(capabilities))).isEmpty();
  }

  /** The same in races, where every check runs in which the core is enough. */
  @Test
  void undeclaredMethodsAreNeverCalledInRaces() {
    Adapter core = lackingAllBut(EnumSet.of(Capability.MANUAL_CLOCK));
    assertThat(Rule.values())
        .allSatisfy(rule -> assertThat(Judgement.inRaces(core, rule)).isEmpty());
  }

  /** Throws from the methods of all other capabilities, as the default methods do. */
  private static Adapter lackingAllBut(Set<Capability> capabilities) {
    Set<String> offered = new HashSet<>(Set.of("allowRequest", "recordSuccess", "recordFailure"));
    METHODS.forEach(
        (capability, names) -> {
          if (capabilities.contains(capability)) {
            offered.addAll(names);
          }
        });
    return new Adapter() {
      @Override
      public Set<Capability> capabilities() {
        return Set.copyOf(capabilities);
      }

      @Override
      public Subject create(Config config, LongSupplier nanoClock) {
        Subject whole = new PermitAdapter().create(config, nanoClock);
        return (Subject)
            Proxy.newProxyInstance(
                Subject.class.getClassLoader(),
                new Class<?>[] {Subject.class},
                (proxy, method, arguments) -> {
                  if (!offered.contains(method.getName())) {
                    throw new UnsupportedOperationException(method.getName());
                  }
                  try {
                    return method.invoke(whole, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
      }
    };
  }

  private static Adapter claiming(Set<Capability> capabilities) {
    return new Adapter() {
      @Override
      public Set<Capability> capabilities() {
        return Set.copyOf(capabilities);
      }

      @Override
      public Subject create(Config config, LongSupplier nanoClock) {
        return new LockingAdapter().create(config, nanoClock);
      }
    };
  }
}
