package dev.toolhealth.tck.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts an implementation before the kit that runs in a process of its own. All registries live in
 * that one process; it is asked one thing at a time, whoever calls.
 *
 * <p>Once the process has failed, whatever is asked of it throws the same {@link ProcessFailure}.
 */
public final class ProcessAdapter implements Adapter, AutoCloseable {
  /** The version of the protocol that the kit speaks. */
  public static final int PROTOCOL = 1;

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int QUOTED = 200;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          // Half a surrogate pair is a name too (REG-1), and UTF-8 cannot tell it.
          .configure(JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature(), true)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final String command;
  private final Duration patience;
  private final Child child;
  private final Set<Capability> capabilities;
  private final Object turn = new Object();
  private long requests;
  private long registries;
  private long handles;
  private volatile @Nullable ProcessFailure failure;

  /**
   * Starts a process and waits for its greeting.
   *
   * @param command the program and its arguments, separated by white space; a word that has some is
   *     put in quotes. No shell reads it.
   * @throws IllegalArgumentException if the command cannot be run
   * @throws ProcessFailure if there is no greeting, or not the right one
   */
  public ProcessAdapter(String command) {
    this(command, PATIENCE, PATIENCE);
  }

  ProcessAdapter(String command, Duration patienceAtFirst, Duration patience) {
    this.command = command;
    this.patience = patience;
    this.child = new Child(Command.words(command));
    this.capabilities = greeting(patienceAtFirst);
  }

  private Set<Capability> greeting(Duration patienceAtFirst) {
    String line = receive(patienceAtFirst, "greeted");
    JsonNode greeting = parse(line);
    JsonNode protocol = greeting.path("protocol");
    if (!protocol.isInt() || protocol.intValue() != PROTOCOL) {
      throw failed("the kit speaks protocol " + PROTOCOL + ", the greeting was " + quoted(line));
    }
    if (!greeting.path("capabilities").isArray()) {
      throw failed("the greeting has no array of capabilities: " + quoted(line));
    }
    // The time comes with each request, so there is no other clock to look at.
    Set<Capability> claimed = EnumSet.of(Capability.MANUAL_CLOCK);
    for (JsonNode name : greeting.path("capabilities")) {
      claimed.add(capability(name.asText(), line));
    }
    if (claimed.contains(Capability.LOCK_FREE)) {
      throw failed("LOCK_FREE cannot be seen from outside, do not claim it: " + quoted(line));
    }
    return claimed;
  }

  private Capability capability(String name, String line) {
    try {
      return Capability.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw failed("there is no capability \"" + name + "\": " + quoted(line));
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.copyOf(capabilities);
  }

  @Override
  public Subject create(Config config, LongSupplier nanoClock) {
    long registry = nextRegistry();
    ask("create", registry, nanoClock, request -> put(request, config));
    return new ProcessSubject(this, registry, nanoClock);
  }

  static void put(ObjectNode request, Config config) {
    request
        .putObject("config")
        .put("failureThreshold", config.failureThreshold())
        .put("recoveryNanos", config.recoveryNanos())
        .put("probeTimeoutNanos", config.probeTimeoutNanos());
  }

  private long nextRegistry() {
    synchronized (turn) {
      return ++registries;
    }
  }

  long nextHandle() {
    synchronized (turn) {
      return ++handles;
    }
  }

  /**
   * Asks for one operation.
   *
   * @return the answer, as it stands in the reply
   * @throws NullPointerException if the process says that something must not be null
   * @throws IllegalArgumentException if it says that an argument is wrong
   * @throws IllegalStateException if it says that something else is wrong
   * @throws ProcessFailure if it does not keep to the protocol
   */
  JsonNode ask(String op, long registry, LongSupplier clock, Consumer<ObjectNode> arguments) {
    synchronized (turn) {
      throwIfFailed();
      long id = ++requests;
      ObjectNode request = JSON.createObjectNode().put("id", id).put("op", op);
      // The clock is read when it is this caller's turn: times must not fall in the order of turns.
      request.put("registry", registry).put("now", clock.getAsLong());
      arguments.accept(request);
      String sent = request(request);
      if (!child.send(sent)) {
        throw failed(ending() + " before it could be asked " + quoted(sent));
      }
      String line = receive(patience, "answered " + quoted(sent));
      JsonNode reply = parse(line);
      JsonNode answered = reply.path("id");
      if (!answered.isIntegralNumber() || answered.longValue() != id) {
        throw failed("the answer to " + quoted(sent) + " is out of turn: " + quoted(line));
      }
      if (reply.has("error")) {
        throw refusal(reply, line);
      }
      return reply.path("answer");
    }
  }

  private static String request(ObjectNode request) {
    try {
      return JSON.writeValueAsString(request);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a request cannot be written", e);
    }
  }

  /** What the subject threw, as far as the rules tell exceptions apart. */
  private RuntimeException refusal(JsonNode reply, String line) {
    String message = reply.path("error").asText();
    RuntimeException refusal =
        switch (reply.path("kind").asText()) {
          case "null" -> new NullPointerException(message);
          case "argument" -> new IllegalArgumentException(message);
          case "" -> new IllegalStateException(message);
          default -> throw failed("an error is of no kind that there is: " + quoted(line));
        };
    refusal.setStackTrace(new StackTraceElement[0]); // it would be the kit's own
    return refusal;
  }

  private String receive(Duration patience, String due) {
    Child.Line line = child.receive(patience);
    if (line == null) {
      throw failed("it has not " + due + " within " + patience.toMillis() + " ms");
    }
    if (line.isEnd()) {
      throw failed(ending() + " and has not " + due);
    }
    return line.text();
  }

  private String ending() {
    Integer exitCode = child.exitCode(patience);
    return exitCode == null ? "it closed its output" : "it ended with exit code " + exitCode;
  }

  private JsonNode parse(String line) {
    try {
      JsonNode node = JSON.readTree(line);
      if (node.isObject()) {
        return node;
      }
    } catch (JsonProcessingException e) {
      // Told below, without the parser's account of it.
    }
    throw failed("it printed a line that is not a JSON object: " + quoted(line));
  }

  private static String quoted(String line) {
    return line.length() <= QUOTED ? line : line.substring(0, QUOTED) + "...";
  }

  private ProcessFailure failed(String how) {
    ProcessFailure failed = new ProcessFailure("process " + command + ": " + how);
    failure = failed;
    child.kill();
    return failed;
  }

  /** Throws the failure, if the process has failed. */
  void throwIfFailed() {
    ProcessFailure failed = failure;
    if (failed != null) {
      throw failed;
    }
  }

  /**
   * Says whether a subject still answers, if it is a process. What has asked it may have taken a
   * failure for its answer.
   *
   * @param adapter the adapter of any subject
   * @throws ProcessFailure if it is one of a process that does not keep to the protocol
   */
  public static void requireSound(Adapter adapter) {
    if (adapter instanceof ProcessAdapter process) {
      process.throwIfFailed();
    }
  }

  boolean endsWithin(Duration patience) {
    return child.exitCode(patience) != null;
  }

  /** Ends the process. */
  @Override
  public void close() {
    child.end(patience);
  }

  @Override
  public String toString() {
    return "process " + command;
  }
}
