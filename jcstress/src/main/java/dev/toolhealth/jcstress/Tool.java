package dev.toolhealth.jcstress;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.reference.ReferenceAdapter;

/**
 * What a race is about: one tool of a fresh subject, and the clock that it goes by. A question that
 * the subject has no capability for fails with a message that says so.
 */
final class Tool {
  static final int THRESHOLD = 3;
  private static final long RECOVERY = 100;
  static final long LEASE = 10;

  private static final Adapter ADAPTER = subjectsAdapter();
  private static final String NAME = "tool";

  /** Starts late, so that a time in the subject that was never set looks long past. */
  private long now = 1000;

  private final Subject subject;

  private Tool() {
    subject = ADAPTER.create(new Config(THRESHOLD, RECOVERY, LEASE), () -> now);
  }

  private static Adapter subjectsAdapter() {
    String name = System.getProperty("toolhealth.subject", ReferenceAdapter.class.getName());
    Adapter adapter = Adapters.load(name, Tool.class.getClassLoader());
    if (!adapter.capabilities().contains(Capability.MANUAL_CLOCK)) {
      throw new IllegalArgumentException(name + " cannot race: it has no MANUAL_CLOCK");
    }
    return adapter;
  }

  /** A tool that nobody has seen before. */
  static Tool unseen() {
    return new Tool();
  }

  /** A tool that has failed so many times in a row. */
  static Tool failed(int times) {
    return unseen().fail(times);
  }

  private Tool fail(int times) {
    for (int i = 0; i < times; i++) {
      recordFailure(0);
    }
    return this;
  }

  /** A tool whose cooldown has just elapsed: the next caller gets the probe. */
  static Tool cooledDown() {
    return unseen().tripped();
  }

  /** This tool, with a trip, and its cooldown just elapsed. */
  Tool tripped() {
    fail(THRESHOLD).pass(RECOVERY);
    return this;
  }

  /** This tool, whose probe did not come back, and its cooldown just elapsed again. */
  Tool afterLostProbe() {
    pass(LEASE + RECOVERY);
    return this;
  }

  /** A tool whose probe has just been granted. */
  static Tool probed() {
    Tool tool = cooledDown();
    tool.allowRequest();
    return tool;
  }

  /** A tool whose probe never came back, and whose cooldown has just elapsed again. */
  static Tool withLostProbe() {
    return probed().afterLostProbe();
  }

  /** Moves the clock, which stands still otherwise. */
  void pass(long nanos) {
    now += nanos;
  }

  boolean allowRequest() {
    return subject.allowRequest(NAME);
  }

  Permit tryAcquire() {
    return subject.tryAcquire(NAME);
  }

  void recordSuccess(long nanos) {
    subject.recordSuccess(NAME, nanos);
  }

  void recordFailure(long nanos) {
    subject.recordFailure(NAME, nanos);
  }

  boolean isToolAvailable() {
    return subject.isToolAvailable(NAME);
  }

  CircuitState circuitState() {
    return subject.circuitState(NAME);
  }

  long consecutiveFailures() {
    return subject.consecutiveFailures(NAME);
  }

  Statistics statistics() {
    return subject.statistics(NAME);
  }

  long ewma() {
    return subject.ewma(NAME);
  }

  long toolCount() {
    return subject.toolCount();
  }
}
