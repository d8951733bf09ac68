use std::path::PathBuf;

use super::*;
use crate::plan::{Judged, Rights};

fn held(says: &'static str, rule: &str, origin: &str, by: &[Mechanism]) -> Held {
    let (rule, origin) = (rule.to_owned(), origin.to_owned());
    Held { says, rule, origin, by: by.to_vec(), note: None }
}

fn tree(path: &str, rights: Rights) -> Tree {
    Tree { path: PathBuf::from(path), rights }
}

fn plan() -> Plan {
    let files = FilePlan {
        trees: vec![tree("/usr", Rights::READ), tree("/srv", Rights::READ | Rights::WRITE)],
        masks: vec!["/srv/.env".into()],
        judged: Judged::Hiding,
        ..FilePlan::default()
    };
    Plan {
        files,
        exec: ExecPlan::Gated,
        held: vec![
            held("allow", "cmd:git:*", "policy.toml:1", &[Mechanism::Gate]),
            held("allow", "fs:rw:/srv/**", "policy.toml:2", &[Mechanism::Landlock]),
            held("deny", "fs:r:**/.env", "policy.toml:3", &[Mechanism::Mask]),
        ],
        ..Plan::default()
    }
}

fn change(change: impl FnOnce(&mut Plan)) -> PlanChange {
    let mut new = plan();
    change(&mut new);
    plan().change_to(&new)
}

#[test]
fn what_the_judge_holds_changes_nothing() {
    use PlanChange::None;
    assert_eq!(change(|_| {}), None);
    assert_eq!(change(|new| drop(new.held.remove(0))), None);
    let asks = held("ask", "cmd:git:push:*", "policy.toml:2", &[Mechanism::Gate]);
    assert_eq!(change(|new| new.held.push(asks)), None);
    assert_eq!(change(|new| new.held[2].origin = "policy.toml:9".into()), None);
    assert_eq!(change(|new| new.variables.push(("A".into(), "1".into()))), None);
    assert_eq!(change(|new| new.files.remembered.push("/usr".into())), None);
}

#[test]
fn more_rights_are_wider() {
    use PlanChange::Wider;
    assert_eq!(change(|new| new.files.trees.push(tree("/opt", Rights::READ))), Wider);
    assert_eq!(change(|new| new.files.trees[0] = tree("/", Rights::READ)), Wider);
    assert_eq!(change(|new| new.files.masks.clear()), Wider);
    assert_eq!(change(|new| drop(new.held.remove(2))), Wider);
    assert_eq!(change(|new| new.exec = ExecPlan::Free), Wider);
    assert_eq!(change(|new| new.net.proxy = Some(3128)), Wider);
    let grants = held("allow", "fs:r:/opt/**", "policy.toml:4", &[Mechanism::Landlock]);
    assert_eq!(change(|new| new.held.push(grants)), Wider);
}

#[test]
fn fewer_rights_and_whatever_is_unclear_are_narrower() {
    use PlanChange::Narrower;
    assert_eq!(change(|new| drop(new.files.trees.remove(0))), Narrower);
    assert_eq!(change(|new| new.files.trees[1].rights = Rights::READ), Narrower);
    assert_eq!(change(|new| new.files.masks.push("/srv/key.pem".into())), Narrower);
    // Nothing of that name is there, but it may come.
    let denies = held("deny", "fs:r:**/*.pem", "policy.toml:4", &[Mechanism::Mask]);
    assert_eq!(change(|new| new.held.push(denies)), Narrower);
    let unheld = held("deny", "fs:r:**/*.pem", "policy.toml:4", &[]);
    assert_eq!(change(|new| new.held.push(unheld)), Narrower);
    assert_eq!(change(|new| drop(new.held.remove(1))), Narrower);
    assert_eq!(change(|new| new.files.judged = Judged::Openings), Narrower);
    assert_eq!(change(|new| new.limits.seconds = Some(5)), Narrower);
    assert_eq!(change(|new| new.cwd = "/srv".into()), Narrower);
    // Wider in one place and narrower in another.
    assert_eq!(
        change(|new| {
            new.files.trees.push(tree("/opt", Rights::READ));
            new.files.masks.push("/srv/key.pem".into());
        }),
        Narrower
    );
}
