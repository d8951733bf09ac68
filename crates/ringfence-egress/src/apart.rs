//! Work that blocks, in threads of its own.
//!
//! A run can use up what its user may start. Then the one piece of work fails, and its client is told
//! so; a runtime that starts threads by itself would panic.

use std::io;

use tokio::sync::oneshot;

/// Has something done by a thread of its own.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    let (tell, told) = oneshot::channel();
    let body = move || drop(tell.send(work()));
    std::thread::Builder::new().name("ringfence-wait".to_owned()).spawn(body)?;
    told.await.map_err(io::Error::other)
}
