use std::process::Command;

use super::*;

fn began(number: i32) -> Process {
    Process { number, began: birth(number).unwrap().began }
}

const ONE: Identity = (1, 1);
const TWO: Identity = (1, 2);

fn became(lineage: &Lineage, process: Process) {
    lineage.became(process, (ONE, Path::new("/bin/one")), &variables(&["A=1"]));
}

fn variables(texts: &[&str]) -> Variables {
    texts.iter().map(OsString::from).collect()
}

fn origin(lineage: &Lineage, number: i32, runs: Option<Identity>) -> Origin {
    lineage.origin(number, birth(number), runs)
}

#[test]
fn a_process_is_what_it_was_seen_to_become() {
    let lineage = Lineage::default();
    let own = i32::try_from(std::process::id()).unwrap();
    assert_eq!(origin(&lineage, own, Some(ONE)).above, None);
    became(&lineage, began(own));
    let origin = self::origin(&lineage, own, Some(ONE));
    assert_eq!((origin.process, origin.above), (Some(began(own)), Some(began(own))));
    let program = origin.program.unwrap();
    assert_eq!(program.path, Path::new("/bin/one"));
    assert_eq!(*program.variables, *variables(&["A=1"]));
}

#[test]
fn one_that_runs_another_file_is_not_what_its_parent_became() {
    let lineage = Lineage::default();
    let own = i32::try_from(std::process::id()).unwrap();
    became(&lineage, began(own));
    for runs in [Some(TWO), None] {
        let origin = self::origin(&lineage, own, runs);
        assert_eq!((origin.process, origin.above), (Some(began(own)), None));
        assert!(origin.program.is_none());
    }
}

#[test]
fn a_child_that_was_not_seen_is_what_its_parent_is() {
    let lineage = Lineage::default();
    let own = i32::try_from(std::process::id()).unwrap();
    became(&lineage, began(own));
    let mut child = Command::new("/bin/sleep").arg("60").spawn().unwrap();
    let number = i32::try_from(child.id()).unwrap();
    // Twice: the second time the parent is known to be there by what holds it.
    for _ in 0..2 {
        let origin = self::origin(&lineage, number, Some(ONE));
        assert_eq!((origin.process, origin.above), (Some(began(number)), Some(began(own))));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(origin(&lineage, number, Some(ONE)).process, None);
}

#[test]
fn whoever_has_the_number_of_another_is_not_that() {
    let lineage = Lineage::default();
    let own = i32::try_from(std::process::id()).unwrap();
    let other = Process { began: began(own).began.saturating_sub(1), ..began(own) };
    became(&lineage, other);
    assert_eq!(origin(&lineage, own, Some(ONE)).above, None);
}

#[test]
fn those_that_ended_are_forgotten() {
    let lineage = Lineage::default();
    let own = i32::try_from(std::process::id()).unwrap();
    became(&lineage, began(own));
    // Beyond the largest number that a process can have.
    for number in 5_000_000..5_000_000 + i32::try_from(MANY).unwrap() {
        became(&lineage, Process { number, began: 1 });
    }
    assert_eq!(lineage.known.borrow().len(), 1);
    assert_eq!(origin(&lineage, own, Some(ONE)).above, Some(began(own)));
}
