package dev.toolhealth.tck.run;

import dev.toolhealth.tck.spec.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Notes what a certification does and how long each part takes, and passes it on. */
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
   * Scripts that serve all rules.
   *
   * @param words how many were played, and which
   * @param time how long that took
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

  /** How many scripts had gone wrong when no more were played; 0 if all were. */
  int stoppedAfter() {
    return wrong;
  }

  /** Ends the last part. */
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

  /** How long a rule's own checks took. */
  Duration time(Rule of) {
    return times.getOrDefault(of, Duration.ZERO);
  }

  /** How long all took that was noted. */
  Duration total() {
    Duration total = times.values().stream().reduce(Duration.ZERO, Duration::plus);
    return accounts.stream().map(Account::time).reduce(total, Duration::plus);
  }

  List<Account> accounts() {
    return List.copyOf(accounts);
  }
}
