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
