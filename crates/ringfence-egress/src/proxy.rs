//! The proxy's port: HTTP, or SOCKS5 if the first byte says so.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpStream;

use crate::buffer::Buffer;
use crate::gate::Asks;
use crate::http::{self, Within};
use crate::observe::Via;
use crate::shared::Shared;
use crate::socks;

/// Serves one client.
pub(crate) async fn serve(shared: Arc<Shared>, mut stream: TcpStream, client: SocketAddr) {
    let mut buffer = Buffer::default();
    if stream.set_nodelay(true).is_err() {
        return;
    }
    let Ok(1..) = buffer.fill_within(&mut stream, shared.gate.limits.keep_alive).await else {
        return;
    };
    let client = Some(client);
    if buffer.bytes().first() == Some(&socks::VERSION) {
        let asks = Asks { via: Via::Socks, client };
        socks::serve(&shared, stream, buffer, asks).await;
    } else {
        let asks = Asks { via: Via::Http, client };
        http::serve(&shared, stream, buffer, asks, Within::Proxy, None).await;
    }
}
