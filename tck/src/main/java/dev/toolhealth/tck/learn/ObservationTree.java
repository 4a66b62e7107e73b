package dev.toolhealth.tck.learn;

import dev.toolhealth.tck.script.Input;
import dev.toolhealth.tck.script.Observer;
import dev.toolhealth.tck.script.Output;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.automatalib.word.Word;
import net.automatalib.word.WordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A tree of all observations of a subject so far. The tree saves the learner from playing the same
 * inputs twice, and detects a subject that shows different outputs for the same inputs.
 */
final class ObservationTree {
  private final Observer observer;
  private final Node start;

  /** The output after a sequence of inputs, and the nodes of the sequences one input longer. */
  private static final class Node {
    private final Output output;
    private final Map<Input, Node> longer = new EnumMap<>(Input.class);

    Node(Output output) {
      this.output = output;
    }
  }

  ObservationTree(Observer observer) {
    this.observer = observer;
    this.start = new Node(observer.observe(Word.epsilon()).get(0));
  }

  Output start() {
    return start.output;
  }

  /** Returns the subject's output after each of the inputs. */
  Word<Output> outputs(Word<Input> inputs) {
    Word<Output> known = recall(inputs);
    return known != null ? known : observe(inputs);
  }

  private @Nullable Word<Output> recall(Word<Input> inputs) {
    WordBuilder<Output> outputs = new WordBuilder<>();
    Node node = start;
    for (Input input : inputs) {
      Node next = node.longer.get(input);
      if (next == null) {
        return null;
      }
      node = next;
      outputs.append(node.output);
    }
    return outputs.toWord();
  }

  private Word<Output> observe(Word<Input> inputs) {
    List<Output> outputs = observer.observe(inputs);
    requireSame(Word.epsilon(), start, outputs.get(0));
    Node node = start;
    for (int i = 0; i < inputs.length(); i++) {
      Output output = outputs.get(i + 1);
      node = node.longer.computeIfAbsent(inputs.getSymbol(i), input -> new Node(output));
      requireSame(inputs.prefix(i + 1), node, output);
    }
    return Word.fromList(outputs.subList(1, outputs.size()));
  }

  private void requireSame(Word<Input> inputs, Node node, Output output) {
    if (!Objects.equals(node.output, output)) {
      throw new Unlearnable(
          "The subject is not deterministic. The same inputs have led to different answers:\n\n"
              + Page.block(observer.difference(inputs, node.output, output)));
    }
  }
}
