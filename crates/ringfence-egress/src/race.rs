//! Two futures, whichever is first.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

/// Which of the two was first.
pub(crate) enum First<A, B> {
    One(A),
    Other(B),
}

/// Waits for whichever is first; the other is dropped.
pub(crate) async fn race<A, B>(
    one: impl Future<Output = A>,
    other: impl Future<Output = B>,
) -> First<A, B> {
    let mut one = pin!(one);
    let mut other = pin!(other);
    poll_fn(|cx| {
        if let Poll::Ready(done) = one.as_mut().poll(cx) {
            return Poll::Ready(First::One(done));
        }
        other.as_mut().poll(cx).map(First::Other)
    })
    .await
}
