package dev.toolhealth.tck.run;

import dev.toolhealth.tck.spec.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A listener that times each part of a certification and forwards every event. */
final class Journal implements Progress {
  private final LongSupplier nanoClock;
  private final Progress next;
  private final Map<Rule, Duration> times = new EnumMap<>(Rule.class);
  private final List<Account> accounts = new ArrayList<>();
  private @Nullable Rule rule;
  private long since;
  private int wrong;

  Journal(LongSupplier nanoClock, Progress next) {
    this.nanoClock = nanoClock;
    this.next = next;
    this.since = nanoClock.getAsLong();
  }

  /**
   * One kind of script that was played for all rules.
   *
   * @param words the number and kind of the scripts
   * @param time the time taken
   */
  record Account(String words, Duration time) {}

  @Override
  public void checking(Rule begun) {
    close();
    rule = begun;
    next.checking(begun);
  }

  @Override
  public void playing(String scripts) {
    close();
    next.playing(scripts);
  }

  @Override
  public void played(String account) {
    accounts.add(new Account(account, lap()));
    next.played(account);
  }

  @Override
  public void stopped(int scripts) {
    wrong = scripts;
    next.stopped(scripts);
  }

  /** Returns the number of failed scripts at which the kit stopped; 0 if all were played. */
  int stoppedAfter() {
    return wrong;
  }

  /** Ends the part that is being timed. */
  void close() {
    Duration lap = lap();
    if (rule != null) {
      times.put(rule, lap);
      rule = null;
    }
  }

  private Duration lap() {
    long now = nanoClock.getAsLong();
    long nanos = now - since;
    since = now;
    return Duration.ofNanos(nanos);
  }

  /** Returns the time taken by a rule's own checks. */
  Duration time(Rule of) {
    return times.getOrDefault(of, Duration.ZERO);
  }

  /** Returns the total time of all parts. */
  Duration total() {
    Duration total = times.values().stream().reduce(Duration.ZERO, Duration::plus);
    return accounts.stream().map(Account::time).reduce(total, Duration::plus);
  }

  List<Account> accounts() {
    return List.copyOf(accounts);
  }
}
