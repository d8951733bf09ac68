use std::sync::atomic::{AtomicUsize, Ordering};

use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date};

use super::*;

fn policy() -> Policy {
    let path = |text| AbsPath::new(text).unwrap();
    let today = Date::from_unix_days(20_000);
    let context = Context::new(None, path("/home/u"), path("/home/u/proj"), today);
    Policy::empty(&context, &MemoryHost::new())
}

#[test]
fn a_later_policy_is_made_once_and_when_it_is_asked_for() {
    let made = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&made);
    let one = InForce::later(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        policy()
    });
    let two = one.clone();
    assert_eq!(made.load(Ordering::Relaxed), 0);
    assert!(Arc::ptr_eq(&one.load(), &two.load()));
    assert!(Arc::ptr_eq(&one.load(), &one.load()));
    assert_eq!(made.load(Ordering::Relaxed), 1);
}

#[test]
fn a_policy_replaced_before_use_is_never_compiled() {
    let never = InForce::later(|| panic!("nobody asked for it"));
    never.replace(policy());
    assert!(Arc::ptr_eq(&never.load(), &never.clone().load()));
}

#[test]
fn replacing_leaves_a_copy_as_it_is() {
    let one = InForce::new(policy());
    let two = one.clone();
    let before = one.load();
    one.replace(policy());
    assert!(Arc::ptr_eq(&two.load(), &before));
    assert!(!Arc::ptr_eq(&one.load(), &before));
}
