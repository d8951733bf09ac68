use std::io::Read;
use std::thread;
use std::time::Duration;

use super::*;

/// More than any pipe holds.
const MUCH: usize = 4 << 20;

#[test]
fn what_does_not_fit_waits_until_it_is_read() {
    let (mut reader, writer) = io::pipe().unwrap();
    let mut pipe = Pipe::new(writer).unwrap();
    let hold = pipe.hold();
    let writing = thread::spawn(move || pipe.write_all(&[7; MUCH]));
    while !hold.is_stuck() {
        thread::sleep(Duration::from_millis(1));
    }
    let mut all = Vec::new();
    reader.read_to_end(&mut all).unwrap();
    assert_eq!(all.len(), MUCH);
    writing.join().unwrap().unwrap();
    assert!(!hold.is_stuck());
}

#[test]
fn whoever_waits_for_room_can_be_let_go() {
    let (_reader, writer) = io::pipe().unwrap();
    let mut pipe = Pipe::new(writer).unwrap();
    let hold = pipe.hold();
    let writing = thread::spawn(move || pipe.write_all(&[7; MUCH]));
    while !hold.is_stuck() {
        thread::sleep(Duration::from_millis(1));
    }
    hold.give_up();
    assert_eq!(writing.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}
