use super::*;

#[test]
fn a_port_in_use_is_reported_and_the_others_are_opened() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let [taken_port, free_port] = [&taken, &free].map(|own| own.local_addr().unwrap().port());
    drop(free);
    let plan = NetPlan { published: vec![taken_port, free_port], ..NetPlan::default() };
    let ports = PublishedPorts::of(&plan);
    let open: Vec<u16> = ports.open.iter().map(|(_, port)| *port).collect();
    assert_eq!(open, [free_port]);
    let told: Vec<String> = ports.unpublished().iter().map(ToString::to_string).collect();
    let expected = format!(
        "port {taken_port} is in use on this machine already; what listens on it in the run cannot be reached from outside"
    );
    assert_eq!(told, [expected]);
}
