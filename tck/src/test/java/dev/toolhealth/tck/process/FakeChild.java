package dev.toolhealth.tck.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A process that does one thing wrong. It prints its greeting, and a reply for each request. */
public final class FakeChild {
  /** What it greets with unless that is what is wrong. */
  public static final String GREETING = "{\"protocol\": 1, \"capabilities\": [\"ORACLE\"]}";

  /** Stands for the request's id in a reply. */
  static final String ID = "<id>";

  /** In place of a line: the process ends. */
  public static final String DIE = "die";

  /** In place of a line: the process neither says anything more nor ends by itself. */
  static final String HANG = "hang";

  private FakeChild() {}

  /** The command that starts it, as one would type it. */
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
