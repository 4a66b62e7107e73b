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
 * All that a subject has shown so far, so that nothing is asked twice, and that it is noticed when
 * the same inputs show something else.
 */
final class Notes {
  private final Observer observer;
  private final Note start;

  /** What was shown after some inputs, and after longer sequences that begin with them. */
  private static final class Note {
    private final Output output;
    private final Map<Input, Note> longer = new EnumMap<>(Input.class);

    Note(Output output) {
      this.output = output;
    }
  }

  Notes(Observer observer) {
    this.observer = observer;
    this.start = new Note(observer.observe(Word.epsilon()).get(0));
  }

  Output start() {
    return start.output;
  }

  /** What the subject shows after each of the inputs. */
  Word<Output> outputs(Word<Input> inputs) {
    Word<Output> known = recall(inputs);
    return known != null ? known : observe(inputs);
  }

  private @Nullable Word<Output> recall(Word<Input> inputs) {
    WordBuilder<Output> outputs = new WordBuilder<>();
    Note note = start;
    for (Input input : inputs) {
      Note next = note.longer.get(input);
      if (next == null) {
        return null;
      }
      note = next;
      outputs.append(note.output);
    }
    return outputs.toWord();
  }

  private Word<Output> observe(Word<Input> inputs) {
    List<Output> outputs = observer.observe(inputs);
    requireSame(Word.epsilon(), start, outputs.get(0));
    Note note = start;
    for (int i = 0; i < inputs.length(); i++) {
      Output output = outputs.get(i + 1);
      note = note.longer.computeIfAbsent(inputs.getSymbol(i), input -> new Note(output));
      requireSame(inputs.prefix(i + 1), note, output);
    }
    return Word.fromList(outputs.subList(1, outputs.size()));
  }

  private void requireSame(Word<Input> inputs, Note note, Output output) {
    if (!Objects.equals(note.output, output)) {
      throw new Unlearnable(
          "It does not always show the same:\n\n"
              + Page.block(observer.difference(inputs, note.output, output)));
    }
  }
}
