package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import java.util.ArrayList;
import java.util.List;

/** The smallest configurations that tell. */
final class SmallConfigs {
  private SmallConfigs() {}

  /**
   * Lists leases shorter than the cooldown, equal to it, longer, and none; and no cooldown at all.
   *
   * @param unit half a cooldown
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
