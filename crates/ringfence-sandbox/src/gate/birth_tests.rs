use std::process::{Child, Command};

use super::*;

fn number(child: &Child) -> i32 {
    i32::try_from(child.id()).unwrap()
}

fn sleeper() -> Child {
    Command::new("/bin/sleep").arg("60").spawn().unwrap()
}

/// Both ways say who made it, tell two processes apart, and know nothing of one that is gone.
fn check(way: impl Fn(i32) -> Option<Birth>) {
    let own = i32::try_from(std::process::id()).unwrap();
    let mut one = sleeper();
    // The ticks of the machine are not finer.
    std::thread::sleep(std::time::Duration::from_millis(30));
    let mut two = sleeper();
    let births = [&one, &two].map(|child| way(number(child)).unwrap());
    assert_eq!(births.map(|birth| birth.parent), [own, own]);
    let [first, second] = births.map(|birth| birth.began);
    assert_ne!(first, second);
    assert_eq!(way(number(&one)).unwrap().began, first);
    for child in [&mut one, &mut two] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(way(number(&one)), None);
}

#[test]
fn proc_says_who_made_a_process() {
    check(read);
}

#[test]
fn the_kernel_says_who_made_a_process() {
    let own = i32::try_from(std::process::id()).unwrap();
    match asked(own) {
        Some(_) => check(asked),
        // Older kernels: then it is read.
        None => assert_eq!(birth(own), read(own)),
    }
}

#[test]
fn one_of_both_ways_is_taken() {
    check(birth);
}
