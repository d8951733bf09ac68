use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use proptest::prelude::*;
use ringfence_core::path::AbsPath;
use rustix::io::Errno;

use super::{follow, real_path};

/// Returns the C library's result for the same path.
fn expected(path: &str) -> Result<AbsPath, Errno> {
    match fs::canonicalize(path) {
        Ok(real) => Ok(AbsPath::new(real.to_str().unwrap()).unwrap()),
        Err(error) => Err(Errno::from_io_error(&error).unwrap()),
    }
}

/// Creates a directory with a file, a directory and a few symlinks.
fn world(links: &[(usize, String)]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join("dir/deep")).unwrap();
    fs::write(place.path().join("file"), "").unwrap();
    fs::write(place.path().join("dir/deep/file"), "").unwrap();
    for (number, target) in links {
        let target = target.replace("ROOT", place.path().to_str().unwrap());
        // If the name exists, the first symlink stays.
        let _ = symlink(target, place.path().join(format!("l{number}")));
        let _ = symlink("../l0", place.path().join("dir/up"));
    }
    place
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("dir".to_owned()),
        Just("deep".to_owned()),
        Just("file".to_owned()),
        Just("up".to_owned()),
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just(String::new()),
        (0_usize..4).prop_map(|number| format!("l{number}")),
    ]
}

fn words() -> impl Strategy<Value = String> {
    proptest::collection::vec(name(), 1..6).prop_map(|names| names.join("/"))
}

fn target() -> impl Strategy<Value = String> {
    let whole = words().prop_map(|words| format!("ROOT/{words}"));
    prop_oneof![words(), whole].prop_filter("a link leads somewhere", |target| !target.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn paths_lead_where_the_c_library_says(
        links in proptest::collection::vec((0_usize..4, target()), 0..4),
        path in words(),
    ) {
        let place = world(&links);
        let path = format!("{}/{path}", place.path().to_str().unwrap());
        prop_assert_eq!(follow(&path), expected(&path), "{}", path);
    }
}

#[test]
fn a_ring_of_links_is_an_error_and_its_path_stays() {
    let place = world(&[(0, "l1".into()), (1, "l0".into())]);
    let path = AbsPath::new(place.path().join("l0").to_str().unwrap()).unwrap();
    assert_eq!(follow(path.as_str()), Err(Errno::LOOP));
    assert_eq!(real_path(&path), path);
}

#[test]
fn the_root_and_missing_paths() {
    assert_eq!(follow("/"), Ok(AbsPath::root()));
    assert_eq!(follow("//"), Ok(AbsPath::root()));
    assert_eq!(follow("/nobody/has/this"), Err(Errno::NOENT));
    assert_eq!(follow("etc"), Err(Errno::INVAL));
    assert_eq!(follow(""), Err(Errno::INVAL));
    assert!(Path::new("/proc/self").exists());
    assert_eq!(follow("/proc/self"), expected("/proc/self"));
}

#[test]
fn a_link_that_is_not_utf_8_is_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let place = tempfile::tempdir().unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"\xff");
    symlink(odd, place.path().join("odd")).unwrap();
    assert_eq!(follow(place.path().join("odd").to_str().unwrap()), Err(Errno::ILSEQ));
}
