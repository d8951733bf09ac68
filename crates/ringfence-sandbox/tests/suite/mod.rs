mod basics;
mod escape;
mod fixture;
mod sockets;
mod streams;
mod waiting;
