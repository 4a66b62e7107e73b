package dev.toolhealth.tck.spec;

/**
 * The rules that the kit checks. {@code docs/spec.md} has the same sentences, with reasons; a test
 * compares the two. An id never changes its meaning and is never reused.
 */
public enum Rule {
  /** STAT-1. */
  STAT_1(
      Chapter.STAT,
      "Every outcome is counted exactly once, as a success or as a failure, and the total "
          + "is the sum of both counts."),
  /** STAT-2. */
  STAT_2(Chapter.STAT, "The success rate is successes divided by total, and 1.0 with no outcomes."),
  /** STAT-3. */
  STAT_3(
      Chapter.STAT,
      "The durations of all outcomes, including failures, are summed; the sum saturates at "
          + "the largest value instead of wrapping."),
  /** STAT-4. */
  STAT_4(
      Chapter.STAT,
      "The average duration is the sum divided by the total, rounded down, and zero with no "
          + "outcomes."),
  /** STAT-5. */
  STAT_5(
      Chapter.STAT,
      "The maximum duration is the largest duration of any outcome, including failures, and "
          + "zero with no outcomes."),
  /** STAT-6. */
  STAT_6(
      Chapter.STAT,
      "A negative duration counts as zero, and a duration beyond the nanosecond range "
          + "counts as the largest value; the outcome still counts."),
  /** STAT-7. */
  STAT_7(
      Chapter.STAT,
      "Outcomes are counted in every state of the breaker, including outcomes that the "
          + "breaker ignores."),
  /** SCORE-1. */
  SCORE_1(
      Chapter.SCORE,
      "The EWMA of success is an integer from 0 to 1 000 000, and a new tool starts at 1 000 000."),
  /** SCORE-2. */
  SCORE_2(
      Chapter.SCORE,
      "Each outcome moves the EWMA to (7 x EWMA + 3 x sample) / 10, rounded down; the "
          + "sample is 1 000 000 for a success and 0 for a failure."),
  /** SCORE-3. */
  SCORE_3(
      Chapter.SCORE,
      "The score is 0.3 x success rate + 0.7 x EWMA, with the EWMA as a fraction of "
          + "1 000 000; the score lies within 0 and 1."),
  /** SCORE-4. */
  SCORE_4(
      Chapter.SCORE,
      "The status is HEALTHY from a score of 0.8, DEGRADED from 0.5 and UNHEALTHY below; "
          + "both bounds are inclusive, and classification uses exact integer arithmetic."),
  /** SCORE-5. */
  SCORE_5(
      Chapter.SCORE,
      "While the breaker is open the status is UNHEALTHY, whatever the score; an expired "
          + "probe counts as open, a live probe does not."),
  /** SCORE-6. */
  SCORE_6(Chapter.SCORE, "Durations never change the EWMA, the score or the status."),
  /** SCORE-7. */
  SCORE_7(Chapter.SCORE, "The score never refuses a call; only the breaker does."),
  /** BRK-1. */
  BRK_1(
      Chapter.BRK,
      "A new breaker is CLOSED with no consecutive failures, and CLOSED admits every call."),
  /** BRK-2. */
  BRK_2(
      Chapter.BRK,
      "Each failure adds one to the consecutive failures, in every state; a success that "
          + "the breaker does not ignore resets them to zero."),
  /** BRK-3. */
  BRK_3(
      Chapter.BRK,
      "CLOSED becomes OPEN when a failure brings the consecutive failures to the threshold, "
          + "and the cooldown starts at that failure."),
  /** BRK-4. */
  BRK_4(Chapter.BRK, "A success in CLOSED resets the consecutive failures to zero."),
  /** BRK-5. */
  BRK_5(Chapter.BRK, "A threshold of 0 disables tripping; failures are still counted."),
  /** BRK-6. */
  BRK_6(
      Chapter.BRK,
      "OPEN refuses every call until the recovery duration has elapsed since the start of "
          + "the cooldown."),
  /** BRK-7. */
  BRK_7(
      Chapter.BRK,
      "The first gate call once the cooldown has elapsed is granted the probe and makes the "
          + "breaker HALF_OPEN; time alone never does."),
  /** BRK-8. */
  BRK_8(
      Chapter.BRK,
      "HALF_OPEN with a live probe refuses every other call; under any contention, one "
          + "cooldown grants one probe."),
  /** BRK-9. */
  BRK_9(Chapter.BRK, "A success in HALF_OPEN with a live probe makes the breaker CLOSED."),
  /** BRK-10. */
  BRK_10(
      Chapter.BRK,
      "A failure in HALF_OPEN with a live probe makes the breaker OPEN, with a new cooldown "
          + "from that failure."),
  /** BRK-11. */
  BRK_11(Chapter.BRK, "With a recovery duration of 0 the probe can be granted at once."),
  /** BRK-12. */
  BRK_12(
      Chapter.BRK,
      "Every further round of trip, probe and recovery or relapse behaves like the first."),
  /** LEASE-1. */
  LEASE_1(
      Chapter.LEASE,
      "A probe is live until the probe timeout has elapsed since its grant; from then on "
          + "the breaker is OPEN in every respect, with a cooldown that starts at the lease's "
          + "end, no matter when or by whom the expiry is noticed."),
  /** LEASE-2. */
  LEASE_2(
      Chapter.LEASE,
      "After the lease has expired, gate calls are refused until the cooldown has elapsed "
          + "since the lease's end, and the next gate call is granted a new probe."),
  /** LEASE-3. */
  LEASE_3(Chapter.LEASE, "A new probe has a new lease, which starts at the new probe's grant."),
  /** LEASE-4. */
  LEASE_4(
      Chapter.LEASE,
      "A probe timeout of 0 disables the lease: the probe stays live until a result arrives."),
  /** LEASE-5. */
  LEASE_5(Chapter.LEASE, "Reads of the state show an expired probe as OPEN."),
  /** STALE-1. */
  STALE_1(
      Chapter.STALE,
      "A success in OPEN is ignored by the breaker: no transition, no reset, no change of "
          + "the cooldown."),
  /** STALE-2. */
  STALE_2(Chapter.STALE, "A failure in OPEN restarts the cooldown from that failure."),
  /** STALE-3. */
  STALE_3(
      Chapter.STALE,
      "A success after the probe's lease has expired does not close the breaker, which has "
          + "been OPEN since the lease's end."),
  /** STALE-4. */
  STALE_4(
      Chapter.STALE,
      "A failure after the probe's lease has expired restarts the cooldown from that failure."),
  /** STALE-5. */
  STALE_5(Chapter.STALE, "The start of the cooldown never moves backwards."),
  /** ORACLE-1. */
  ORACLE_1(
      Chapter.ORACLE,
      "isToolAvailable answers what allowRequest would answer at that instant, in every state."),
  /** ORACLE-2. */
  ORACLE_2(
      Chapter.ORACLE,
      "No read changes anything, however often it is repeated: reads take no probe and "
          + "change no state, count, statistic or registered name."),
  /** ORACLE-3. */
  ORACLE_3(
      Chapter.ORACLE,
      "The score plays no part in the oracle: a closed breaker is available whatever the score."),
  /** REG-1. */
  REG_1(
      Chapter.REG,
      "Tools are independent of each other; names are compared exactly, and any non-null "
          + "string is a name."),
  /** REG-2. */
  REG_2(
      Chapter.REG,
      "A tool is created at its first outcome, at its first gate call or when its handle is "
          + "requested, exactly once under any race; no outcome is lost in the race."),
  /** REG-3. */
  REG_3(Chapter.REG, "A read of an unknown name answers as for a new tool and creates nothing."),
  /** REG-4. */
  REG_4(
      Chapter.REG,
      "A configuration applies to breakers created after it is set; existing breakers keep "
          + "theirs."),
  /** REG-5. */
  REG_5(Chapter.REG, "The summary lists every tool with its status and score."),
  /** REG-6. */
  REG_6(Chapter.REG, "Once a name is known, recording and asking never wait for another thread."),
  /** ROUTE-1. */
  ROUTE_1(Chapter.ROUTE, "The route is the primary if the primary is available."),
  /** ROUTE-2. */
  ROUTE_2(
      Chapter.ROUTE,
      "Otherwise the route is the first fallback, in order, that is available and not UNHEALTHY."),
  /** ROUTE-3. */
  ROUTE_3(Chapter.ROUTE, "Otherwise the route is the first fallback that is available at all."),
  /** ROUTE-4. */
  ROUTE_4(Chapter.ROUTE, "Otherwise the route is the primary, whose refusal the caller handles."),
  /** ROUTE-5. */
  ROUTE_5(
      Chapter.ROUTE,
      "Routing only reads and takes no probe; setting the fallbacks of a primary again "
          + "replaces them."),
  /** BAD-1. */
  BAD_1(
      Chapter.BAD,
      "A null name is refused with a NullPointerException that names the argument, and a "
          + "negative number in a configuration with an IllegalArgumentException that names the "
          + "field and the value; nothing has changed when the exception is thrown."),
  /** BAD-2. */
  BAD_2(
      Chapter.BAD,
      "Durations of any size, clocks of any origin and clocks that pass the largest value "
          + "all work."),
  /** CONC-1. */
  CONC_1(
      Chapter.CONC,
      "All operations on one breaker are linearizable: each takes effect at one instant "
          + "between its call and its return."),
  /** CONC-2. */
  CONC_2(
      Chapter.CONC,
      "Once all calls have returned, every count, the sum and the maximum are exact, and "
          + "the EWMA is the result of some order of the outcomes in which a call that returned "
          + "before another began comes first; a counter read during writes lies between its "
          + "values at the beginning and the end of the read."),
  /** CONC-3. */
  CONC_3(Chapter.CONC, "A thread that stops anywhere never keeps another from finishing."),
  /** PERMIT-1. */
  PERMIT_1(
      Chapter.PERMIT,
      "A request for a permit decides exactly as the gate does; a refused permit states how "
          + "long it takes, at the latest, until a probe can be granted."),
  /** PERMIT-2. */
  PERMIT_2(
      Chapter.PERMIT,
      "Only the live probe's own permit decides HALF_OPEN; every other result that arrives "
          + "in HALF_OPEN is counted in the statistics and ignored by the breaker."),
  /** PERMIT-3. */
  PERMIT_3(
      Chapter.PERMIT,
      "In CLOSED, a result whose permit was granted before the breaker was last OPEN is "
          + "counted in the statistics and ignored by the breaker; in OPEN, results with a permit "
          + "are treated like results without a permit."),
  /** PERMIT-4. */
  PERMIT_4(
      Chapter.PERMIT,
      "Cancelling a permit counts nothing; cancelling the live probe's permit makes the "
          + "breaker OPEN with its cooldown elapsed, and cancelling any other permit changes "
          + "nothing."),
  /** PERMIT-5. */
  PERMIT_5(
      Chapter.PERMIT,
      "A permit reports once, and a second report changes nothing; closing a permit that "
          + "has not reported cancels it.");

  private final Chapter chapter;
  private final String sentence;

  Rule(Chapter chapter, String sentence) {
    this.chapter = chapter;
    this.sentence = sentence;
  }

  /**
   * Returns the rule's id in the specification.
   *
   * @return the id, such as BRK-3
   */
  public String id() {
    return name().replace('_', '-');
  }

  /**
   * Returns the rule's chapter.
   *
   * @return the chapter, whose name begins the id
   */
  public Chapter chapter() {
    return chapter;
  }

  /**
   * Returns the normative sentence, word for word as in the specification.
   *
   * @return the normative sentence
   */
  public String sentence() {
    return sentence;
  }

  /**
   * Returns the rule with an id.
   *
   * @param id the id, in upper or lower case
   * @return the rule
   * @throws IllegalArgumentException if no rule has that id
   */
  public static Rule of(String id) {
    for (Rule rule : values()) {
      if (rule.id().equalsIgnoreCase(id)) {
        return rule;
      }
    }
    throw new IllegalArgumentException("no rule " + id + ": ids look like BRK-3, see --list");
  }

  @Override
  public String toString() {
    return id();
  }

  /** The chapters of the specification. */
  public enum Chapter {
    /** Statistics. */
    STAT("Statistics"),
    /** Score and status. */
    SCORE("Score and status"),
    /** Circuit breaker. */
    BRK("Circuit breaker"),
    /** Probe lease. */
    LEASE("Probe lease"),
    /** Stale results. */
    STALE("Stale results"),
    /** Oracle. */
    ORACLE("Oracle"),
    /** Registry. */
    REG("Registry"),
    /** Routing. */
    ROUTE("Routing"),
    /** Bad input. */
    BAD("Bad input"),
    /** Concurrency. */
    CONC("Concurrency"),
    /** Permits. */
    PERMIT("Permits");

    private final String title;

    Chapter(String title) {
      this.title = title;
    }

    /**
     * Returns the chapter's title.
     *
     * @return the title
     */
    public String title() {
      return title;
    }
  }
}
