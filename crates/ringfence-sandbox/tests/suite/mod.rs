mod basics;
mod escape;
mod fixture;
