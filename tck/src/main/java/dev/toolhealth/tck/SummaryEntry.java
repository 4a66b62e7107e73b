package dev.toolhealth.tck;

/**
 * What a summary says of one tool (REG-5).
 *
 * @param status its status
 * @param score its score, 0 to 1
 */
public record SummaryEntry(HealthStatus status, double score) {}
