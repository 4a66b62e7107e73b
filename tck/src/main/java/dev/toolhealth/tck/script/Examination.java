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
 * Scripts played to a subject, and what went wrong. After every step every answer is held against
 * the model; then the same script is played once more without asking anything before its end, for
 * faults that looking would hide.
 */
public final class Examination {
  // Making scripts minimal takes hundreds of replays; by then a broken subject has shown enough.
  private static final int MAX_DEPARTURES = 12;

  private final Set<Capability> capabilities;
  private final Replay replay;
  private final Tally tally = new Tally();
  private final List<Departure> departures = new ArrayList<>();
  private long scripts;

  /**
   * Prepares an examination.
   *
   * @param adapter the subject's adapter; it needs {@link Capability#MANUAL_CLOCK}
   */
  public Examination(Adapter adapter) {
    this.capabilities = adapter.capabilities();
    this.replay = new Replay(adapter);
  }

  Set<Capability> capabilities() {
    return capabilities;
  }

  /**
   * Says whether the subject is broken beyond the need for more proof.
   *
   * @return true if no more scripts need be played
   */
  public boolean isOver() {
    return departures.size() >= MAX_DEPARTURES;
  }

  /**
   * Lists the departures, each with a minimal script.
   *
   * @return one for each script that went wrong, as far as they were pursued
   */
  public List<Departure> departures() {
    return List.copyOf(departures);
  }

  /**
   * Says how many answers each rule has decided.
   *
   * @return the counts
   */
  public Tally tally() {
    return tally;
  }

  /**
   * Says how many scripts were played.
   *
   * @return the number, those aside that were played to make others minimal
   */
  public long scripts() {
    return scripts;
  }

  /**
   * Plays a script, and makes it minimal by {@link #shorten} if something goes wrong.
   *
   * @param script the script
   */
  void play(Script script) {
    play(script, this::shorten);
  }

  /** Leaves out steps for as long as what remains still goes wrong. */
  Script shorten(Script script) {
    return script.shortened(this::stillDiffers);
  }

  /**
   * Plays a script.
   *
   * @param script the script
   * @param minimise makes it minimal if something goes wrong, by {@link #stillDiffers}
   */
  void play(Script script, UnaryOperator<Script> minimise) {
    scripts++;
    try {
      if (difference(script, tally).isPresent()) {
        Script minimal = minimise.apply(script);
        Difference difference = difference(minimal, new Tally()).orElseThrow();
        departures.add(Diagnosis.of(replay, minimal, difference));
      }
    } catch (Departure configurationRefused) {
      departures.add(configurationRefused);
    }
  }

  boolean stillDiffers(Script script) {
    try {
      return difference(script, new Tally()).isPresent();
    } catch (Departure configurationRefused) {
      return false;
    }
  }

  private Optional<Difference> difference(Script script, Tally counts) {
    Optional<Difference> difference = replay.run(script, Asking.ALWAYS, counts);
    return difference.isPresent() ? difference : replay.run(script, Asking.AT_THE_END, counts);
  }
}
