use super::*;

fn of(pattern: &str, stand: Stand) -> u64 {
    Needs::of(pattern, stand).0
}

#[test]
fn a_rule_needs_the_names_that_no_link_can_stand_in_for() {
    let names = |names: &[&str]| bits(names.iter().copied());
    for (pattern, deny, allow) in [
        ("cmd:git:push:*", &["git"][..], &["git"][..]),
        ("cmd:{rm,mv}:*", &["rm", "mv"], &["rm", "mv"]),
        ("cmd:g*:push", &[], &[]),
        ("cmd:./gradlew:*", &[], &["gradlew"]),
        ("cmd:.venv/bin/{pip,ruff}:*", &[], &["pip", "ruff"]),
        ("cmd:./{*,**/*}.py:*", &[], &[]),
        ("cmd:git push", &[], &[]),
        ("fs:r:~/.ssh/**", &[], &[".ssh"]),
        ("fs:r:**/.env", &[".env"], &[".env"]),
        ("fs:w:@root/*/a/b.rs", &["a", "b.rs"], &["a", "b.rs"]),
        ("fs:r:/etc/./shadow", &[], &["etc", "shadow"]),
        ("fs:r:/a/../b", &[], &[]),
        ("fs:r:**/{a,b}", &[], &[]),
        ("fs:r:${HOME}/**/a", &[], &[]),
        ("net:*", &[], &[]),
        ("sh", &[], &[]),
    ] {
        assert_eq!(of(pattern, Stand::Deny), names(deny), "{pattern}");
        assert_eq!(of(pattern, Stand::Allow), names(allow), "{pattern}");
    }
}

#[test]
fn most_names_have_bits_of_their_own() {
    let names = ["git", "ls", "rm", "cargo", "npm", "docker", "usr", "bin", "home", "src", ".env"];
    assert!(bits(names.into_iter()).count_ones() > 8);
}
