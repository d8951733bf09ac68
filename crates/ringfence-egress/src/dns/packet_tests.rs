use proptest::prelude::*;

use super::*;

fn query(name: &str, kind: u16) -> Vec<u8> {
    let mut packet = vec![0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in name.split('.').filter(|label| !label.is_empty()) {
        packet.push(u8::try_from(label.len()).unwrap());
        packet.extend_from_slice(label.as_bytes());
    }
    packet.push(0);
    packet.extend_from_slice(&kind.to_be_bytes());
    packet.extend_from_slice(&[0, 1]);
    packet
}

#[track_caller]
fn refused(packet: &[u8], code: Option<Code>) {
    let answer = read(packet).unwrap_err().answer();
    assert_eq!(answer.map(|answer| answer[3] & 15), code.map(|code| code as u8));
}

#[test]
fn a_query_is_read_and_answered() {
    let packet = query("Api.Example.com", 1);
    let query = read(&packet).unwrap();
    assert_eq!((query.name.as_str(), query.kind), ("Api.Example.com", Kind::A));
    let answer = query.respond(Answer::V4(Ipv4Addr::new(198, 18, 0, 1)));
    assert_eq!(answer[..2], [0xab, 0xcd]);
    assert_eq!(answer[2..8], [0x81, 0x80, 0, 1, 0, 1]);
    assert_eq!(answer[12..packet.len()], packet[12..]);
    assert_eq!(answer[packet.len()..], [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 198, 18, 0, 1]);
}

#[test]
fn kinds_are_told_apart() {
    assert_eq!(read(&query("a.example", 28)).unwrap().kind, Kind::Aaaa);
    assert_eq!(read(&query("a.example", 65)).unwrap().kind, Kind::Other);
    assert_eq!(read(&query("a.example", 16)).unwrap().kind, Kind::Other);
}

#[test]
fn what_follows_the_question_is_left_alone() {
    let mut packet = query("a.example", 1);
    packet[11] = 1;
    packet.extend_from_slice(&[0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]);
    let query = read(&packet).unwrap();
    let answer = query.respond(Answer::Code(Code::NoName));
    assert_eq!(answer.len(), 12 + 11 + 4);
    assert_eq!(answer[8..12], [0, 0, 0, 0]);
}

#[test]
fn bad_packets_get_a_code_or_nothing() {
    refused(&[], None);
    refused(&[1, 2, 3], None);
    let mut response = query("a.example", 1);
    response[2] |= 0x80;
    refused(&response, None);
    let mut update = query("a.example", 1);
    update[2] |= 0x28;
    refused(&update, Some(Code::NotImplemented));
    let mut two = query("a.example", 1);
    two[5] = 2;
    refused(&two, Some(Code::BadFormat));
    let mut chaos = query("a.example", 1);
    *chaos.last_mut().unwrap() = 3;
    refused(&chaos, Some(Code::NotImplemented));
    let cut = query("a.example", 1);
    refused(&cut[..cut.len() - 3], Some(Code::BadFormat));
}

#[test]
fn pointers_and_long_names_are_refused() {
    let mut pointer = query("", 1);
    pointer.splice(12..13, [0xc0, 12]);
    refused(&pointer, Some(Code::BadFormat));
    let label = "a".repeat(63);
    refused(&query(&[label.as_str(); 4].join("."), 1), Some(Code::BadFormat));
    assert!(read(&query(&[label.as_str(); 3].join("."), 1)).is_ok());
}

#[test]
fn a_dot_or_nul_inside_a_label_is_no_name_that_a_rule_could_match() {
    let mut packet = query("evil.example", 1);
    packet[13] = b'.';
    assert_eq!(read(&packet).unwrap().name, "\u{fffd}vil.example");
    packet[13] = 0;
    assert_eq!(read(&packet).unwrap().name, "\u{fffd}vil.example");
}

proptest! {
    #[test]
    fn any_bytes_are_read_and_answers_name_the_question(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        match read(&bytes) {
            Ok(query) => {
                let answer = query.respond(Answer::V6(Ipv6Addr::LOCALHOST));
                prop_assert_eq!(&answer[..2], &bytes[..2]);
                prop_assert!(answer.len() < 512);
            }
            Err(fault) => prop_assert!(fault.answer().is_none_or(|answer| answer.len() == 12)),
        }
    }

    #[test]
    fn a_changed_query_is_read_too(at in 0_usize..27, byte in any::<u8>(), cut in 0_usize..40) {
        let mut packet = query("www.example.com", 1);
        if let Some(place) = packet.get_mut(at) {
            *place = byte;
        }
        packet.truncate(cut);
        if let Ok(query) = read(&packet) {
            prop_assert!(query.name.len() < LONGEST_NAME);
            prop_assert!(query.respond(Answer::Code(Code::Fine)).len() <= packet.len());
        }
    }
}
