//! What nothing holds for root.

use std::path::Path;

use super::*;
use crate::plan::Mounts;

/// A described host, for a user whose processes the kernel does not count.
struct OfRoot<'a>(&'a MemoryHost);

impl Lister for OfRoot<'_> {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        Lister::list(self.0, directory)
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        self.0.shared(path)
    }

    fn mounts(&self) -> Option<Mounts> {
        Lister::mounts(self.0)
    }

    fn counts_processes(&self) -> bool {
        false
    }
}

#[test]
fn a_limit_that_the_kernel_does_not_apply_is_a_gap() {
    let (host, context) = (host(&["/home/u/proj/a"]), context());
    let gaps = |text: &str, is_root: bool| {
        let policy = Policy::compile(documents(text), Vec::new(), &context, &host).unwrap();
        let lister = OfRoot(&host);
        let lister: &dyn Lister = if is_root { &lister } else { &host };
        Plan::make(&Wanted { lister, ..wanted(&policy, &context, &host) }).gaps
    };
    let limited = "allow = [\"cmd:*\"]\n[limits]\nprocesses = 20\n";
    let found = gaps(limited, true);
    assert!(found.iter().any(|gap| gap.rule == "processes = 20"), "{found:?}");
    assert!(gaps(limited, false).is_empty());
    assert!(gaps("allow = [\"cmd:*\"]\n", true).is_empty());
}
