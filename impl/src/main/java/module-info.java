/**
 * Health tracking and circuit breaking for the tools that an agent calls.
 *
 * <p>Needs nothing at run time but {@code java.base}; the nullness annotations are only for
 * compilers.
 */
module dev.toolhealth {
  requires static org.jspecify;

  exports dev.toolhealth;
}
