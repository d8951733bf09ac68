use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::MemoryHost;
use super::*;

/// A host that counts what it is asked.
struct Counting(MemoryHost, AtomicUsize);

impl Counting {
    fn count<T>(&self, ask: impl FnOnce(&MemoryHost) -> T) -> T {
        self.1.fetch_add(1, Ordering::Relaxed);
        ask(&self.0)
    }
}

impl Host for Counting {
    fn entry(&self, path: &AbsPath) -> Entry {
        self.count(|host| host.entry(path))
    }

    fn list(&self, directory: &AbsPath) -> Option<Vec<Box<str>>> {
        self.0.list(directory)
    }

    fn read(&self, path: &AbsPath, limit: usize) -> Result<Vec<u8>, String> {
        self.0.read(path, limit)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.0.env(name)
    }

    fn home_of(&self, user: &str) -> Option<AbsPath> {
        self.0.home_of(user)
    }

    fn addresses(&self, name: &HostName) -> Option<Vec<IpAddr>> {
        self.0.addresses(name)
    }

    fn find_program(&self, name: &str) -> Option<AbsPath> {
        self.count(|host| host.find_program(name))
    }

    fn path_rules(&self) -> PathRules {
        self.0.path_rules()
    }

    fn registry_hosts(&self, registry: &str) -> Vec<Box<str>> {
        self.0.registry_hosts(registry)
    }

    fn may_write(&self, directory: &AbsPath) -> bool {
        self.count(|host| host.may_write(directory))
    }
}

#[test]
fn each_question_is_asked_once_and_answered_alike() {
    let mut memory = MemoryHost::new();
    let path = |text: &str| AbsPath::new(text).unwrap();
    memory.set_env("PLACE", "/a");
    memory.add_file(&path("/a/b"), "text");
    memory.add_link(&path("/l"), "/a");
    let counting = Arc::new(Counting(memory, AtomicUsize::new(0)));
    let once = Once::new(Arc::clone(&counting) as Arc<dyn Host>);
    let places = ["/", "/a", "/a/b", "/l", "/none"].map(path);
    for _ in 0..3 {
        for place in &places {
            assert_eq!(once.entry(place), counting.0.entry(place));
            assert_eq!(once.may_write(place), counting.0.may_write(place));
        }
        assert_eq!(once.find_program("git"), counting.0.find_program("git"));
        assert_eq!(once.env("PLACE"), counting.0.env("PLACE"));
        assert_eq!(once.list(&places[1]), counting.0.list(&places[1]));
        assert_eq!(once.read(&places[2], 9), counting.0.read(&places[2], 9));
    }
    assert_eq!(counting.1.load(Ordering::Relaxed), places.len() * 2 + 1);
}
