use super::*;

#[test]
fn this_host_holds_everything() {
    let facets = host();
    let missing: Vec<String> =
        facets.iter().filter(|own| own.state != State::Full).map(ToString::to_string).collect();
    assert_eq!(missing, Vec::<String>::new());
    assert_eq!(facets.len(), 10);
}

#[test]
fn what_an_old_landlock_lacks_is_said() {
    assert_eq!(missing(6), "");
    assert_eq!(missing(5), "abstract sockets and signals");
    assert_eq!(
        missing(1),
        "renames between directories, truncation, device ioctls, abstract sockets and signals"
    );
}

#[test]
fn an_attempt_that_fails_says_how() {
    let attempt = Attempt::new();
    assert_eq!(attempt.plain(|_| Err(Errno(libc::EBUSY))), Err(Errno(libc::EBUSY)));
    assert_eq!(attempt.plain(|_| Ok(())), Ok(()));
    assert_eq!(attempt.namespaces(0, |_| Err(Errno(libc::ENOSYS))), Err(Errno(libc::ENOSYS)));
}
