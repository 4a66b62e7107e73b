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
 * The adapter of an implementation that runs in a process of its own. All registries live in this
 * one process, which receives one request at a time, even if several threads call.
 *
 * <p>After the process has failed, every request throws the same {@link ProcessFailure}. Adapter
 * and subjects are thread-safe.
 */
public final class ProcessAdapter implements Adapter, AutoCloseable {
  /** The version of the protocol that the kit speaks. */
  public static final int PROTOCOL = 1;

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int QUOTED = 200;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          // Half a surrogate pair is a valid name (REG-1), but UTF-8 cannot encode it.
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
   * Starts a process and waits up to 10 seconds for the greeting.
   *
   * @param command the program and its arguments, separated by white space; quotes keep white space
   *     in a word. No shell is involved.
   * @throws IllegalArgumentException if the command cannot be run
   * @throws ProcessFailure if the greeting is missing or wrong
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
    String line = receive(patienceAtFirst, "the greeting");
    JsonNode greeting = parse(line);
    JsonNode protocol = greeting.path("protocol");
    if (!protocol.isInt() || protocol.intValue() != PROTOCOL) {
      throw failed(
          "the kit speaks protocol " + PROTOCOL + ", but the greeting was " + quoted(line));
    }
    if (!greeting.path("capabilities").isArray()) {
      throw failed("the greeting has no \"capabilities\" array: " + quoted(line));
    }
    // Each request carries the time, so the process needs no other clock.
    Set<Capability> claimed = EnumSet.of(Capability.MANUAL_CLOCK);
    for (JsonNode name : greeting.path("capabilities")) {
      claimed.add(capability(name.asText(), line));
    }
    if (claimed.contains(Capability.LOCK_FREE)) {
      throw failed(
          "a process cannot claim LOCK_FREE, which the kit cannot check from outside: "
              + quoted(line));
    }
    return claimed;
  }

  private Capability capability(String name, String line) {
    try {
      return Capability.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw failed("unknown capability \"" + name + "\" in the greeting: " + quoted(line));
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
   * Sends one request and waits for the reply.
   *
   * @return the answer in the reply
   * @throws NullPointerException if the process reports an error of kind "null"
   * @throws IllegalArgumentException if the process reports an error of kind "argument"
   * @throws IllegalStateException if the process reports an error without a kind
   * @throws ProcessFailure if the process breaks the protocol
   */
  JsonNode ask(String op, long registry, LongSupplier clock, Consumer<ObjectNode> arguments) {
    synchronized (turn) {
      throwIfFailed();
      long id = ++requests;
      ObjectNode request = JSON.createObjectNode().put("id", id).put("op", op);
      // Read the clock only when it is this caller's turn, so that times never decrease from one
      // request to the next.
      request.put("registry", registry).put("now", clock.getAsLong());
      arguments.accept(request);
      String sent = request(request);
      if (!child.send(sent)) {
        throw failed(ending() + " before the kit could send " + quoted(sent));
      }
      String line = receive(patience, "the answer to " + quoted(sent));
      JsonNode reply = parse(line);
      JsonNode answered = reply.path("id");
      if (!answered.isIntegralNumber() || answered.longValue() != id) {
        throw failed("expected the answer to " + quoted(sent) + ", got " + quoted(line));
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

  /** Returns the exception that the subject reports, as far as the rules distinguish exceptions. */
  private RuntimeException refusal(JsonNode reply, String line) {
    String message = reply.path("error").asText();
    RuntimeException refusal =
        switch (reply.path("kind").asText()) {
          case "null" -> new NullPointerException(message);
          case "argument" -> new IllegalArgumentException(message);
          case "" -> new IllegalStateException(message);
          default -> throw failed("unknown kind of error: " + quoted(line));
        };
    refusal.setStackTrace(new StackTraceElement[0]); // the stack would be the kit's own
    return refusal;
  }

  private String receive(Duration patience, String due) {
    Child.Line line = child.receive(patience);
    if (line == null) {
      throw failed(due + " did not arrive within " + patience.toMillis() + " ms");
    }
    if (line.isEnd()) {
      throw failed(ending() + " before " + due);
    }
    return line.text();
  }

  private String ending() {
    Integer exitCode = child.exitCode(patience);
    return exitCode == null ? "closed its output" : "ended with exit code " + exitCode;
  }

  private JsonNode parse(String line) {
    try {
      JsonNode node = JSON.readTree(line);
      if (node.isObject()) {
        return node;
      }
    } catch (JsonProcessingException e) {
      // Reported below, without the parser's message.
    }
    throw failed("printed a line that is not a JSON object: " + quoted(line));
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

  /** Throws the failure if the process has failed. */
  void throwIfFailed() {
    ProcessFailure failed = failure;
    if (failed != null) {
      throw failed;
    }
  }

  /**
   * Throws if the subject is a process that has failed. A check may have caught the exception of a
   * failed request and taken it for an answer, so the kit calls this method after each part of a
   * run.
   *
   * @param adapter the adapter of any subject
   * @throws ProcessFailure if the process has failed
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
