//! What is mounted twice.

use super::*;

const ROOT: &str = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw";
const PROC: &str = "22 27 0:21 / /proc rw - proc proc rw";

fn mounts(lines: &[&str]) -> Mounts {
    Mounts::parse(format!("{}\n", lines.join("\n")).as_bytes()).unwrap()
}

#[track_caller]
fn check(mounts: &Mounts, path: &str, expected: &[&str]) {
    let names = mounts.names(Path::new(path));
    assert_eq!(names, expected.iter().map(PathBuf::from).collect::<Vec<_>>(), "{path}");
    for name in names {
        assert!(
            mounts.names(&name).contains(&PathBuf::from(path)),
            "{name:?} is no name of {path}"
        );
    }
}

#[test]
fn where_nothing_is_mounted_twice_nothing_is_kept() {
    let lines = [ROOT, PROC, "23 27 0:21 / /chroot/proc rw - proc proc rw"];
    assert_eq!(mounts(&lines), Mounts::default());
    assert!(mounts(&[ROOT, "30 27 0:33 / /tmp rw - tmpfs tmpfs rw"]).is_empty());
    // Two parts of one file system, neither inside the other.
    let parts =
        ["27 1 0:40 /@ / rw - btrfs /dev/sda rw", "28 27 0:40 /@home /home rw - btrfs /dev/sda rw"];
    assert!(mounts(&parts).is_empty());
    assert!(mounts(&[]).is_empty());
}

#[test]
fn a_directory_at_two_places() {
    let own =
        mounts(&[ROOT, PROC, "40 27 254:0 /home/u/proj /srv/alias rw shared:1 - ext4 /dev/vda rw"]);
    check(&own, "/home/u/proj", &["/srv/alias"]);
    check(&own, "/srv/alias", &["/home/u/proj"]);
    check(&own, "/srv/alias/a/b", &["/home/u/proj/a/b"]);
    for other in ["/home/u", "/home/u/project", "/srv", "/srv/alias2", "/", "/proc/1"] {
        check(&own, other, &[]);
    }
    let below = own.names_below(Path::new("/home"));
    assert_eq!(below, [("/home/u/proj".into(), "/srv/alias".into())]);
    assert_eq!(own.names_below(Path::new("/home/u/proj")), []);
    assert_eq!(own.points_below(Path::new("/srv")).collect::<Vec<_>>(), [Path::new("/srv/alias")]);
}

#[test]
fn a_single_file_and_a_name_with_blanks() {
    let own = mounts(&[ROOT, r"40 27 254:0 /home/u/a\040b\134c /srv/x\011y rw - ext4 /dev/vda rw"]);
    check(&own, "/home/u/a b\\c", &["/srv/x\ty"]);
    check(&own, "/srv/x\ty", &["/home/u/a b\\c"]);
}

#[test]
fn what_is_mounted_over_is_not_seen() {
    let alias = "40 27 254:0 /home/u /srv/alias rw - ext4 /dev/vda rw";
    // Something lies on the first place.
    let own = mounts(&[ROOT, alias, "41 27 0:50 / /home/u/proj rw - tmpfs tmpfs rw"]);
    check(&own, "/srv/alias/proj/x", &[]);
    check(&own, "/home/u/proj/x", &[]);
    check(&own, "/srv/alias/other", &["/home/u/other"]);
    // On the second one.
    let own = mounts(&[ROOT, alias, "41 40 0:50 / /srv/alias rw - tmpfs tmpfs rw"]);
    check(&own, "/home/u/x", &[]);
    // Above it: what was mounted below before is hidden with it.
    let own = mounts(&[ROOT, alias, "41 27 0:50 / /srv rw - tmpfs tmpfs rw"]);
    check(&own, "/home/u/x", &[]);
    // A directory on itself is seen once, and through a third one.
    let itself = "42 27 254:0 /home/u/proj /home/u/proj rw - ext4 /dev/vda rw";
    let own = mounts(&[ROOT, itself]);
    check(&own, "/home/u/proj/x", &[]);
    let own = mounts(&[ROOT, alias, itself]);
    check(&own, "/home/u/proj/x", &["/srv/alias/proj/x"]);
}

#[test]
fn binds_of_binds_and_inside_one_another() {
    let own = mounts(&[
        ROOT,
        "40 27 254:0 /home/u /srv/a rw - ext4 /dev/vda rw",
        "41 40 254:0 /home/u/proj /srv/a/b rw - ext4 /dev/vda rw",
        "42 27 254:0 /home/u/proj/sub/file /opt/f rw - ext4 /dev/vda rw",
        "43 27 254:0 / /pool rw - ext4 /dev/vda rw",
    ]);
    let all =
        ["/home/u/proj/sub/file", "/opt/f", "/pool/home/u/proj/sub/file", "/srv/a/b/sub/file"];
    for path in all.iter().chain(&["/srv/a/proj/sub/file"]) {
        let mut names = own.names(Path::new(path));
        names.push(path.into());
        names.sort();
        let mut expected: Vec<PathBuf> = all.iter().map(PathBuf::from).collect();
        expected.push("/srv/a/proj/sub/file".into());
        expected.sort();
        assert_eq!(names, expected, "{path}");
    }
}

#[test]
fn what_is_gone_or_no_path_is_no_second_name() {
    let gone = r"40 27 254:0 /home/u/proj//deleted /srv/alias rw - ext4 /dev/vda rw";
    assert!(mounts(&[ROOT, gone]).is_empty());
    let net = "41 27 0:4 net:[4026532000] /run/netns/a rw - nsfs nsfs rw";
    assert!(mounts(&[ROOT, net, net]).is_empty());
}

#[test]
fn what_is_no_list_of_mounts_is_refused() {
    for line in
        ["x", "27 1 254:0 / /", "27 1 254 / / rw - ext4 a rw", "27 1 a:b / / rw - ext4 a rw"]
    {
        assert_eq!(Mounts::parse(line.as_bytes()), None, "{line}");
    }
}

#[test]
fn many_of_them_are_looked_through_at_once() {
    let mut lines = vec![ROOT.to_owned()];
    lines.extend(
        (100..1100).map(|id| format!("{id} 27 254:0 /home/u/{id} /srv/{id} rw - ext4 /dev/vda rw")),
    );
    let own = Mounts::parse(lines.join("\n").as_bytes()).unwrap();
    check(&own, "/home/u/777/x", &["/srv/777/x"]);
    assert_eq!(own.names_below(Path::new("/home")).len(), 1000);
}

#[test]
fn they_are_kept_as_they_are() {
    let own = mounts(&[ROOT, "40 27 254:0 /home/u /srv/alias rw - ext4 /dev/vda rw"]);
    let mut to = ByteWriter::new();
    own.pack(&mut to);
    let bytes = to.finish();
    assert_eq!(Mounts::unpack(&mut ByteReader::new(&bytes)), Some(own));
}

#[test]
fn this_host_has_such_a_list() {
    Mounts::here().unwrap();
}
