use super::*;

fn setup() -> Setup {
    let object = |text: &str| Object { path: CString::new(text).unwrap(), inode: Some((1, 2)) };
    let rule = |code, k| libc::sock_filter { code, jt: 3, jf: 4, k };
    Setup {
        net: NetSetup { proxy: Some(3128), taken: vec![([127, 0, 0, 1], 22)], resolver: true },
        writable: Some(vec![object("/p")]),
        private: vec![Private::new(object("/tmp")), Private::new(object("/dev/shm"))],
        hidden: vec![
            Hidden::new(object("/p/.env"), Cover::File),
            Hidden::new(object("/p/private"), Cover::Directory),
            Hidden::new(object("/home/u/.bashrc"), Cover::Blank),
        ],
        hidden_in_proc: vec![Object { inode: None, ..object("/proc/meminfo") }],
        most_processes: Some(b"400".to_vec()),
        confine: Confine {
            landlock: vec![LandlockRule { object: object("/usr"), access: 13 }],
            private: 15,
            blank: 4,
            filter: vec![rule(0x20, 4), rule(0x15, u32::MAX)],
            limits: vec![(4, 0)],
        },
        cwd: Object { inode: None, ..object("/p") },
    }
}

#[test]
fn what_was_packed_is_unpacked() {
    let packed = setup().pack();
    assert_eq!(format!("{:?}", Setup::unpack(&packed).unwrap()), format!("{:?}", setup()));
}

#[test]
fn every_part_is_in_the_bytes() {
    let changes: [fn(&mut Setup); 18] = [
        |own| own.net.proxy = None,
        |own| own.net.taken.clear(),
        |own| own.net.resolver = false,
        |own| own.writable = None,
        |own| drop(own.private.pop()),
        |own| own.hidden[1].cover = Cover::File,
        |own| own.hidden_in_proc.clear(),
        |own| own.most_processes = None,
        |own| own.confine.landlock[0].access = 12,
        |own| own.confine.filter[1].jf = 5,
        |own| own.confine.limits[0].1 = 1,
        |own| own.confine.private = 0,
        |own| own.confine.blank = 0,
        |own| own.writable.as_mut().unwrap()[0].inode = Some((1, 3)),
        |own| own.private[0].object.inode = None,
        |own| own.hidden[0].object.inode = Some((2, 2)),
        |own| own.confine.landlock[0].object.inode = Some((1, 1)),
        |own| own.cwd.inode = Some((1, 2)),
    ];
    let first = setup().pack();
    for change in changes {
        let mut other = setup();
        change(&mut other);
        assert_ne!(other.pack(), first, "{other:?}");
    }
    let none = Setup { writable: Some(Vec::new()), ..setup() }.pack();
    assert_ne!(none, Setup { writable: None, ..setup() }.pack());
}

#[test]
fn other_bytes_are_nothing() {
    let packed = setup().pack();
    for length in 0..packed.len() {
        assert!(Setup::unpack(&packed[..length]).is_none(), "{length}");
    }
    assert!(Setup::unpack(&[packed.as_slice(), b"x"].concat()).is_none());
    let long = [1_u64.to_le_bytes(), 0_u64.to_le_bytes(), u64::MAX.to_le_bytes()].concat();
    assert!(Setup::unpack(&long).is_none());
}
