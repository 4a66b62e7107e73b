package dev.toolhealth.tck.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ProcessAdapterTest {
  /** A timeout long enough for a process to start on any machine. */
  private static final Duration LONG = Duration.ofSeconds(30);

  /** A timeout for tests of hanging processes, which always wait for the whole timeout. */
  private static final Duration SHORT = Duration.ofMillis(200);

  private static final String ANSWER = "{\"id\": <id>, \"answer\": true}";

  private static ProcessAdapter started(String reply) {
    return new ProcessAdapter(FakeChild.command(FakeChild.GREETING, reply), LONG, LONG);
  }

  private static Subject registry(ProcessAdapter adapter) {
    return adapter.create(Config.DEFAULT, () -> 0);
  }

  @Test
  void asksAndIsAnswered() {
    try (ProcessAdapter adapter = started(ANSWER)) {
      assertThat(adapter.capabilities())
          .containsExactlyInAnyOrder(Capability.MANUAL_CLOCK, Capability.ORACLE);
      assertThat(registry(adapter).allowRequest("search")).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "die | ended with exit code 7 before the greeting",
        "Hello! | printed a line that is not a JSON object: Hello!",
        "[1] | printed a line that is not a JSON object: [1]",
        "{\"protocol\": 2} | the kit speaks protocol 1, but the greeting was {\"protocol\": 2}",
        "{\"capabilities\": []} | the kit speaks protocol 1, but the greeting was {\"capabilities\": []}",
        "{\"protocol\": 1} | the greeting has no \"capabilities\" array: {\"protocol\": 1}",
        "{\"protocol\": 1, \"capabilities\": [\"FLYING\"]} | unknown capability \"FLYING\" in the greeting",
        "{\"protocol\": 1, \"capabilities\": [\"LOCK_FREE\"]} | a process cannot claim LOCK_FREE",
      })
  void aWrongGreetingIsTold(String greeting, String told) {
    String command = FakeChild.command(greeting, ANSWER);
    assertThatExceptionOfType(ProcessFailure.class)
        .isThrownBy(() -> new ProcessAdapter(command, LONG, LONG))
        .withMessageStartingWith("process " + command + ": ")
        .withMessageContaining(told);
  }

  @Test
  void aGreetingThatDoesNotComeIsTold() {
    String command = FakeChild.command(FakeChild.HANG, ANSWER);
    assertThatExceptionOfType(ProcessFailure.class)
        .isThrownBy(() -> new ProcessAdapter(command, SHORT, LONG))
        .withMessageContaining("the greeting did not arrive within 200 ms");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "die | ended with exit code 7 before the answer to {\"id\":1,\"op\":\"create\",",
        "oops | printed a line that is not a JSON object: oops",
        "{\"id\": <id>} {} | printed a line that is not a JSON object: {\"id\": 1} {}",
        "{\"id\": 5<id>} | }}, got {\"id\": 51}",
        "{\"answer\": true} | }}, got {\"answer\": true}",
        "{\"id\": <id>, \"error\": \"e\", \"kind\": \"odd\"} | unknown kind of error: {",
      })
  void aWrongReplyIsTold(String reply, String told) {
    try (ProcessAdapter adapter = started(reply)) {
      assertFails(() -> registry(adapter), told);
      // Later calls fail as well, and report the first failure.
      assertFails(() -> registry(adapter), told);
      assertFails(adapter::throwIfFailed, told);
    }
  }

  @Test
  void aSecondReplyIsOutOfTurn() {
    try (ProcessAdapter adapter = started(ANSWER + "\n" + ANSWER)) {
      Subject registry = registry(adapter);
      assertFails(() -> registry.allowRequest("a"), ", got {\"id\": 1, \"answer\": true}");
    }
  }

  @Test
  void aReplyThatDoesNotComeIsTold() {
    String command = FakeChild.command(FakeChild.GREETING, FakeChild.HANG);
    try (ProcessAdapter adapter = new ProcessAdapter(command, LONG, SHORT)) {
      assertFails(
          () -> registry(adapter), ": the answer to {\"id\":1,\"op\":\"create\",\"registry\":1");
      assertThat(adapter.endsWithin(LONG)).isTrue();
    }
  }

  private static void assertFails(ThrowingCallable call, String told) {
    assertThatExceptionOfType(ProcessFailure.class)
        .isThrownBy(call)
        .withMessageContaining(told)
        .satisfies(failure -> assertThat(failure.getStackTrace()).isEmpty());
  }

  @Test
  void errorsAreThrownByTheirKind() {
    String error = "{\"id\": <id>, \"error\": \"no tool\"%s}";
    try (ProcessAdapter adapter = started(error.formatted(", \"kind\": \"null\""))) {
      assertThatNullPointerException().isThrownBy(() -> registry(adapter)).withMessage("no tool");
    }
    try (ProcessAdapter adapter = started(error.formatted(", \"kind\": \"argument\""))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> registry(adapter))
          .withMessage("no tool");
    }
    try (ProcessAdapter adapter = started(error.formatted(""))) {
      assertThatIllegalStateException().isThrownBy(() -> registry(adapter)).withMessage("no tool");
    }
  }

  /** The implementation fails the test then, and the report shows the script. */
  @Test
  void anAnswerOfTheWrongTypeIsNoFailureOfTheProcess() {
    try (ProcessAdapter adapter = started("{\"id\": <id>, \"answer\": 9223372036854775808}")) {
      Subject registry = registry(adapter);
      assertWrongType(() -> registry.allowRequest("a"), "true or false");
      assertWrongType(() -> registry.ewma("a"), "a 64-bit integer");
      assertWrongType(() -> registry.circuitState("a"), "a CircuitState");
      assertWrongType(() -> registry.route("a"), "a name");
      adapter.throwIfFailed();
    }
  }

  private static void assertWrongType(ThrowingCallable call, String expected) {
    assertThatIllegalStateException()
        .isThrownBy(call)
        .withMessage("expected " + expected + ", but the process answered 9223372036854775808");
  }

  /** Otherwise the next call would read the answer to the interrupted call. */
  @Test
  void anInterruptedCallerWaitsForItsAnswer() {
    try (ProcessAdapter adapter = started(ANSWER)) {
      Thread.currentThread().interrupt();
      Subject registry = registry(adapter);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(registry.allowRequest("a")).isTrue();
    }
  }

  @Test
  void theProcessEndsWithTheAdapter() {
    ProcessAdapter willing = started(ANSWER);
    willing.close();
    assertThat(willing.endsWithin(LONG)).isTrue();
  }

  /** The process does not read its input, so closing the input does not end it. */
  @Test
  void aProcessThatHangsEndsWithTheAdapter() {
    String command = FakeChild.command(FakeChild.GREETING + "\n" + FakeChild.HANG, ANSWER);
    ProcessAdapter deaf = new ProcessAdapter(command, LONG, SHORT);
    deaf.close();
    assertThat(deaf.endsWithin(LONG)).isTrue();
  }
}
