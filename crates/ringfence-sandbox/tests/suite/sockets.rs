//! The sockets on the tree's own loopback come out as what they are for.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use ringfence_sandbox::plan::NetPlan;
use ringfence_sandbox::{Command, Ended, Sockets, Terms};

use super::fixture::{Fixture, Rules};

#[test]
fn a_carried_port_is_not_taken_for_the_resolver() {
    let mut fixture = Fixture::new();
    fixture.plan.net = NetPlan {
        proxy: Some(3128),
        resolver: true,
        // The resolver's own number, and the proxy's.
        carried: vec![53, 80, 3128],
        local: vec![5432],
        published: Vec::new(),
    };
    let taken = Arc::new(Mutex::new(Sockets::default()));
    let take = Arc::clone(&taken);
    // They are handed over when the first of them is used.
    let argv = ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/3128"].map(Into::into).to_vec();
    let command = Command { program: PathBuf::from("/bin/bash"), argv };
    let begin = Box::new(move |sockets, _: &_| *take.lock().unwrap() = sockets);
    let terms = Terms { begin, ..Terms::new(Arc::new(Rules::all())) };
    let ended = ringfence_sandbox::run(&fixture.plan, &command, terms).unwrap();
    assert_eq!(ended, Ended::Exited(0));
    let sockets = taken.lock().unwrap();
    let address = |socket: &std::net::TcpListener| socket.local_addr().unwrap().to_string();
    assert_eq!(sockets.proxy.as_ref().map(address).as_deref(), Some("127.0.0.1:3128"));
    let resolver = sockets.resolver.as_ref().unwrap().local_addr().unwrap();
    assert_eq!(resolver.to_string(), "127.0.0.1:53");
    let taken: Vec<String> = sockets.taken.iter().map(address).collect();
    assert_eq!(taken, ["0.0.0.0:53", "0.0.0.0:80", "127.0.0.1:5432"]);
}
