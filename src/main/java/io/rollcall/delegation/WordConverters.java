package io.rollcall.delegation;

import static io.rollcall.sql.Statements.microsOrNull;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How enums and durations are stored: as their lower-case words, and in whole microseconds. */
final class WordConverters {
    private WordConverters() {}

    /** A status as its word. An unknown word is an error: what may follow it cannot be known. */
    @Converter(autoApply = true)
    static class StatusConverter implements AttributeConverter<DelegationStatus, String> {
        @Override
        public @Nullable String convertToDatabaseColumn(@Nullable DelegationStatus status) {
            return status == null ? null : status.wireName();
        }

        @Override
        public @Nullable DelegationStatus convertToEntityAttribute(@Nullable String word) {
            return word == null ? null : DelegationStatus.ofWireName(word).orElseThrow();
        }
    }

    /** A reason or cause as its word; unknown ones read as {@link Reason#UNKNOWN}. */
    @Converter(autoApply = true)
    static class ReasonConverter implements AttributeConverter<Reason, String> {
        @Override
        public @Nullable String convertToDatabaseColumn(@Nullable Reason reason) {
            return reason == null ? null : reason.wireName();
        }

        @Override
        public @Nullable Reason convertToEntityAttribute(@Nullable String word) {
            return word == null ? null : Reason.ofWireName(word);
        }
    }

    /** A recovery as its word. */
    @Converter(autoApply = true)
    static class RecoveryConverter implements AttributeConverter<Recovery, String> {
        @Override
        public @Nullable String convertToDatabaseColumn(@Nullable Recovery recovery) {
            return recovery == null ? null : recovery.wireName();
        }

        @Override
        public @Nullable Recovery convertToEntityAttribute(@Nullable String word) {
            return word == null ? null : Recovery.valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /** A duration in microseconds, the resolution of the database's clock. */
    @Converter(autoApply = true)
    static class DurationConverter implements AttributeConverter<Duration, Long> {
        @Override
        public @Nullable Long convertToDatabaseColumn(@Nullable Duration duration) {
            return microsOrNull(duration);
        }

        @Override
        public @Nullable Duration convertToEntityAttribute(@Nullable Long micros) {
            return micros == null ? null : Duration.of(micros, ChronoUnit.MICROS);
        }
    }
}
