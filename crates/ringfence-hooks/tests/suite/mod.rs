mod asks;
mod cases;
mod checklist;
mod closed;
mod installs;
mod joined;
mod mangled;
mod setups;
