//! Tests of command rules.

use super::*;

#[test]
fn c085_a_program_with_a_star_matches_any_arguments_and_none() {
    let policy = one(&[(Allow, "cmd:git:*")]);
    check_lines(&policy, &[("git", Allow), ("git status -s", Allow), ("gitk", Deny)]);
}

#[test]
fn c086_a_subcommand_with_a_star_matches_only_that_subcommand() {
    let policy = one(&[(Allow, "cmd:npm:install:*")]);
    check_lines(&policy, &[("npm install", Allow), ("npm install x", Allow), ("npm run x", Deny)]);
}

#[test]
fn c087_several_words_without_a_star_are_exact_in_allow() {
    let policy = one(&[(Allow, "cmd:git:status")]);
    check_lines(&policy, &[("git status", Allow), ("git status -s", Deny), ("git", Deny)]);
}

#[test]
fn c088_several_words_without_a_star_are_a_prefix_in_deny() {
    let policy = one(&[(Allow, "cmd:git:*"), (Deny, "cmd:git:push")]);
    check_lines(&policy, &[("git push", Deny), ("git push origin", Deny), ("git pull", Allow)]);
}

#[test]
fn c089_a_word_after_a_star_matches_anywhere_after_it() {
    let policy = one(&[(Allow, "cmd:git:*"), (Deny, "cmd:git:push:*:--force")]);
    check_lines(
        &policy,
        &[
            ("git push --force", Deny),
            ("git push origin main --force", Deny),
            ("git push --force origin", Deny),
            ("git push origin", Allow),
            ("git status --force", Allow),
        ],
    );
}

#[test]
fn c090_programs_are_known_by_name_only_where_path_finds_them() {
    let policy = one(&[(Allow, "cmd:git:*"), (Allow, "cmd:./gradlew:*")]);
    check_lines(
        &policy,
        &[
            ("/usr/bin/git status", Allow),
            ("./git status", Deny),
            ("/tmp/git status", Deny),
            ("./gradlew build", Allow),
            ("gradlew build", Deny),
        ],
    );
    let deny = one(&[(Allow, "cmd:*"), (Deny, "cmd:rm:*")]);
    check_lines(&deny, &[("/tmp/rm x", Deny), ("./rm x", Deny), ("./x", Allow)]);
}

#[test]
fn denials_match_every_spelling_of_an_option() {
    let policy = compile(
        vec![document(Role::User, &[(Allow, "cmd:*")])],
        &["cmd:rm:*:-rf", "cmd:git:push:*:--force"],
    );
    for line in ["rm -rf x", "rm -fr x", "rm -r -f x", "rm -v -f x -r", "rm -vrf x"] {
        check(&policy, exec(line), Deny);
    }
    let push = one(&[(Allow, "cmd:git:*"), (Deny, "cmd:git:push:*")]);
    for line in ["git -P push o", "git -C x push", "git -C x --no-pager -c a=b push"] {
        check(&push, exec(line), Deny);
    }
    check_lines(&push, &[("git -C x log push", Allow), ("git commit -m push", Allow)]);
    for line in ["git push --forc", "git push --force=x", "git push o --for"] {
        check(&policy, exec(line), Deny);
    }
    for line in ["rm -r x", "rm -f x", "git push --follow-tags", "rm -- -rf"] {
        let expected = if line == "rm -- -rf" { Deny } else { Allow };
        check(&policy, exec(line), expected);
    }
}

#[test]
fn c084_sh_denies_shells_by_any_path() {
    let policy = one(&[(Allow, "cmd:*"), (Deny, "sh")]);
    check_lines(
        &policy,
        &[("bash -c x", Deny), ("/tmp/zsh", Deny), ("sh", Deny), ("git status", Allow)],
    );
}

#[test]
fn rules_match_programs_by_paths_with_wildcards() {
    let policy =
        one(&[(Allow, "cmd:./tools/*:*"), (Allow, "cmd:./ci/**:*"), (Deny, "cmd:./tools/x*:*")]);
    check_lines(
        &policy,
        &[
            ("./tools/build all", Allow),
            ("./tools/xargs all", Deny),
            ("./ci/a/b", Allow),
            ("./other/build", Deny),
        ],
    );
}

#[test]
fn two_stars_in_the_path_of_a_program_cross_directories() {
    let deny = one(&[(Allow, "cmd:*"), (Deny, "cmd:./ci/**"), (Deny, "cmd:./tools/*")]);
    check_lines(
        &deny,
        &[("./ci/a", Deny), ("./ci/a/b/c now", Deny), ("./tools/a", Deny), ("./tools/a/b", Allow)],
    );
    let nested = one(&[(Allow, "cmd:./{*,**/*}.py:*")]);
    check_lines(&nested, &[("./a.py", Allow), ("./b/c/a.py x", Allow), ("./b/c/a.sh", Deny)]);
}

#[test]
fn without_a_needed_grant_ask_rules_match_a_program_in_any_directory() {
    let check = |policy: &Policy, lines: &[(&str, Effect)]| {
        for (line, expected) in lines {
            assert_eq!(without_grant(policy, line, AskRules::ByAnyName), *expected, "{line}");
        }
    };
    let asks = one(&[(Allow, "cmd:git:*"), (Ask, "cmd:git:push:*")]);
    check(
        &asks,
        &[
            ("git push origin", Ask),
            ("/usr/lib/git-core/git push origin", Ask),
            ("./d/git push", Ask),
            ("./d/git status", Allow),
            ("./d/hub push", Allow),
        ],
    );
    // The decision on an access that needs a grant is different.
    check_lines(&asks, &[("./d/git push", Deny), ("git push", Ask), ("git status", Allow)]);
    let narrower = one(&[(Ask, "cmd:git:push:*"), (Allow, "cmd:git:push:origin:*")]);
    check(
        &narrower,
        &[("git push origin main", Allow), ("git push other", Ask), ("./git push origin", Ask)],
    );
    // Ask rules of an untrusted document count as well.
    let untrusted = compile(vec![document(Role::Untrusted, &[(Ask, "cmd:git:push:*")])], &[]);
    check(&untrusted, &[("git push", Ask), ("./git push", Ask)]);
}

/// Returns the effect on a start that needs no grant.
fn without_grant(policy: &Policy, line: &str, asks: AskRules) -> Effect {
    let mut access = Access::new(exec(line));
    access.scope.cover = Cover::ObjectionsOnly(asks);
    policy.decide(&access).effect
}

#[test]
fn a_start_without_a_needed_grant_meets_denials_and_selected_ask_rules() {
    let rules = [
        (Ask, "cmd:git:push:*"),
        (Ask, "cmd:/usr/bin/hub:*"),
        (Deny, "cmd:rm:*"),
        (Allow, "cmd:ls:*"),
    ];
    let policy = compile(vec![document(Role::User, &rules)], &["cmd:sudo:*"]);
    let ceiling = document(Role::Ceiling, &[(Allow, "cmd:ls:*")]);
    let narrowed = compile(vec![document(Role::User, &rules), ceiling], &["cmd:sudo:*"]);
    let kinds = [AskRules::None, AskRules::WithPath, AskRules::LikeAllow, AskRules::ByAnyName];
    for (line, expected) in [
        ("make all", [Allow, Allow, Allow, Allow]),
        ("git push", [Allow, Allow, Ask, Ask]),
        ("./d/git push", [Allow, Allow, Allow, Ask]),
        ("hub push", [Allow, Ask, Ask, Ask]),
        ("rm x", [Deny; 4]),
        ("./d/rm x", [Deny; 4]),
        ("sudo ls", [Deny; 4]),
    ] {
        let found = kinds.map(|asks| without_grant(&policy, line, asks));
        assert_eq!(found, expected, "{line}");
        // A ceiling without a matching grant does not deny such a start.
        assert_eq!(kinds.map(|asks| without_grant(&narrowed, line, asks)), expected, "{line}");
    }
}

#[test]
fn granting_rules_match_each_alias_of_a_program() {
    let rules = [(Allow, "cmd:python:*"), (Ask, "cmd:./tools/py:*"), (Deny, "cmd:node:*")];
    let policy = one(&rules);
    let decide = |line: &str, alias: &str| {
        let (AccessKind::Exec(own), AccessKind::Exec(alias)) = (exec(line), exec(alias)) else {
            panic!()
        };
        let aliases = vec![alias.program.clone()];
        let own = Exec { aliases, ..Exec::clone(&own) };
        policy.decide(&Access::new(AccessKind::Exec(Arc::new(own)))).effect
    };
    assert_eq!(decide("./venv/snake x.py", "other"), Deny);
    assert_eq!(decide("./venv/snake x.py", "python"), Allow);
    assert_eq!(decide("python x.py", "./tools/py"), Ask);
    // Deny rules match the program's own names only.
    assert_eq!(decide("python x.py", "node"), Allow);
}

#[test]
fn the_danger_list_waits_for_accesses_that_the_gate_judges_later() {
    let rules = [(Allow, "cmd:git:*"), (Deny, "fs:w:@root/kept")];
    let policy = compile(vec![document(Role::User, &rules)], &["fs:w:@root/**"]);
    let decide = |text: &str, judged_later: bool| {
        let mut access = Access::new(file(FileOp::Write, text));
        access.scope.gate.judged_later = judged_later;
        policy.decide(&access).effect
    };
    assert_eq!(decide("/home/u/proj/a", false), Deny);
    assert_eq!(decide("/home/u/proj/a", true), Allow);
    assert_eq!(decide("/home/u/proj/kept", true), Deny);
}

#[test]
fn accesses_of_every_run_need_no_grant_but_meet_denials() {
    let rules = [(Allow, "fs:r:@root/**"), (Deny, "fs:r:/proc/meminfo"), (Ask, "fs:r:/proc/stat")];
    let user = document(Role::User, &rules);
    let policy = compile(vec![user.clone()], &[]);
    let narrowed = compile(vec![user, document(Role::Ceiling, &[(Allow, "fs:r:@root/**")])], &[]);
    let decide = |policy: &Policy, text: &str, cover| {
        let mut access = Access::new(file(FileOp::Read, text));
        access.scope.cover = cover;
        policy.decide(&access).effect
    };
    for (text, bare, given, under_ceiling) in [
        ("/proc/uptime", Deny, Allow, Deny),
        ("/proc/meminfo", Deny, Deny, Deny),
        ("/proc/stat", Ask, Ask, Deny),
    ] {
        assert_eq!(decide(&policy, text, Cover::OwnGrant), bare, "{text}");
        assert_eq!(decide(&policy, text, Cover::AllowedByDefault), given, "{text}");
        assert_eq!(decide(&narrowed, text, Cover::AllowedByDefault), under_ceiling, "{text}");
    }
}
