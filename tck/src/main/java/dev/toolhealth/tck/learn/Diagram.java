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
 * A machine drawn as a Mermaid flowchart. States are named by what is seen there and by how they
 * are reached from where that was seen first. Inputs that change nothing are not drawn, and those
 * that lead from one state to the same other one share an arrow.
 */
final class Diagram {
  private static final String GRANTED = "grants a call";
  private static final String REFUSED = "refuses";

  private final Machine machine;
  private final CompactMealy<Input, Output> mealy;
  private final List<Sight> sights = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private Diagram(Machine machine) {
    this.machine = machine;
    this.mealy = machine.mealy();
    look();
  }

  static String of(Machine machine) {
    return new Diagram(machine).draw();
  }

  /**
   * What is seen in a state: what it last showed, and whether the gate would let a call through.
   */
  private record Sight(String available, String state, String gate) {

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

  // States are numbered in the order in which they are reached, so parents come before children.

  private void look() {
    Map<String, Integer> namesakes = new HashMap<>();
    List<Map<Input, Integer>> ways = new ArrayList<>();
    for (int i = 0; i < machine.size(); i++) {
      sights.add(sight(i, machine.start()));
      ways.add(Map.of());
      names.add("");
    }
    name(0, sights.get(0), Map.of(), namesakes);
    int reached = 1;
    for (int from = 0; from < machine.size(); from++) {
      for (Input input : Input.values()) {
        int to = successor(from, input);
        if (to == reached) {
          reached++;
          Sight sight = sight(to, output(from, input));
          sights.set(to, sight);
          ways.set(to, sight.equals(sights.get(from)) ? plus(ways.get(from), input) : Map.of());
          name(to, sight, ways.get(to), namesakes);
        }
      }
    }
  }

  private Sight sight(int state, Output shown) {
    return new Sight(
        shown.available(),
        shown.state(),
        switch (output(state, Input.GATE).answer()) {
          case "true" -> GRANTED;
          case "false" -> REFUSED;
          default -> "gate " + output(state, Input.GATE).answer();
        });
  }

  private static Map<Input, Integer> plus(Map<Input, Integer> way, Input input) {
    Map<Input, Integer> longer = new EnumMap<>(Input.class);
    longer.putAll(way);
    longer.merge(input, 1, Integer::sum);
    return longer;
  }

  private void name(
      int state, Sight sight, Map<Input, Integer> way, Map<String, Integer> namesakes) {
    StringBuilder name = new StringBuilder(sight.name());
    way.forEach((input, times) -> name.append(", ").append(count(times, input)));
    int same = namesakes.merge(name.toString(), 1, Integer::sum);
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

  /** The input, with what is not to be expected of it from the names of the states alone. */
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
    Sight shown = new Sight(output.available(), output.state(), sights.get(to).gate());
    return shown.equals(sights.get(to)) ? label : label + " (seen: " + shown.name() + ")";
  }

  private static String answer(Output output) {
    return switch (output.answer()) {
      case "true" -> "granted";
      case "false" -> "refused";
      default -> output.answer();
    };
  }

  /** In Mermaid a quote ends the text, angle brackets are tags, and a number sign escapes. */
  private static String text(String text) {
    return text.replace("#", "#35;")
        .replace("&", "#amp;")
        .replace("\"", "#quot;")
        .replace("<", "#lt;")
        .replace(">", "#gt;")
        .replace("\n", " ");
  }
}
