package io.rollcall.http.problem;

import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Which methods a path has: what {@code Allow} says in a 405 and in the answer to OPTIONS. Filled once, at build time. */
@Singleton
class AllowedMethods {
    private record Entry(Pattern path, String method) {}

    private final List<Entry> entries = new ArrayList<>();

    void add(String template, String method) {
        entries.add(new Entry(pattern(template), method));
    }

    /** The methods of that path, as the header has them; empty if there is no such path. */
    String header(String path) {
        String trimmed = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        Set<String> methods = new TreeSet<>();
        for (Entry entry : entries) {
            if (entry.path().matcher(trimmed).matches()) {
                methods.add(entry.method());
            }
        }
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        if (!methods.isEmpty()) {
            methods.add("OPTIONS");
        }
        return String.join(", ", methods);
    }

    /** From {@code /v1/queues/{queue}/claim} or {@code /x/{rest:.+}}. */
    private static Pattern pattern(String template) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        while (at < template.length()) {
            int open = template.indexOf('{', at);
            int close = template.indexOf('}', at);
            if (open < 0 || close < open) {
                break;
            }
            String parameter = template.substring(open + 1, close);
            int colon = parameter.indexOf(':');
            regex.append(Pattern.quote(template.substring(at, open)));
            regex.append(colon < 0 ? "[^/]+" : parameter.substring(colon + 1).trim());
            at = close + 1;
        }
        return Pattern.compile(
                regex.append(Pattern.quote(template.substring(at))).toString());
    }
}
