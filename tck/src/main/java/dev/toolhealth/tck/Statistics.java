package dev.toolhealth.tck;

/**
 * The counters of one tool.
 *
 * @param successes how many calls succeeded (STAT-1)
 * @param failures how many calls failed (STAT-1)
 * @param total all of them (STAT-1)
 * @param successRate what part succeeded, 0 to 1 (STAT-2)
 * @param durationSumNanos how long they took together (STAT-3)
 * @param averageDurationNanos how long they took on average (STAT-4)
 * @param maxDurationNanos how long the longest took (STAT-5)
 */
public record Statistics(
    long successes,
    long failures,
    long total,
    double successRate,
    long durationSumNanos,
    long averageDurationNanos,
    long maxDurationNanos) {}
