package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.script.Replay.Asking;
import dev.toolhealth.tck.script.Replay.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A run of scripts against one subject, and the departures found. The examination plays each script
 * twice. The first time it asks all questions after every step and compares the answers with the
 * model. The second time, the examination asks only at the end, because reads can hide mistakes.
 */
public final class Examination {
  // Minimizing a script takes hundreds of replays. These departures are enough to see the mistake.
  private static final int MAX_DEPARTURES = 12;

  private final Set<Capability> capabilities;
  private final Replay replay;
  private final CaseCount caseCount = new CaseCount();
  private final List<Departure> departures = new ArrayList<>();
  private long scripts;

  /**
   * Creates an examination.
   *
   * @param adapter the subject's adapter, with {@link Capability#MANUAL_CLOCK}
   */
  public Examination(Adapter adapter) {
    this.capabilities = adapter.capabilities();
    this.replay = new Replay(adapter);
  }

  Set<Capability> capabilities() {
    return capabilities;
  }

  /**
   * Returns whether the subject has departed from the rules so often that more scripts are useless.
   *
   * @return true if no more scripts should be played
   */
  public boolean isOver() {
    return departures.size() >= MAX_DEPARTURES;
  }

  /**
   * Returns the departures, each with a minimal script.
   *
   * @return one departure for each failed script
   */
  public List<Departure> departures() {
    return List.copyOf(departures);
  }

  /**
   * Returns the number of checked answers for each rule.
   *
   * @return the counts
   */
  public CaseCount caseCount() {
    return caseCount;
  }

  /**
   * Returns the number of scripts that were played.
   *
   * @return the number, without the scripts that were played to minimize another script
   */
  public long scripts() {
    return scripts;
  }

  /**
   * Plays a script, and minimizes the script with {@link #shorten} if something goes wrong.
   *
   * @param script the script
   */
  void play(Script script) {
    play(script, this::shorten);
  }

  /** Removes steps as long as the shorter script still goes wrong. */
  Script shorten(Script script) {
    return script.shortened(this::stillDiffers);
  }

  /**
   * Plays a script.
   *
   * @param script the script
   * @param minimise minimizes the script if something goes wrong, with {@link #stillDiffers}
   */
  void play(Script script, UnaryOperator<Script> minimise) {
    scripts++;
    try {
      if (difference(script, caseCount).isPresent()) {
        Script minimal = minimise.apply(script);
        Difference difference = difference(minimal, new CaseCount()).orElseThrow();
        departures.add(Diagnosis.of(replay, minimal, difference));
      }
    } catch (Departure configurationRefused) {
      departures.add(configurationRefused);
    }
  }

  boolean stillDiffers(Script script) {
    try {
      return difference(script, new CaseCount()).isPresent();
    } catch (Departure configurationRefused) {
      return false;
    }
  }

  private Optional<Difference> difference(Script script, CaseCount counts) {
    Optional<Difference> difference = replay.run(script, Asking.ALWAYS, counts);
    return difference.isPresent() ? difference : replay.run(script, Asking.AT_THE_END, counts);
  }
}
