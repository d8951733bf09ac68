use super::*;

fn name(text: &str) -> HostName {
    HostName::parse(text).unwrap()
}

#[test]
fn a_name_keeps_its_address_and_the_address_its_name() {
    let names = Names::new(10);
    let first = names.address(&name("a.example")).unwrap();
    let second = names.address(&name("b.example")).unwrap();
    assert_eq!(first, Ipv4Addr::new(198, 18, 0, 1));
    assert_eq!(second, Ipv4Addr::new(198, 18, 0, 2));
    assert_eq!(names.address(&name("A.example.")), Some(first));
    assert_eq!(names.meaning(first.into()), Meaning::Name(name("a.example")));
    assert_eq!(names.meaning(second.into()), Meaning::Name(name("b.example")));
}

#[test]
fn addresses_that_were_made_up_stand_for_nobody() {
    let names = Names::new(10);
    for made_up in ["198.18.0.0", "198.18.0.1", "198.19.255.255"] {
        assert_eq!(names.meaning(made_up.parse().unwrap()), Meaning::Nobody, "{made_up}");
    }
    for other in ["198.17.255.255", "198.20.0.0", "127.0.0.1", "::1"] {
        assert_eq!(names.meaning(other.parse().unwrap()), Meaning::Itself, "{other}");
    }
}

#[test]
fn there_is_an_end_to_names() {
    let names = Names::new(3);
    for number in 0..3 {
        assert!(names.address(&name(&format!("n{number}.example"))).is_some());
    }
    assert_eq!(names.address(&name("n3.example")), None);
    assert!(names.address(&name("n1.example")).is_some());
    let all = Names::new(usize::MAX);
    let last =
        (0..(1 << 17) - 1).filter_map(|n| all.address(&name(&format!("n{n}.example")))).last();
    assert_eq!(last, Some(Ipv4Addr::new(198, 19, 255, 255)));
    assert_eq!(all.address(&name("one-more.example")), None);
}
