package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import org.junit.jupiter.api.Test;

class SubjectLoaderTest {
  private final SubjectLoader loader =
      new SubjectLoader(
          ToolHealthRegistry.class.getProtectionDomain().getCodeSource().getLocation());

  /** What the user points at is judged, also if the kit brings classes of the same names. */
  @Test
  void theUsersClassesComeFirst() throws ClassNotFoundException {
    assertThat(loader.loadClass(ToolHealthRegistry.class.getName()))
        .isNotSameAs(ToolHealthRegistry.class);
  }

  /** Or the reference adapter would go on judging the bundled reference. */
  @Test
  void theReferenceAdapterSeesThem() throws ClassNotFoundException {
    assertThat(loader.loadClass(ReferenceAdapter.class.getName()).getClassLoader())
        .isSameAs(loader);
  }

  @Test
  void kitAndSubjectSpeakTheSameLanguage() {
    assertThat(Adapters.load(ReferenceAdapter.class.getName(), loader)).isInstanceOf(Adapter.class);
  }
}
