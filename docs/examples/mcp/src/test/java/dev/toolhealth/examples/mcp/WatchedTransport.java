package dev.toolhealth.examples.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** A transport that runs {@link ToolServer} as a process and lets a test wait for its messages. */
final class WatchedTransport extends StdioClientTransport {
  private final Semaphore hanging = new Semaphore(0);
  private final Semaphore sent = new Semaphore(0);
  private final Semaphore late = new Semaphore(0);
  private volatile String user = "";

  WatchedTransport() {
    super(
        ServerParameters.builder(Path.of(System.getProperty("java.home"), "bin", "java").toString())
            .args(
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ToolServer.class.getName())
            .build(),
        McpJsonDefaults.getMapper());
    setStdErrorHandler(
        line -> {
          if (line.equals("hanging")) {
            hanging.release();
          }
        });
  }

  @Override
  public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> client) {
    return super.connect(messages -> client.apply(messages).doOnNext(this::handled));
  }

  private void handled(JSONRPCMessage message) {
    if (message instanceof JSONRPCResponse response
        && String.valueOf(response.result()).contains("found late")) {
      late.release();
    }
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.deferContextual(
        context -> {
          user = context.<String>getOrEmpty("user").orElse("nobody");
          Mono<Void> done = super.sendMessage(message);
          sent.release();
          return done;
        });
  }

  /** Returns the user in the context of the last sent message. */
  String user() {
    return user;
  }

  /** Waits until a call hangs in the server. */
  void awaitHanging() throws InterruptedException {
    assertThat(hanging.tryAcquire(20, TimeUnit.SECONDS)).as("a call hangs").isTrue();
  }

  /** Waits until the client has processed the late answer of a call that hung. */
  void awaitLateAnswer() throws InterruptedException {
    assertThat(late.tryAcquire(20, TimeUnit.SECONDS)).as("the late answer came").isTrue();
  }

  /** Forgets the messages sent so far. */
  void forgetSent() {
    sent.drainPermits();
  }

  /** Waits until a message is sent after {@link #forgetSent}, so that its time limit is running. */
  void awaitSent() throws InterruptedException {
    assertThat(sent.tryAcquire(20, TimeUnit.SECONDS)).as("a message was sent").isTrue();
  }
}
