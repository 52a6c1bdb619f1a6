package io.rollcall;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.core.domain.properties.HasParameterTypes.Predicates.rawParameterTypes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import jakarta.inject.Inject;
import jakarta.ws.rs.Path;
import java.time.Clock;
import java.util.Date;

/** Holds the arrows between the packages, and a few rules of the house that a compiler cannot. */
@AnalyzeClasses(packagesOf = PackageArrowsTest.class, importOptions = ImportOption.DoNotIncludeTests.class)
class PackageArrowsTest {
    private static final String[] EDGES = {"..rollcall.http..", "..rollcall.console..", "..rollcall.boot.."};

    @ArchTest
    static final ArchRule packagesFormNoCycles =
            slices().matching("io.rollcall.(*)..").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule featuresDoNotKnowTheEdges = noClasses()
            .that()
            .resideOutsideOfPackages(EDGES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(EDGES)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule theDomainKnowsNeitherHttpNorTheScheduler = noClasses()
            .that()
            .resideInAPackage("..rollcall.delegation..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.ws.rs..", "io.quarkus.scheduler..", "org.jboss.resteasy..", "io.vertx..")
            .allowEmptyShould(true);

    /** Lease and retry are its parts; all other features stand above it. */
    @ArchTest
    static final ArchRule theDomainKnowsNoFeatureAboveIt = noClasses()
            .that()
            .resideInAPackage("..rollcall.delegation..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..rollcall.sweep..",
                    "..rollcall.liveness..",
                    "..rollcall.resource..",
                    "..rollcall.gate..",
                    "..rollcall.notify..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule onlyTheSweepKnowsTheSweep = noClasses()
            .that()
            .resideInAnyPackage("..rollcall.lease..", "..rollcall.retry..", "..rollcall.delegation..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..rollcall.sweep..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule onlyTheTimePackageReadsAClock = noClasses()
            .that()
            .resideOutsideOfPackage("..rollcall.time..")
            .should()
            .callMethodWhere(target(nameMatching("now")).and(target(owner(resideInAPackage("java.time..")))))
            .orShould()
            .callMethodWhere(target(nameMatching("system.*|tick.*")).and(target(owner(type(Clock.class)))))
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callConstructor(Date.class)
            .allowEmptyShould(true);

    /** Their plans would fill Hibernate's cache under keys that equal no other, and slow down every statement. */
    @ArchTest
    static final ArchRule nativeStatementsNameTheirColumns = noClasses()
            .that()
            .resideOutsideOfPackage("..rollcall.sql..")
            .should()
            .callMethodWhere(
                    target(nameMatching("createNativeQuery")).and(target(rawParameterTypes(String.class, Class.class))))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nothingIsInjectedIntoFields =
            noFields().should().beAnnotatedWith(Inject.class).allowEmptyShould(true);

    @ArchTest
    static final ArchRule resourcesResideAtTheEdge = classes()
            .that()
            .areAnnotatedWith(Path.class)
            .should()
            .resideInAnyPackage("..rollcall.http..", "..rollcall.console..")
            .allowEmptyShould(true);
}
