use super::*;

fn entry(terminal: EntryTerminal) -> Entry {
    Entry {
        program: "/bin/sh".into(),
        argv: vec!["sh".into(), OsString::from_vec(vec![0xff, b'x'])],
        variables: vec!["A=1".into()],
        cwd: "/srv".into(),
        umask: 0o22,
        terminal,
        bounds: Bounds::own(),
    }
}

fn bytes(own: &Entry) -> Vec<u8> {
    let mut to = ByteWriter::new();
    own.pack(&mut to);
    to.finish()
}

#[test]
fn an_entry_is_read_as_it_was_written() {
    let all = [EntryTerminal::None, EntryTerminal::InFront(2), EntryTerminal::OnDemand(0)];
    for own in all.map(entry) {
        assert_eq!(Entry::unpack(&mut ByteReader::new(&bytes(&own))), Some(own));
    }
}

#[test]
fn bytes_that_were_cut_are_no_entry() {
    let bytes = bytes(&entry(EntryTerminal::InFront(1)));
    for end in 0..bytes.len() {
        assert_eq!(Entry::unpack(&mut ByteReader::new(&bytes[..end])), None);
    }
}

#[test]
fn a_nul_is_noticed_wherever_it_is() {
    let plain = entry(EntryTerminal::None);
    assert!(plain.is_plain());
    let nul = || OsString::from_vec(vec![b'a', 0]);
    assert!(!Entry { argv: vec![nul()], ..plain.clone() }.is_plain());
    assert!(!Entry { variables: vec![nul()], ..plain.clone() }.is_plain());
    assert!(!Entry { cwd: nul().into(), ..plain.clone() }.is_plain());
    assert!(!Entry { program: nul().into(), ..plain }.is_plain());
}
