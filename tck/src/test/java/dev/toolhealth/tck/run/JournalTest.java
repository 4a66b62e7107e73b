package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.spec.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalTest {
  private long now = Long.MAX_VALUE - 1;
  private final List<String> passedOn = new ArrayList<>();
  private final Journal journal = new Journal(() -> now, passedOn::add);

  @Test
  void eachPartLastsUntilTheNextBegins() {
    journal.checking(Rule.BRK_1);
    now += 2;
    journal.checking(Rule.BRK_2);
    now += 3;
    journal.playing("scripts");
    now += 5;
    journal.played("9 scripts");
    journal.close();
    assertThat(journal.time(Rule.BRK_1)).isEqualTo(Duration.ofNanos(2));
    assertThat(journal.time(Rule.BRK_2)).isEqualTo(Duration.ofNanos(3));
    assertThat(journal.time(Rule.BRK_3)).isZero();
    assertThat(journal.accounts())
        .containsExactly(new Journal.Account("9 scripts", Duration.ofNanos(5)));
    assertThat(journal.total()).isEqualTo(Duration.ofNanos(10));
    assertThat(passedOn).containsExactly("9 scripts");
  }

  @Test
  void theLastRuleLastsUntilTheEnd() {
    journal.checking(Rule.BRK_1);
    now += 7;
    journal.close();
    now += 1;
    journal.close();
    assertThat(journal.time(Rule.BRK_1)).isEqualTo(Duration.ofNanos(7));
  }
}
