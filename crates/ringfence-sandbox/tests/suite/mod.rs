mod basics;
mod escape;
mod expected;
mod fixture;
mod sockets;
mod streams;
mod waiting;
