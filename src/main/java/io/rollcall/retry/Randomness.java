package io.rollcall.retry;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/** The generator of jitter; tests put a seeded one in its place. */
@ApplicationScoped
class Randomness {
    @Produces
    @Singleton
    RandomGenerator generator() {
        return new SecureRandom();
    }
}
