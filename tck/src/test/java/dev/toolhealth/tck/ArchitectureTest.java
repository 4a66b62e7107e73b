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

  /** The size of the core is visible: what calls tools is built on it and not part of it. */
  @Test
  void theCoreOfTheReferenceDoesNotKnowItsDispatcher() {
    noClasses()
        .that()
        .resideInAPackage("dev.toolhealth")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.toolhealth.dispatch")
        .check(new ClassFileImporter().importPackages("dev.toolhealth"));
  }

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
        .resideInAnyPackage("dev.toolhealth", "dev.toolhealth.dispatch")
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
