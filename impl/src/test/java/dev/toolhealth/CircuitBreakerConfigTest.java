package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CircuitBreakerConfigTest {
  private final CircuitBreakerConfig config = CircuitBreakerConfig.ofDefaults();

  @Test
  void defaults() {
    assertThat(config.failureThreshold()).isEqualTo(3);
    assertThat(config.recoveryDuration()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.probeTimeout()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void copiesChangeOneFieldAndLeaveTheOriginal() {
    CircuitBreakerConfig changed =
        config
            .withFailureThreshold(5)
            .withRecoveryDuration(Duration.ofMillis(7))
            .withProbeTimeout(Duration.ZERO);
    assertThat(changed)
        .hasToString(
            "CircuitBreakerConfig[failureThreshold=5, recoveryDuration=PT0.007S,"
                + " probeTimeout=PT0S]");
    assertThat(config).isEqualTo(CircuitBreakerConfig.ofDefaults());
  }

  @Test
  void equality() {
    CircuitBreakerConfig five = config.withFailureThreshold(5);
    assertThat(config.withFailureThreshold(5)).isEqualTo(five).hasSameHashCodeAs(five);
    assertThat(five)
        .isNotEqualTo(config)
        .isNotEqualTo(five.withRecoveryDuration(Duration.ofSeconds(1)))
        .isNotEqualTo(five.withProbeTimeout(Duration.ofSeconds(1)))
        .isNotEqualTo("five");
    assertThat(five).doesNotHaveSameHashCodeAs(config); // otherwise all might have the same
  }

  @Test
  void anyDurationIsTaken() {
    CircuitBreakerConfig longest = config.withRecoveryDuration(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(longest.recoveryDuration()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    assertThat(longest.recoveryNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(config.withProbeTimeout(Duration.ofNanos(1)).probeTimeoutNanos()).isEqualTo(1);
  }

  @Test
  void negativesAreRefusedByFieldAndValue() {
    assertThatThrownBy(() -> config.withFailureThreshold(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("failureThreshold is -1 but must be 0 (the breaker never trips) or more");
    assertThatThrownBy(() -> config.withRecoveryDuration(Duration.ofMillis(-5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("recoveryDuration is PT-0.005S but must be zero (probe at once) or longer");
    assertThatThrownBy(() -> config.withProbeTimeout(Duration.ofSeconds(Long.MIN_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("probeTimeout is PT-")
        .hasMessageEndingWith(" but must be zero (no lease) or longer");
  }

  @Test
  @SuppressWarnings("NullAway") // tests nulls
  void nullsAreRefusedByName() {
    assertThatThrownBy(() -> config.withRecoveryDuration(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("recoveryDuration");
    assertThatThrownBy(() -> config.withProbeTimeout(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("probeTimeout");
  }
}
