//! Rules on commands, case by case.

use super::*;

#[test]
fn c085_a_program_with_a_star_takes_any_arguments_and_none() {
    let policy = one(&[(Allow, "cmd:git:*")]);
    check_lines(&policy, &[("git", Allow), ("git status -s", Allow), ("gitk", Deny)]);
}

#[test]
fn c086_a_subcommand_with_a_star_takes_only_that_subcommand() {
    let policy = one(&[(Allow, "cmd:npm:install:*")]);
    check_lines(&policy, &[("npm install", Allow), ("npm install x", Allow), ("npm run x", Deny)]);
}

#[test]
fn c087_several_words_without_a_star_are_exact_in_allow() {
    let policy = one(&[(Allow, "cmd:git:status")]);
    check_lines(&policy, &[("git status", Allow), ("git status -s", Deny), ("git", Deny)]);
}

#[test]
fn c088_several_words_without_a_star_are_a_beginning_in_deny() {
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
fn what_objects_sees_through_the_spelling_of_options() {
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
fn c084_sh_denies_shells_by_whatever_path() {
    let policy = one(&[(Allow, "cmd:*"), (Deny, "sh")]);
    check_lines(
        &policy,
        &[("bash -c x", Deny), ("/tmp/zsh", Deny), ("sh", Deny), ("git status", Allow)],
    );
}

#[test]
fn programs_are_met_by_paths_with_wildcards() {
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
fn where_no_grant_is_needed_rules_that_ask_know_a_program_wherever_it_lies() {
    let check = |policy: &Policy, lines: &[(&str, Effect)]| {
        for (line, expected) in lines {
            let verdict = policy.asks_by_any_name(&Access::new(exec(line)));
            assert_eq!(verdict.effect, *expected, "{line}");
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
    // The decision itself is what it was.
    check_lines(&asks, &[("./d/git push", Deny), ("git push", Ask), ("git status", Allow)]);
    let narrower = one(&[(Ask, "cmd:git:push:*"), (Allow, "cmd:git:push:origin:*")]);
    check(
        &narrower,
        &[("git push origin main", Allow), ("git push other", Ask), ("./git push origin", Ask)],
    );
    // As long as nobody trusts a document its questions count as well.
    let untrusted = compile(vec![document(Role::Untrusted, &[(Ask, "cmd:git:push:*")])], &[]);
    check(&untrusted, &[("git push", Ask), ("./git push", Ask)]);
}
