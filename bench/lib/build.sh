# shellcheck shell=bash
# The package under test: built with the profile `bench`, beside the ordinary build.

JAR=$ROOT/target/bench/build/quarkus-app/quarkus-run.jar

build() {
    if [ -n "${BENCH_SKIP_BUILD:-}" ] && [ -f "$JAR" ]; then
        say "taking the build that is there"
        return
    fi
    say "building"
    # Words, not one argument.
    # shellcheck disable=SC2086
    (cd "$ROOT" && ./mvnw -B -ntp -q ${BENCH_MVN_ARGS:-} -Pbench package -DskipTests) >&2
}
