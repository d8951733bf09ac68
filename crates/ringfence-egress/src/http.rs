//! HTTP/1 as a proxy must read it.
//!
//! Requests are read by the letter of RFC 9112: what two readers could take for two different
//! messages is refused, never repaired, because the second reader is a server beyond the gate.
//! Responses are read more kindly: they go to the one who asked. What is sent on is written anew.

pub(crate) mod answer;
mod body;
mod exchange;
mod fields;
pub(crate) mod request;
pub(crate) mod response;
mod serve;

pub(crate) use fields::{Care, end_of_head};
pub(crate) use serve::{Within, say, serve};
