package dev.toolhealth.tck.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A child process that prints a given greeting, and a given reply to every request. */
public final class FakeChild {
  /** A correct greeting. */
  public static final String GREETING = "{\"protocol\": 1, \"capabilities\": [\"ORACLE\"]}";

  /** The placeholder for the request's id in a reply. */
  static final String ID = "<id>";

  /** A special line: instead of printing, the process exits. */
  public static final String DIE = "die";

  /** A special line: instead of printing, the process hangs. */
  static final String HANG = "hang";

  private FakeChild() {}

  /** Returns the start command as a user would type it. */
  public static String command(String greeting, String reply) {
    return "'%s' -Xshare:auto -XX:TieredStopAtLevel=1 -cp '%s' %s '%s' '%s'"
        .formatted(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            FakeChild.class.getProtectionDomain().getCodeSource().getLocation().getPath(),
            FakeChild.class.getName(),
            greeting,
            reply);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    say(arguments[0]);
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      say(arguments[1].replace(ID, line.replaceAll(".*\"id\":([0-9]+).*", "$1")));
    }
  }

  private static void say(String lines) throws InterruptedException {
    for (String line : lines.split("\n", -1)) {
      switch (line) {
        case DIE -> System.exit(7);
        case HANG -> new CountDownLatch(1).await();
        default -> System.out.println(line);
      }
    }
  }
}
