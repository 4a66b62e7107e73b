package dev.toolhealth.tck;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses KIT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.toolhealth.tck");

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.toolhealth.tck.(**)").should().beFreeOfCycles().check(KIT);
  }

  /** The kit judges any implementation, so it must not depend on the reference. */
  @Test
  void onlyTheReferenceAdapterKnowsTheReference() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.toolhealth.tck.reference")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.toolhealth")
        .check(KIT);
  }

  /** The interfaces that authors implement do not depend on the rest of the kit. */
  @Test
  void theAdapterInterfaceStandsAlone() {
    noClasses()
        .that()
        .resideInAPackage("dev.toolhealth.tck")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.toolhealth.tck.*")
        .check(KIT);
  }
}
