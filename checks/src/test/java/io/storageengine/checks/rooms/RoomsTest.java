package io.storageengine.checks.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoomsTest {
    @Test
    void every_room_keeps_to_its_doors() {
        JavaClasses house = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("io.storageengine");
        for (String room : List.of("core", "store", "bus", "iceberg", "catalog", "ingest", "commit", "gateway")) {
            assertThat(house.containPackage("io.storageengine." + room))
                    .as(room)
                    .isTrue();
        }
        assertThat(Rooms.rules()).allSatisfy(rule -> rule.check(house));
    }

    @Test
    void every_rule_is_broken_by_a_class_that_breaks_it(@TempDir Path folder) {
        JavaClasses breaches = Breaches.compiledTo(folder);
        for (ArchRule rule : Rooms.rules()) {
            boolean broken = rule.evaluate(breaches).hasViolation();
            assertThat(broken).as(rule.getDescription()).isTrue();
        }
    }
}
