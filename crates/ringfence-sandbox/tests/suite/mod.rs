mod basics;
mod fixture;
