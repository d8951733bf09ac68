mod basics;
mod escape;
mod fixture;
mod waiting;
