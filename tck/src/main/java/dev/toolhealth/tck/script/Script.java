package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Everything that is needed to do the same again: the configuration that the registry is created
 * with, what the clock shows then, and what is done.
 */
record Script(Config config, long clockStart, List<Step> steps) {

  Script {
    steps = List.copyOf(steps);
  }

  Script first(int length) {
    return new Script(config, clockStart, steps.subList(0, length));
  }

  Script then(Step step) {
    List<Step> longer = new ArrayList<>(steps);
    longer.add(step);
    return new Script(config, clockStart, longer);
  }

  Script without(int index) {
    List<Step> fewer = new ArrayList<>(steps);
    fewer.remove(index);
    return new Script(config, clockStart, fewer);
  }

  Script startingAt(long start) {
    return new Script(config, start, steps);
  }

  Set<String> tools() {
    Set<String> tools = new TreeSet<>();
    steps.forEach(step -> tools.addAll(step.tools()));
    return tools;
  }
}
