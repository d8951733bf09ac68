use super::*;

fn bundle(files: &[(&str, &str)]) -> Bundle {
    let file = |(name, bytes): &(&str, &str)| (Box::from(*name), bytes.as_bytes().to_vec());
    Bundle(files.iter().map(file).collect())
}

#[test]
fn every_byte_and_every_name_counts() {
    let whole = [("ringfence.toml", "allow = []"), ("base.toml", "")];
    let hash = |files: &[(&str, &str)]| bundle(files).fingerprint();
    assert_eq!(hash(&whole), hash(&whole));
    for other in [
        &[("ringfence.toml", "allow = [ ]"), ("base.toml", "")][..],
        &[("ringfence.toml", "allow = []"), ("base.toml", "\n")],
        &[("ringfence.toml", "allow = []"), ("bas.toml", "e")],
        &[("ringfence.toml", "allow = []base.toml"), ("", "")],
        &[("base.toml", ""), ("ringfence.toml", "allow = []")],
        &[("ringfence.toml", "allow = []")],
        &[],
    ] {
        assert_ne!(hash(&whole), hash(other), "{other:?}");
    }
}

#[test]
fn hashes_are_printed_and_read() {
    let hash = bundle(&[("a", "b")]).fingerprint();
    assert_eq!(Fingerprint::parse(&hash.to_string()), Some(hash));
    for text in ["", "00", &"g".repeat(64), &"0".repeat(63), &"é".repeat(32), &"+".repeat(64)] {
        assert_eq!(Fingerprint::parse(text), None, "{text}");
    }
}

#[test]
fn files_are_named_as_seen_from_the_root() {
    let root = AbsPath::new("/p/a").unwrap();
    for (path, name) in
        [("/p/a/x/y.toml", "x/y.toml"), ("/p/ab/y.toml", "/p/ab/y.toml"), ("/q", "/q")]
    {
        assert_eq!(name_in(Some(&root), &AbsPath::new(path).unwrap()), name);
    }
    assert_eq!(name_in(None, &root), "/p/a");
}

#[test]
fn contents_are_serialized_and_parsed() {
    for files in [&[("ringfence.toml", "allow = []"), ("/srv/base.toml", "")][..], &[]] {
        let whole = bundle(files);
        assert_eq!(Bundle::from_bytes(&whole.to_bytes()), Some(whole));
    }
    let bytes = bundle(&[("a", "bcd")]).to_bytes();
    for end in 1..bytes.len() {
        assert_eq!(Bundle::from_bytes(&bytes[..end]), None, "{end}");
    }
    assert_eq!(Bundle::from_bytes(&[0xff; 9]), None);
}
