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

  /** The kit judges the user's classes even if it bundles classes of the same names. */
  @Test
  void theUsersClassesComeFirst() throws ClassNotFoundException {
    assertThat(loader.loadClass(ToolHealthRegistry.class.getName()))
        .isNotSameAs(ToolHealthRegistry.class);
  }

  /** Otherwise the reference adapter would judge the bundled reference, not the user's. */
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
