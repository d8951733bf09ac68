use std::time::Duration;

use ringfence::asynchronous::{run, spawn};
use ringfence::{Ended, Stdio};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::left::Left;
use super::project::{Project, sh};

#[test]
fn tasks_run_commands() {
    let project = Project::new();
    Runtime::new().unwrap().block_on(async {
        let command = sh("cat; echo complained >&2; exit 3");
        let mut child = spawn(&project.fence(&command), project.typed(&command)).unwrap();
        let mut said = String::new();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"typed\n").await.unwrap();
        drop(input);
        child.stdout.take().unwrap().read_to_string(&mut said).await.unwrap();
        let (ended, _) = child.wait().await.unwrap();
        assert_eq!((said.as_str(), ended), ("typed\n", Ended::Exited(3)));
    });
}

#[test]
fn waiting_can_be_given_up_and_taken_up() {
    let project = Project::new();
    Runtime::new().unwrap().block_on(async {
        let command = sh("sleep 100");
        let mut child = spawn(&project.fence(&command), project.typed(&command)).unwrap();
        assert!(timeout(Duration::from_millis(100), child.wait()).await.is_err());
        child.kill();
        assert_eq!(child.wait().await.unwrap().0, Ended::Killed);
        assert!(child.wait().await.is_err(), "it was told already");
    });
}

#[test]
fn tasks_that_are_dropped_leave_nothing_behind() {
    let project = Project::new();
    let runtime = Runtime::new().unwrap();
    let command = sh("sleep 100");
    let quick = sh("exit 4").stdin(Stdio::Null);
    let (fence, other) = (project.fence(&command), project.fence(&quick));
    runtime.block_on(async { run(&other, project.typed(&quick)).await.unwrap() });
    let before = Left::now(project.path());
    runtime.block_on(async {
        for _ in 0..20 {
            let all = (0..5).map(|_| async {
                assert!(
                    timeout(Duration::from_millis(20), run(&fence, project.typed(&command)))
                        .await
                        .is_err()
                );
                assert_eq!(
                    run(&other, project.typed(&quick)).await.unwrap().ended,
                    Ended::Exited(4)
                );
            });
            for one in all {
                one.await;
            }
        }
    });
    before.settles(project.path());
}
