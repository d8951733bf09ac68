use std::fs::File;
use std::io::Write;
use std::os::fd::AsFd;

use super::*;

#[test]
fn a_message_arrives_with_its_descriptors() {
    let (one, two) = UnixStream::pair().unwrap();
    let null = File::open("/dev/null").unwrap();
    send_frame(&one, b"first", &[null.as_fd(), null.as_fd()]).unwrap();
    send_frame(&one, b"", &[]).unwrap();
    let (bytes, fds) = receive_frame(&two).unwrap().unwrap();
    assert_eq!((bytes.as_slice(), fds.len()), (&b"first"[..], 2));
    let (bytes, fds) = receive_frame(&two).unwrap().unwrap();
    assert!(bytes.is_empty() && fds.is_empty());
    drop(one);
    assert!(receive_frame(&two).unwrap().is_none());
}

#[test]
fn a_message_that_is_cut_or_too_long_is_an_error() {
    let (mut one, two) = UnixStream::pair().unwrap();
    one.write_all(&9_u32.to_ne_bytes()).unwrap();
    one.write_all(b"few").unwrap();
    drop(one);
    assert!(receive_frame(&two).is_err());
    let (mut one, two) = UnixStream::pair().unwrap();
    one.write_all(&u32::MAX.to_ne_bytes()).unwrap();
    assert_eq!(receive_frame(&two).unwrap_err().kind(), io::ErrorKind::InvalidData);
}
