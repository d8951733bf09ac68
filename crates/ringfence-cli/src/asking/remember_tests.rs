use std::fs;

use super::*;

fn check(before: Option<&str>, pattern: &str, after: Option<&str>) -> Result<String, Failure> {
    check_as(Effect::Allow, before, pattern, after)
}

#[test]
fn c075_a_no_that_lasts_is_a_rule_that_denies() {
    check_as(
        Effect::Deny,
        Some("# mine\nallow = [\"cmd:ls\"]\ndeny = [\"cmd:rm\"]\n"),
        "cmd:git:push",
        Some(
            "# mine\nallow = [\"cmd:ls\"]\n\
             deny = [{ pattern = \"cmd:git:push\", why = \"by hand TODAY: answered to sh\" }, \
             \"cmd:rm\"]\n",
        ),
    )
    .unwrap();
}

fn check_as(
    effect: Effect,
    before: Option<&str>,
    pattern: &str,
    after: Option<&str>,
) -> Result<String, Failure> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("ringfence/policy.toml");
    if let Some(before) = before {
        fs::create_dir(path.parent().unwrap()).unwrap();
        fs::write(&path, before).unwrap();
    }
    let run = RunInfo {
        pid: 1,
        command: "sh".to_owned(),
        directory: "/".to_owned(),
        policy: path.to_str().unwrap().to_owned(),
    };
    let said = remember(&run, pattern, effect, AnswerPlace::Everywhere);
    let today = surroundings(&RealHost::new()).unwrap().context.today;
    let after = after.map(|after| after.replace("TODAY", &today.to_string()));
    assert_eq!(fs::read_to_string(&path).ok(), after);
    if let Some(parent) = path.parent().filter(|parent| parent.exists()) {
        let left = fs::read_dir(parent).unwrap().count();
        assert!(left <= 1, "nothing is left behind");
    }
    said
}

#[test]
fn a_rule_is_added_to_the_policy() {
    let said = check(
        Some("# mine\nallow = [\"cmd:ls\"]\n"),
        "cmd:git:push",
        Some(
            "# mine\nallow = [{ pattern = \"cmd:git:push\", why = \"by hand TODAY: answered to sh\" }, \
             \"cmd:ls\"]\n",
        ),
    );
    assert!(said.unwrap().contains("cmd:git:push"));
}

#[test]
fn the_first_answer_makes_no_policy() {
    let after = format!(
        "{ANSWERS}allow = [ # by hand\n    {{ pattern = \"cmd:id\", why = \"by hand TODAY: answered to \
         sh\" }},\n]\n"
    );
    check(None, "cmd:id", Some(&after)).unwrap();
    assert!(!after.contains("extends"), "{after}");
}

#[test]
fn what_cannot_be_added_changes_nothing() {
    let broken = "allow = [\n";
    assert!(check(Some(broken), "cmd:id", Some(broken)).is_err());
    let unknown = "alow = []\n";
    assert!(check(Some(unknown), "cmd:id", Some(unknown)).is_err());
    let good = "allow = []\n";
    assert!(check(Some(good), "no pattern", Some(good)).is_err());
}
