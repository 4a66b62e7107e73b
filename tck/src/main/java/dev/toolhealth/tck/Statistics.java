package dev.toolhealth.tck;

/**
 * The counters of one tool at one time. While other threads record, the kit compares no counter
 * with another, so an implementation may read them one after the other (CONC-2).
 *
 * @param successes the number of successes (STAT-1)
 * @param failures the number of failures (STAT-1)
 * @param total the number of outcomes: successes plus failures (STAT-1)
 * @param successRate the successes divided by the total, 0 to 1; 1 without outcomes (STAT-2)
 * @param durationSumNanos the sum of all durations in nanoseconds, {@link Long#MAX_VALUE} at most
 *     (STAT-3)
 * @param averageDurationNanos the average duration in nanoseconds, rounded down; 0 without outcomes
 *     (STAT-4)
 * @param maxDurationNanos the longest duration in nanoseconds; 0 without outcomes (STAT-5)
 */
public record Statistics(
    long successes,
    long failures,
    long total,
    double successRate,
    long durationSumNanos,
    long averageDurationNanos,
    long maxDurationNanos) {}
