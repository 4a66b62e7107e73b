package dev.toolhealth.tck.run;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.rules.RuleCheck;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.Examination;
import dev.toolhealth.tck.script.Exhaustive;
import dev.toolhealth.tck.script.Exploration;
import dev.toolhealth.tck.script.WMethod;
import dev.toolhealth.tck.script.Waits;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Runs single parts of the kit against an adapter, because the whole kit takes long. */
final class Judgement {
  private Judgement() {}

  /** Runs the checks and random scripts, and returns their departures in report order. */
  static List<Departure> withOneCaller(Adapter adapter, long seed, int scripts) {
    return withOneCaller(adapter, byHand(adapter), seed, scripts);
  }

  /** Runs random scripts, and adds the departures that the checks are known to find. */
  static List<Departure> withOneCaller(
      Adapter adapter, List<Departure> byHand, long seed, int scripts) {
    Examination examination = new Examination(adapter);
    Exploration.play(examination, seed, scripts);
    if (adapter.capabilities().contains(Capability.PERMITS)) {
      Exploration.playPermits(examination, seed, scripts);
    }
    return Stream.of(byHand, examination.departures())
        .flatMap(List::stream)
        .sorted(Departure.MOST_TELLING_FIRST)
        .toList();
  }

  /** Runs all scripts that are not random, and returns their departures in report order. */
  static List<Departure> byAllShortScripts(Adapter adapter) {
    Examination examination = new Examination(adapter);
    Exhaustive.play(examination);
    WMethod.play(examination);
    return examination.departures().stream().sorted(Departure.MOST_TELLING_FIRST).toList();
  }

  /** Runs the checks without races, and returns their departures in report order. */
  static List<Departure> byHand(Adapter adapter) {
    return by(adapter, check -> !check.racing());
  }

  /** Runs the races of one rule, and returns their departures in report order. */
  static List<Departure> inRaces(Adapter adapter, Rule rule) {
    return by(adapter, check -> check.racing() && check.rule() == rule);
  }

  private static List<Departure> by(Adapter adapter, Predicate<RuleCheck> selection) {
    return RuleCheck.all().stream()
        .filter(selection)
        .filter(check -> !check.onTheWallClock())
        .filter(check -> adapter.capabilities().containsAll(check.needs()))
        .flatMap(check -> check.run(adapter, Waits.DEFAULT).departures().stream())
        .sorted(Departure.MOST_TELLING_FIRST)
        .toList();
  }
}
