use std::os::unix::net::UnixListener;

use super::*;

#[test]
fn regular_files_are_read_up_to_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    std::fs::write(&path, "abc").unwrap();
    assert_eq!(read(&path, Links::Refused, 3), Ok(b"abc".to_vec()));
    assert_eq!(read(&path, Links::Refused, 2), Err(ReadError::Long));
    assert_eq!(read(&dir.path().join("g"), Links::Refused, 2), Err(ReadError::Missing));
    assert_eq!(read(&path.join("x"), Links::Refused, 2), Err(ReadError::Missing));
    assert_eq!(read(dir.path(), Links::Refused, 2), Err(ReadError::NotAFile));
}

#[test]
fn pipes_sockets_and_devices_are_no_files_and_nothing_waits_for_them() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let socket = dir.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    for path in [pipe.as_path(), socket.as_path(), Path::new("/dev/zero"), Path::new("/dev/null")] {
        assert_eq!(read(path, Links::Followed, 9), Err(ReadError::NotAFile), "{}", path.display());
    }
}

#[test]
fn files_without_a_size_are_read_too() {
    let bytes = read(Path::new("/proc/self/status"), Links::Followed, 1 << 20).unwrap();
    assert!(bytes.starts_with(b"Name:"));
    assert_eq!(read(Path::new("/proc/self/status"), Links::Followed, 4), Err(ReadError::Long));
}

#[test]
fn links_are_followed_only_if_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let (file, link) = (dir.path().join("f"), dir.path().join("l"));
    std::fs::write(&file, "abc").unwrap();
    std::os::unix::fs::symlink("f", &link).unwrap();
    assert_eq!(read(&link, Links::Followed, 9), Ok(b"abc".to_vec()));
    assert_eq!(read(&link, Links::Refused, 9), Err(ReadError::Refused(Errno::LOOP)));
}

#[test]
fn a_link_anywhere_on_a_resolved_path_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("d")).unwrap();
    std::fs::write(dir.path().join("d/f"), "abc").unwrap();
    std::os::unix::fs::symlink("d", dir.path().join("l")).unwrap();
    let real = std::fs::canonicalize(dir.path()).unwrap();
    assert_eq!(read(&real.join("d/f"), Links::Refused, 9), Ok(b"abc".to_vec()));
    assert_eq!(read(&real.join("l/f"), Links::Refused, 9), Err(ReadError::Refused(Errno::LOOP)));
    assert_eq!(read(&real.join("l/f"), Links::Followed, 9), Ok(b"abc".to_vec()));
}

#[test]
fn below_a_directory_no_link_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("root/real")).unwrap();
    std::fs::write(dir.path().join("root/real/f"), "abc").unwrap();
    std::fs::write(dir.path().join("f"), "outside").unwrap();
    std::os::unix::fs::symlink("root", dir.path().join("way")).unwrap();
    std::os::unix::fs::symlink("..", dir.path().join("root/up")).unwrap();
    let opens = |below: &str| open_file_in(&dir.path().join("way"), Path::new(below)).is_ok();
    assert!(opens("real/f"));
    assert!(!opens("up/f"));
    assert!(!opens("real"));
}
