use super::*;

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

#[test]
fn narrower_patterns_are_within_broader_ones() {
    for (narrow, broad) in [
        ("cmd:git:push:*", "cmd:git:*"),
        ("cmd:git:status", "cmd:git:*"),
        ("cmd:git:push:*:--force", "cmd:git:push:*"),
        ("cmd:git:push:--force", "cmd:git:push:*:--force"),
        ("cmd:cargo:test", "cmd:c*:t*"),
        ("cmd:{git,gh}:*", "cmd:*"),
        ("fs:r:@root/tmp/**", "fs:r:@root/**"),
        ("fs:r:@root/tmp/**", "fs:r:**"),
        ("fs:r:~/.ssh/id_rsa", "fs:r:~/.ssh/*"),
        ("fs:r:@root/src/*.rs", "fs:r:@root/**/*.rs"),
        ("fs:r:src/x/[a-c].rs", "fs:r:@root/src/?/*.rs"),
        ("fs:r:~/a/.env", "fs:r:**/.env"),
        ("net:api.github.com", "net:*.github.com"),
        ("net:github.com", "net:*.github.com"),
        ("net:github.com:443", "net:github.com"),
        ("net:10.1.0.0/16", "net:10.0.0.0/8"),
        ("net:10.1.2.3", "net:10.0.0.0/8"),
        ("net:*.a.example", "net:*"),
        ("env:AWS_SECRET*", "env:AWS_*"),
        ("mcp:github/get_issue", "mcp:github/get_*"),
        ("tool:mcp__github__*", "mcp:git*/*"),
        ("mcp:github/*", "tool:mcp*"),
        ("keychain:shop/a", "@keychain"),
    ] {
        assert!(includes(&pattern(broad), &pattern(narrow)), "{narrow} within {broad}");
        assert!(!includes(&pattern(narrow), &pattern(broad)), "{broad} not within {narrow}");
    }
}

#[test]
fn a_pattern_is_within_itself() {
    for text in ["cmd:git:*", "sh", "fs:w:@root/**", "net:*.x.example", "env:A*", "mcp:a/b"] {
        assert!(includes(&pattern(text), &pattern(text)), "{text}");
    }
}

#[test]
fn base_directories_are_compared_as_symbols() {
    for (one, two) in [
        ("fs:r:@root/x", "fs:r:/home/**"),
        ("fs:r:~/x", "fs:r:/*/*/x"),
        ("fs:r:~/x", "fs:r:@root/**"),
        ("fs:r:@root/../x", "fs:r:@root/**"),
        ("fs:r:${A}/x", "fs:r:${B}/**"),
        ("cmd:git:*", "cmd:git:status"),
        ("net:evilgithub.com", "net:*.github.com"),
    ] {
        assert!(!includes(&pattern(two), &pattern(one)), "{one} not within {two}");
    }
}

#[test]
fn unions_are_compared_as_a_whole() {
    let (union, star) = (pattern("env:{A,B}"), pattern("env:[AB]"));
    assert!(includes(&union, &star) && includes(&star, &union));
}

#[test]
fn patterns_overlap_where_one_access_may_match_both() {
    for (one, two) in [
        ("cmd:git:*", "cmd:git:push:*:--force"),
        ("cmd:git:*:a", "cmd:git:*:b"),
        ("cmd:{git,gh}:*", "cmd:gh:auth:token"),
        ("cmd:git:st*", "cmd:git:*us"),
        ("sh", "cmd:bash:*"),
        ("fs:r:@root/*/a", "fs:r:@root/b/*"),
        ("fs:r:~/.ssh/*", "fs:rw:**/id_rsa"),
        ("fs:r:~/.ssh/*", "fs:r:/home/u/.ssh/id_rsa"),
        ("fs:r:@root/x", "fs:r:~/**"),
        ("fs:r:~/y", "fs:r:**/home/u/**"),
        ("fs:r:~/y", "fs:r:${HERMES_HOME}/**"),
        ("net:*.github.com", "net:api.github.com:443"),
        ("net:*", "net:10.0.0.1"),
        ("net:a.example", "net:10.0.0.1"),
        ("net:@npm", "net:registry.npmjs.org"),
        ("sock:@docker", "sock:/run/docker.sock"),
        ("env:A*", "env:*B"),
        ("mcp:git*/*", "tool:mcp*get"),
        ("mcp:s/*", "mcp:s/resource:x"),
        ("listen:*", "listen:80"),
    ] {
        assert!(overlaps(&pattern(one), &pattern(two)), "{one} {two}");
        assert!(overlaps(&pattern(two), &pattern(one)), "{two} {one}");
    }
}

#[test]
fn patterns_that_never_match_the_same_do_not_overlap() {
    for (one, two) in [
        ("cmd:git:status:*", "cmd:git:push:*:--force"),
        ("cmd:git:push", "cmd:git:push:origin:*"),
        ("cmd:a:", "cmd:a:b:*"),
        ("fs:r:@root/src/**", "fs:r:@root/docs/**"),
        ("fs:r:**/.env", "fs:r:~/notes"),
        ("fs:r:/etc/hosts", "fs:r:~/y"),
        ("fs:r:@root/*.rs", "fs:r:@root/src/*.rs"),
        ("net:a.example", "net:b.example"),
        ("net:a.example:80", "net:a.example:443"),
        ("net:10.0.0.0/8", "net:192.168.0.1"),
        ("net:*.a.example", "net:*.b.example"),
        ("env:A*", "env:B*"),
        ("env:[ab]", "env:[c-e]"),
        ("tool:x", "tool:y"),
        ("mcp:s/resource:*", "mcp:s/prompt:*"),
        ("listen:80", "net:*"),
        ("env:A", "keychain:a/b"),
    ] {
        assert!(!overlaps(&pattern(one), &pattern(two)), "{one} {two}");
        assert!(!overlaps(&pattern(two), &pattern(one)), "{two} {one}");
    }
}

#[test]
fn inclusion_implies_overlap_and_costly_comparisons_end() {
    let texts = ["cmd:*", "cmd:git:*", "fs:r:**", "fs:r:~/x", "net:*", "env:{A,B}*", "mcp:a/*"];
    for (one, two) in texts.iter().flat_map(|one| texts.map(|two| (*one, two))) {
        let (one, two) = (pattern(one), pattern(two));
        assert!(!includes(&one, &two) || overlaps(&one, &two), "{one} {two}");
    }
    let costly = |last: &str| pattern(&format!("fs:r:**/{}{last}", "*a*b*/**/".repeat(15)));
    assert!(overlaps(&costly("x"), &costly("x")));
}
