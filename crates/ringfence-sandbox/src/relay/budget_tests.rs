use super::*;

#[test]
fn it_is_over_with_the_first_byte_too_many() {
    let budget = Budget::new(10).unwrap();
    assert_eq!([budget.take(4), budget.take(0), budget.take(6)], [4, 0, 6]);
    assert!(!budget.is_over());
    assert_eq!(budget.take(1), 0);
    assert!(budget.is_over());
    let budget = Budget::new(10).unwrap();
    assert_eq!(budget.take(11), 10);
    assert!(budget.is_over());
    assert_eq!(budget.take(5), 0);
}

#[test]
fn threads_share_it() {
    let budget = Budget::new(1_000).unwrap();
    let taken: usize = std::thread::scope(|scope| {
        let take = || (0..1_000).map(|_| budget.take(1)).sum::<usize>();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(taken, 1_000);
}
