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
 * A child process, with line-by-line input and output. A separate thread reads the output, because
 * a blocked read cannot be abandoned. Every other thread waits for a limited time only.
 */
final class Child {
  /** Longer than any answer. A process that never ends a line must not exhaust the memory. */
  private static final int LONGEST_LINE = 1 << 24;

  /** A line of output, or the end of the output. */
  record Line(String text, boolean isEnd) {}

  private final Process process;
  private final OutputStream input;

  // Small, so that a process that prints unasked has to wait.
  private final BlockingQueue<Line> lines = new ArrayBlockingQueue<>(4);

  private final Thread reader;

  /**
   * Starts a process. Its standard error goes to the kit's standard error.
   *
   * @throws IllegalArgumentException if the process cannot be started
   */
  Child(List<String> command) {
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot start the process: " + e.getMessage(), e);
    }
    input = process.getOutputStream();
    // If the kit is killed, a process that hangs would not notice and live on.
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
      // The output was closed during the read: treat it as its end.
    } catch (InterruptedException e) {
      return; // nobody waits for lines anymore
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
   * Sends a line. A request is much shorter than a pipe's buffer, and the previous request has been
   * answered. So this method never blocks, whatever the process does.
   *
   * @return false if the process no longer reads
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
   * @return the line, or null if none arrived in time
   */
  @Nullable Line receive(Duration patience) {
    return uninterrupted(patience, nanos -> lines.poll(nanos, TimeUnit.NANOSECONDS));
  }

  /**
   * Waits for the process to end.
   *
   * @return the exit code, or null if the process did not end in time
   */
  @Nullable Integer exitCode(Duration patience) {
    return uninterrupted(
        patience,
        nanos -> process.waitFor(nanos, TimeUnit.NANOSECONDS) ? process.exitValue() : null);
  }

  /** Closes the input of the process, and kills the process if it does not end in time. */
  void end(Duration patience) {
    try {
      input.close();
    } catch (IOException e) {
      // The process has already ended, or is about to.
    }
    if (exitCode(patience) == null) {
      kill();
    }
    reader.interrupt();
  }

  /** Kills the process and its descendants. */
  void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private interface Wait<T> {
    @Nullable T await(long nanos) throws InterruptedException;
  }

  /**
   * Waits even if interrupted, and restores the interrupt status. If the wait ended early, the
   * unread answer would be taken for the answer to the next request.
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
