//! When a session ends, and what a change of its policy does.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{RULES, everyone, is_there, signal, spawn, wait_until};
use crate::suite::{stderr, stdout};

#[test]
fn what_is_left_in_the_background_lives_until_the_session_ends() {
    everyone(|scene| {
        // Its client ends, and nobody waits for the end of its streams.
        assert!(scene.sh("sleep 271 > /dev/null 2>&1 &").status.success());
        wait_until("it begins", || scene.inside("sleep 271").len() == 1);
        let sleeps = scene.inside("sleep 271")[0];
        let supervisor = scene.supervisor();
        let stat = std::fs::read_to_string(format!("/proc/{supervisor}/stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        assert_eq!(fields[3], supervisor.to_string(), "a session of its own");
        for number in 0..3 {
            let path = format!("/proc/{supervisor}/fd/{number}");
            assert_eq!(std::fs::read_link(path).unwrap(), Path::new("/dev/null"));
        }
        assert!(stdout(&scene.session(&["list"])).contains(&scene.name));
        let ended = scene.session(&["end", &scene.name]);
        assert!(stdout(&ended).contains("sleep 271"), "{}", stdout(&ended));
        assert!(!is_there(sleeps));
        wait_until("the supervisor ends", || !is_there(supervisor));
        assert_eq!(scene.session(&["end", &scene.name]).status.code(), Some(1));
    });
}

#[test]
fn a_session_ends_with_its_supervisor() {
    everyone(|scene| {
        assert!(scene.sh("sleep 274 > /dev/null 2>&1 &").status.success());
        let mut child = spawn(&mut scene.run(&["sleep", "275"]));
        wait_until("it runs", || scene.inside("sleep 275").len() == 1);
        let all = [scene.inside("sleep 274"), scene.inside("sleep 275")].concat();
        signal(scene.supervisor(), "-KILL");
        wait_until("all end", || !all.iter().any(|pid| is_there(*pid)));
        assert_eq!(child.wait().unwrap().code(), Some(137));
        // The next command has a session of its own.
        assert!(scene.sh("true").status.success());
        assert_eq!(scene.info().unwrap()["entered"], 1);
    });
}

#[test]
fn a_session_ends_when_it_is_idle_or_its_owner_has_gone() {
    everyone(|scene| {
        let idle = scene.run_in(
            &scene.name,
            &["--idle", "1"],
            &["sh", "-c", "sleep 280 > /dev/null 2>&1 &"],
        );
        assert!({ idle }.output().unwrap().status.success());
        let sleeps = scene.inside("sleep 280");
        wait_until("it ends", || scene.info().is_none());
        wait_until("so does it", || !sleeps.iter().any(|pid| is_there(*pid)));
        let owner = spawn(Command::new("sleep").arg("30"));
        let until = owner.id().to_string();
        let tied = scene.run_in(&scene.name, &["--until", &until], &["true"]).output().unwrap();
        assert!(stderr(&tied).contains("no command ran for a long time"), "{}", stderr(&tied));
        assert!(scene.info().is_some());
        let mut owner = owner;
        owner.kill().unwrap();
        owner.wait().unwrap();
        wait_until("it ends", || scene.info().is_none());
    });
}

#[test]
fn a_change_of_rules_on_programs_holds_at_once() {
    everyone(|scene| {
        assert!(scene.sh("sleep 277 > /dev/null 2>&1 &").status.success());
        assert_eq!(scene.run(&["factor", "4"]).output().unwrap().status.code(), Some(126));
        let supervisor = scene.supervisor();
        scene.policy(&RULES.replace("cmd:{sh,", "cmd:{factor,sh,"));
        assert_eq!(scene.run(&["factor", "4"]).output().unwrap().status.code(), Some(0));
        scene.policy(RULES);
        assert_eq!(scene.run(&["factor", "4"]).output().unwrap().status.code(), Some(126));
        // What was there goes on.
        assert_eq!(scene.supervisor(), supervisor);
        assert_eq!(scene.inside("sleep 277").len(), 1);
    });
}

#[test]
fn a_narrower_fence_is_needed_at_once_and_a_wider_one_by_the_next_command() {
    everyone(|scene| {
        assert!(scene.sh("sleep 278 > /dev/null 2>&1 &").status.success());
        wait_until("it begins", || scene.inside("sleep 278").len() == 1);
        let sleeps = scene.inside("sleep 278")[0];
        scene.policy(&format!("{RULES}deny = [\"fs:r:@root/kept/**\"]\n"));
        wait_until("it ends by itself", || !is_there(sleeps));
        let next = scene.sh("true");
        assert!(next.status.success());
        assert!(stderr(&next).contains("allows less") && stderr(&next).contains("sleep 278"));
        assert!(scene.sh("sleep 279 > /dev/null 2>&1 &").status.success());
        let supervisor = scene.supervisor();
        let extra = scene.project().parent().unwrap().join("extra");
        std::fs::create_dir_all(&extra).unwrap();
        std::fs::write(extra.join("file"), "wider\n").unwrap();
        let grant = format!("\"fs:r:{}/**\", ", extra.canonicalize().unwrap().display());
        let wider = RULES.replace("allow = [", &format!("allow = [{grant}"));
        scene.policy(&format!("{wider}deny = [\"fs:r:@root/kept/**\"]\n"));
        std::thread::sleep(Duration::from_secs(2));
        assert_eq!(scene.inside("sleep 279").len(), 1);
        let next = scene.sh(&format!("cat {}/file", extra.display()));
        assert_eq!(stdout(&next), "wider\n", "{}", stderr(&next));
        assert!(stderr(&next).contains("begins anew") && stderr(&next).contains("sleep 279"));
        assert_ne!(scene.supervisor(), supervisor);
    });
}
