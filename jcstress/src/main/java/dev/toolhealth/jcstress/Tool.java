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
 * One tool of a fresh subject, with its own manual clock. A call without the needed capability
 * fails with a message that names the capability.
 */
final class Tool {
  static final int THRESHOLD = 3;
  private static final long RECOVERY = 100;
  static final long LEASE = 10;

  private static final Adapter ADAPTER = subjectsAdapter();
  private static final String NAME = "tool";

  /** Starts well after 0, so a time the subject never set looks long past. */
  private long now = 1000;

  private final Subject subject;

  private Tool() {
    subject = ADAPTER.create(new Config(THRESHOLD, RECOVERY, LEASE), () -> now);
  }

  private static Adapter subjectsAdapter() {
    String name = System.getProperty("toolhealth.subject", ReferenceAdapter.class.getName());
    Adapter adapter = Adapters.load(name, Tool.class.getClassLoader());
    if (!adapter.capabilities().contains(Capability.MANUAL_CLOCK)) {
      throw new IllegalArgumentException(
          name + " cannot be raced: it does not declare MANUAL_CLOCK");
    }
    return adapter;
  }

  /** Returns an unknown tool. */
  static Tool unseen() {
    return new Tool();
  }

  /** Returns a tool that has failed the given number of times in a row. */
  static Tool failed(int times) {
    return unseen().fail(times);
  }

  private Tool fail(int times) {
    for (int i = 0; i < times; i++) {
      recordFailure(0);
    }
    return this;
  }

  /** Returns a tool whose cooldown has just elapsed: the next caller gets the probe. */
  static Tool cooledDown() {
    return unseen().tripped();
  }

  /** Trips the tool and lets the cooldown elapse. */
  Tool tripped() {
    fail(THRESHOLD).pass(RECOVERY);
    return this;
  }

  /** Lets the lease of a lost probe elapse, and then the cooldown. */
  Tool afterLostProbe() {
    pass(LEASE + RECOVERY);
    return this;
  }

  /** Returns a tool whose probe has just been granted. */
  static Tool probed() {
    Tool tool = cooledDown();
    tool.allowRequest();
    return tool;
  }

  /** Returns a tool whose probe never reported, and whose next cooldown has just elapsed. */
  static Tool withLostProbe() {
    return probed().afterLostProbe();
  }

  /** Advances the clock. Nothing else moves it. */
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
