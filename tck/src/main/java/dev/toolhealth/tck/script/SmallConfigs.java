package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import java.util.ArrayList;
import java.util.List;

/** The smallest configurations that reveal mistakes. */
final class SmallConfigs {
  private SmallConfigs() {}

  /**
   * Returns configurations with a lease equal to the cooldown, shorter, longer, and without a
   * lease; and configurations without a cooldown.
   *
   * @param unit half the cooldown in nanoseconds
   */
  static List<Config> of(long unit) {
    List<Config> configs = new ArrayList<>();
    for (int threshold : new int[] {1, 2, 0}) {
      for (long lease : new long[] {2, 1, 3, 0}) {
        configs.add(new Config(threshold, 2 * unit, lease * unit));
      }
      configs.add(new Config(threshold, 0, 2 * unit));
      configs.add(new Config(threshold, 0, 0));
    }
    return configs;
  }
}
