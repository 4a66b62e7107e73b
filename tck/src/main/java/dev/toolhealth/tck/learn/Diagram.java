package dev.toolhealth.tck.learn;

import dev.toolhealth.tck.script.Input;
import dev.toolhealth.tck.script.Machine;
import dev.toolhealth.tck.script.Output;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.automatalib.automaton.transducer.impl.CompactMealy;

/**
 * A drawing of a machine as a Mermaid flowchart. The name of a state says how the tool looks in the
 * state. If several states in a row look the same, the name adds the inputs since the first such
 * state, as in "OPEN, 1 tick". Inputs that change nothing are not drawn. Inputs that lead from the
 * same source to the same target share an arrow.
 */
final class Diagram {
  private static final String GRANTED = "grants a call";
  private static final String REFUSED = "refuses";

  private final Machine machine;
  private final CompactMealy<Input, Output> mealy;
  private final List<Look> looks = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private Diagram(Machine machine) {
    this.machine = machine;
    this.mealy = machine.mealy();
    nameStates();
  }

  static String of(Machine machine) {
    return new Diagram(machine).draw();
  }

  /** The look of a state: the oracle's answer, the breaker's state, and the gate's next answer. */
  private record Look(String available, String state, String gate) {

    String name() {
      String name = state.equals(Output.NONE) ? gate : state;
      boolean granted = gate.equals(GRANTED);
      if (name.equals("CLOSED")) {
        name += granted ? "" : ", " + gate;
      } else if (name.equals("OPEN")) {
        name += granted ? ", cooled down" : gate.equals(REFUSED) ? "" : ", " + gate;
      } else if (name.equals("HALF_OPEN")) {
        name += gate.equals(REFUSED) ? "" : ", " + gate;
      }
      String oracle = Boolean.toString(granted);
      return available.equals(Output.NONE) || available.equals(oracle)
          ? name
          : name + ", oracle says " + available;
    }
  }

  // A breadth-first search has numbered the states. A state has a larger number than the state from
  // which the search first reached it.

  private void nameStates() {
    Map<String, Integer> uses = new HashMap<>();
    List<Map<Input, Integer>> paths = new ArrayList<>();
    for (int i = 0; i < machine.size(); i++) {
      looks.add(look(i, machine.start()));
      paths.add(Map.of());
      names.add("");
    }
    name(0, looks.get(0), Map.of(), uses);
    int reached = 1;
    for (int from = 0; from < machine.size(); from++) {
      for (Input input : Input.values()) {
        int to = successor(from, input);
        if (to == reached) {
          reached++;
          Look look = look(to, output(from, input));
          looks.set(to, look);
          paths.set(to, look.equals(looks.get(from)) ? plus(paths.get(from), input) : Map.of());
          name(to, look, paths.get(to), uses);
        }
      }
    }
  }

  private Look look(int state, Output shown) {
    return new Look(
        shown.available(),
        shown.state(),
        switch (output(state, Input.GATE).answer()) {
          case "true" -> GRANTED;
          case "false" -> REFUSED;
          default -> "gate " + output(state, Input.GATE).answer();
        });
  }

  private static Map<Input, Integer> plus(Map<Input, Integer> path, Input input) {
    Map<Input, Integer> longer = new EnumMap<>(Input.class);
    longer.putAll(path);
    longer.merge(input, 1, Integer::sum);
    return longer;
  }

  private void name(int state, Look look, Map<Input, Integer> path, Map<String, Integer> uses) {
    StringBuilder name = new StringBuilder(look.name());
    path.forEach((input, times) -> name.append(", ").append(count(times, input)));
    int same = uses.merge(name.toString(), 1, Integer::sum);
    names.set(state, same == 1 ? name.toString() : name + " (" + same + ")");
  }

  private static String count(int times, Input input) {
    String one =
        switch (input) {
          case GATE -> "gate call";
          case SUCCESS, FAILURE, TICK -> word(input);
        };
    return times + " " + one + (times == 1 ? "" : input == Input.SUCCESS ? "es" : "s");
  }

  private static String word(Input input) {
    return switch (input) {
      case GATE -> "gate";
      case SUCCESS -> "success";
      case FAILURE -> "failure";
      case TICK -> "tick";
    };
  }

  private int successor(int from, Input input) {
    return Objects.requireNonNull(mealy.getSuccessor((Integer) from, input));
  }

  private Output output(int from, Input input) {
    return Objects.requireNonNull(mealy.getOutput((Integer) from, input));
  }

  private String draw() {
    StringBuilder drawing = new StringBuilder("```mermaid\nflowchart TD\n");
    for (int i = 0; i < machine.size(); i++) {
      drawing.append("  s%d([\"%s\"])\n".formatted(i, text(names.get(i))));
    }
    for (int from = 0; from < machine.size(); from++) {
      Map<Integer, List<String>> arrows = new LinkedHashMap<>();
      for (Input input : Input.values()) {
        int to = successor(from, input);
        String label = label(from, input, to);
        if (to != from || !label.equals(word(input))) {
          arrows.computeIfAbsent(to, state -> new ArrayList<>()).add(label);
        }
      }
      int source = from;
      arrows.forEach(
          (to, labels) ->
              drawing.append(
                  "  s%d -- \"%s\" --> s%d\n"
                      .formatted(source, text(String.join(" or ", labels)), to)));
    }
    return drawing.append("```\n").toString();
  }

  /** Returns the input, and everything that the names of the two states do not already show. */
  private String label(int from, Input input, int to) {
    Output output = output(from, input);
    String label = word(input);
    if (input == Input.GATE) {
      if (from != to) {
        label += ": " + answer(output);
      }
    } else if (!output.answer().equals("done")) {
      label += ": " + output.answer();
    }
    Look shown = new Look(output.available(), output.state(), looks.get(to).gate());
    return shown.equals(looks.get(to)) ? label : label + " (shows: " + shown.name() + ")";
  }

  private static String answer(Output output) {
    return switch (output.answer()) {
      case "true" -> "granted";
      case "false" -> "refused";
      default -> output.answer();
    };
  }

  /** Escapes a text: in Mermaid, quotes end a text, angle brackets are tags, and # escapes. */
  private static String text(String text) {
    return text.replace("#", "#35;")
        .replace("&", "#amp;")
        .replace("\"", "#quot;")
        .replace("<", "#lt;")
        .replace(">", "#gt;")
        .replace("\n", " ");
  }
}
