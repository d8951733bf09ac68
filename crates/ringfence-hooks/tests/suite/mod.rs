mod asks;
mod cases;
mod checklist;
mod closed;
mod installs;
mod mangled;
mod setups;
