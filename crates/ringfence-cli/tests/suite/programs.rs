//! `programs`: the catalogue for people and machines.

use serde_json::Value;

use super::{ringfence, stderr, stdout};

fn programs(words: &[&str]) -> String {
    let output = ringfence().arg("programs").args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    stdout(&output)
}

fn in_json(words: &[&str]) -> Value {
    serde_json::from_str(&programs(words)).unwrap()
}

#[test]
fn all_programs_are_listed_and_counted() {
    let said = programs(&["list"]);
    let last = said.lines().last().unwrap();
    let count: usize = last.split(' ').next().unwrap().parse().unwrap();
    let list = in_json(&["list", "--json"]);
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), count, "{last}");
    let git = list.iter().find(|own| own["name"] == "git").unwrap();
    assert!(git["subcommands"].as_array().unwrap().contains(&Value::from("push")));
    assert!(said.lines().all(|line| line.chars().count() <= 100), "{said}");
}

#[test]
fn an_entry_says_what_options_do() {
    let said = programs(&["show", "sort"]);
    for line in ["    write       -o|--output=", "  operands    read...", "  style       gnu"] {
        assert!(said.lines().any(|own| own == line), "{line:?} in {said}");
    }
    assert!(said.contains("✓ sort -r -o tmp/names.txt names.txt"), "{said}");
    assert!(said.contains("✗ sort -o ~/.bashrc notes.txt"), "{said}");
    let entry = in_json(&["show", "--json", "sort"]);
    assert_eq!(entry["options"]["-o|--output="], "write");
}

#[test]
fn subcommands_have_entries_of_their_own() {
    let said = programs(&["show", "git", "push"]);
    assert!(said.starts_with("git push\n"), "{said}");
    assert_eq!(said, programs(&["show", "git push"]));
    assert!(programs(&["show", "python3"]).starts_with("python\n"), "by another name");
}

#[test]
fn a_name_that_is_not_known_leads_to_the_nearest() {
    let output = ringfence().args(["programs", "show", "gti"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean `git`?"), "{}", stderr(&output));
}

#[test]
fn a_line_is_shown_as_it_is_read() {
    let said = programs(&["try", "timeout 5 git -C sub push -vf origin $x; frob y"]);
    let wanted = "\
timeout 5 git -C sub push -vf origin $x
  read by the entry timeout
  5                                operand  text
  git -C sub push -vf origin $x    command
    git -C sub push -vf origin $x
      read by the entry git push
      -C sub  option -C            cd
      push    subcommand           git push
      -vf     option -v|--verbose
              option -f|--force
      origin  operand              git-remote
      $x      operand              refspec

frob y
  no entry: words that look like paths are read
";
    let squeezed = |text: &str| {
        text.lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let (said, wanted) = (squeezed(&said), squeezed(wanted));
    assert_eq!(said[..wanted.len()], wanted);
    assert!(said.iter().any(|line| line.starts_with("deny runs git")), "effects follow: {said:?}");
}

#[test]
fn a_policy_adds_to_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.toml");
    let text = "allow = [\"cmd:frob:*\", \"fs:r:@root/**\"]\n\
        [programs.frob]\nwhy = \"it writes its log\"\noperands = \"read...\"\n\
        [programs.frob.options]\n\"-l|--log=\" = \"write\"\n";
    std::fs::write(&policy, text).unwrap();
    let policy = policy.to_str().unwrap();
    let said = programs(&["show", "--policy", policy, "frob"]);
    assert!(said.contains("write      -l|--log="), "{said}");
    let value = in_json(&["try", "--policy", policy, "--json", "frob --log=a.log b"]);
    assert_eq!(value["readings"][0]["words"][0]["role"], "write");
    assert_eq!(value["readings"][0]["entry"], "frob");
    assert_eq!(value["explained"]["verdict"], "deny");
}
