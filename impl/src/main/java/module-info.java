/**
 * Health tracking and circuit breaking for the tools that an agent calls.
 *
 * <p>At run time, this module needs only {@code java.base}. The nullness annotations are for
 * compilers. Without {@code jdk.jfr}, there are no events in flight recordings.
 */
module dev.toolhealth {
  requires static jdk.jfr;
  requires static org.jspecify;

  exports dev.toolhealth;
  exports dev.toolhealth.dispatch;
}
