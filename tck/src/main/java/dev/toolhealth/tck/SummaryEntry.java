package dev.toolhealth.tck;

/**
 * One tool's entry in a summary (REG-5).
 *
 * @param status the status of the tool
 * @param score the score of the tool, 0 to 1
 */
public record SummaryEntry(HealthStatus status, double score) {}
