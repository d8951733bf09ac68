//! Values of options that have a small grammar of their own.

mod apt;
mod cargo;
mod curl;
mod docker;
mod image;
mod line;
mod socat;
mod wget;

pub(super) use apt::read as apt;
pub(super) use cargo::{config as cargo_config, rustc as rustc_codegen};
pub(super) use curl::{config as curl_config, connect as curl_connect, form as curl_form};
pub(super) use docker::{mount as docker_mount, volume as docker_volume};
pub(super) use image::read as imagemagick;
pub(super) use line::{env_split, perl_module, tar_checkpoint};
pub(super) use socat::read as socat;
pub(super) use wget::read as wgetrc;

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
