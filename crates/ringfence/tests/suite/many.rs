//! Many runs in a program with many threads and much memory.

use std::sync::mpsc;
use std::thread;

use super::left::Left;
use super::project::{Project, sh};

/// The memory that the program uses, in bytes.
const HEAP: usize = 1 << 30;
const PAGE: usize = 4096;
const THREADS: usize = 50;
const RUNS: usize = 200;

#[test]
fn two_hundred_runs_leave_nothing_behind() {
    let mut heap = vec![0_u8; HEAP];
    heap.iter_mut().step_by(PAGE).for_each(|byte| *byte = 1);
    let idle: Vec<_> = (0..THREADS)
        .map(|_| {
            let (sender, receiver) = mpsc::channel::<()>();
            (sender, thread::spawn(move || receiver.recv()))
        })
        .collect();
    let project = Project::new();
    let command = sh("echo x > f; rm f; echo said; (setsid sleep 9 &)");
    let fence = project.fence(&command);
    let run = || {
        let outcome = ringfence::run(&fence, project.typed(&command)).unwrap();
        assert_eq!((outcome.stdout.as_slice(), outcome.is_success()), (&b"said\n"[..], true));
    };
    run();
    let before = Left::now(project.path());
    for _ in 0..RUNS / 2 {
        run();
    }
    // Four threads at once; every other run is dropped early.
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for number in 0..RUNS / 8 {
                    match number % 2 {
                        0 => run(),
                        _ => drop(ringfence::spawn(&fence, project.typed(&command)).unwrap()),
                    }
                }
            });
        }
    });
    before.settles(project.path());
    println!("many: {RUNS} runs beside {THREADS} threads and 1 GiB leave {before:?}");
    drop((heap, idle));
}
