use super::*;

fn read(asked: &str, file: &str, told: &str, args: &str) -> (String, Vec<String>) {
    let many = is_many(file, |name| ["busybox", "toybox", "coreutils"].contains(&name));
    let called = ProgramNames { asked, file, told, is_many: many };
    let args: Vec<String> = args.split_whitespace().map(str::to_owned).collect();
    let knows = |name: &str| ["ls", "rm", "cat", "git"].contains(&name);
    let join = |words: Vec<String>| words.join(" ");
    (join(called.words(&args)), called.others(&args, knows).into_iter().map(join).collect())
}

#[test]
fn git_acts_by_its_argv0() {
    let (words, _) = read("/usr/bin/git", "/usr/bin/git", "git-push", "--force o");
    assert_eq!(words, "/usr/bin/git push --force o");
    let (words, _) = read("/usr/bin/git", "/usr/bin/git", "/x/git-push", "o");
    assert_eq!(words, "/usr/bin/git push o");
    let (words, _) = read("/l/git-push", "/l/git", "git-push", "o");
    assert_eq!(words, "/l/git push o");
    assert_eq!(read("/l/git-push", "/l/git", "git", "push o").0, "/l/git-push push o");
    assert_eq!(read("/l/git-push", "/l/git", "git", "push o").1, ["git push o"]);
    // If the file has the subcommand's name, both the file name and argv[0] count.
    let (words, others) = read("/l/git-fetch", "/l/git-fetch", "git-push", "o");
    assert_eq!(words, "/l/git-fetch o");
    assert_eq!(others, ["git-push o", "git fetch o", "git push o"]);
    assert_eq!(read("/usr/bin/git", "/usr/bin/git", "git", "push"), {
        ("/usr/bin/git push".to_owned(), Vec::new())
    });
}

#[test]
fn a_file_that_is_many_programs_is_the_one_that_it_is_told_to_be() {
    assert_eq!(read("/bin/busybox", "/bin/busybox", "rm", "x").1, ["rm x"]);
    assert_eq!(read("/t/ls", "/bin/busybox", "ls", "rm x").1, [""; 0]);
    assert_eq!(
        read("/t/ls", "/bin/busybox", "busybox", "rm x").1,
        ["busybox rm x", "/bin/busybox rm x"]
    );
    // With an unknown argv[0], the first argument names the program.
    assert_eq!(read("/t/x", "/bin/toybox", "x", "rm y").1, ["/bin/toybox rm y"]);
    let uutils = read("/t/x", "/usr/bin/coreutils", "uu_rm", "y").1;
    assert_eq!(uutils, ["uu_rm y", "/usr/bin/coreutils y", "rm y"]);
    assert!(read("/bin/python3", "/bin/python3.11", "python", "x").1 == ["python x"]);
}

#[test]
fn files_of_git_are_one_program() {
    assert!(is_same_program("/usr/bin/git", "/usr/lib/git-core/git"));
    assert!(is_same_program("/usr/bin/git", "/usr/lib/git-core/git-submodule"));
    assert!(!is_same_program("/usr/bin/gitk", "/usr/bin/git"));
}
