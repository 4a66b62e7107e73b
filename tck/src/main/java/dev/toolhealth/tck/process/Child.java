package dev.toolhealth.tck.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process, and the lines to and from it. What it prints is read by a thread of its own, since a
 * read cannot be given up: nobody else ever waits for the process without an end.
 */
final class Child {
  /** More than any answer has. A process that never ends its line must not fill the memory. */
  private static final int LONGEST_LINE = 1 << 24;

  /** What was printed, or that no more will be. */
  record Line(String text, boolean isEnd) {}

  private final Process process;
  private final OutputStream input;

  // Small: a process that prints without being asked has to wait.
  private final BlockingQueue<Line> lines = new ArrayBlockingQueue<>(4);

  private final Thread reader;

  /**
   * Starts a process. What it prints to its standard error goes to the kit's.
   *
   * @throws IllegalArgumentException if it cannot be started
   */
  Child(List<String> command) {
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot start the process: " + e.getMessage(), e);
    }
    input = process.getOutputStream();
    // Should the kit be ended from outside: a process that hangs would not notice.
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill, "kill process"));
    reader = new Thread(this::read, "process reader");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try {
      InputStream output = new BufferedInputStream(process.getInputStream());
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int b = output.read(); b >= 0; b = output.read()) {
        if (b == '\n' || line.size() == LONGEST_LINE) {
          lines.put(new Line(line.toString(UTF_8), false));
          line.reset();
        }
        if (b != '\n') {
          line.write(b);
        }
      }
      if (line.size() > 0) {
        lines.put(new Line(line.toString(UTF_8), false));
      }
    } catch (IOException e) {
      // Closed under the reader's hands, which is an end like any other.
    } catch (InterruptedException e) {
      return; // nobody waits for lines any more
    }
    putEnd();
  }

  private void putEnd() {
    try {
      lines.put(new Line("", true));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Sends a line. It is far shorter than what a pipe holds, and the one before it has been
   * answered: so this does not wait, whatever the process does.
   *
   * @return whether the process could be reached
   */
  boolean send(String line) {
    try {
      input.write((line + "\n").getBytes(UTF_8));
      input.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Waits for a line.
   *
   * @return the line, null if none came in time
   */
  @Nullable Line receive(Duration patience) {
    return uninterrupted(patience, nanos -> lines.poll(nanos, TimeUnit.NANOSECONDS));
  }

  /**
   * Waits for the end of the process.
   *
   * @return what it ended with, null if it did not end in time
   */
  @Nullable Integer exitCode(Duration patience) {
    return uninterrupted(
        patience,
        nanos -> process.waitFor(nanos, TimeUnit.NANOSECONDS) ? process.exitValue() : null);
  }

  /** Ends the process: asks it by the end of its input, and then does not ask. */
  void end(Duration patience) {
    try {
      input.close();
    } catch (IOException e) {
      // It is gone already, or will be in a moment.
    }
    if (exitCode(patience) == null) {
      kill();
    }
    reader.interrupt();
  }

  /** Ends the process, and those that it has started. */
  void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private interface Wait<T> {
    @Nullable T await(long nanos) throws InterruptedException;
  }

  /**
   * Waits although interrupted, and passes the interrupt on: an answer left lying would be taken
   * for the next one.
   */
  private static <T> @Nullable T uninterrupted(Duration patience, Wait<T> wait) {
    long start = System.nanoTime();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.await(patience.toNanos() - (System.nanoTime() - start));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
