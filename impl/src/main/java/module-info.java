/**
 * Health tracking and circuit breaking for the tools that an agent calls.
 *
 * <p>Needs nothing at run time but {@code java.base}; the nullness annotations are only for
 * compilers, and where there is no {@code jdk.jfr} there are no events for flight recordings.
 */
module dev.toolhealth {
  requires static jdk.jfr;
  requires static org.jspecify;

  exports dev.toolhealth;
}
