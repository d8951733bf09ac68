//! Names of images, as ImageMagick takes them: a prefix may make anything of them.

use super::super::Finding;

/// Prefixes that make an image of nothing.
const DRAWN: &[&str] = &[
    "xc",
    "canvas",
    "gradient",
    "radial-gradient",
    "plasma",
    "pattern",
    "null",
    "rose",
    "logo",
    "wizard",
    "granite",
    "netscape",
    "magick",
    "hald",
    "fractal",
    "info",
    "histogram",
    "fd",
    "stdin",
    "stdout",
    "mpr",
    "mpri",
    "label",
    "caption",
    "pango",
];

/// Prefixes of file formats.
const FORMATS: &[&str] = &[
    "png", "png8", "png24", "png32", "jpg", "jpeg", "gif", "bmp", "bmp3", "tif", "tiff", "webp",
    "ico", "icon", "ppm", "pgm", "pbm", "pnm", "tga", "avif", "heic", "jxl", "jp2", "txt", "json",
    "miff", "mpc", "cache", "dib", "xpm", "rgb", "rgba", "gray", "cmyk", "tile", "stegano",
];

/// Reads the name of an image. It may be read or written; only the program knows which.
pub(in super::super) fn read(code: &str) -> Vec<Finding> {
    let name = code.trim();
    if name.is_empty() || name == "-" {
        return Vec::new();
    }
    if let Some(command) = name.strip_prefix('|') {
        return vec![Finding::Shell(command.trim().to_owned())];
    }
    if let Some(list) = name.strip_prefix('@') {
        return vec![Finding::Read(list.to_owned())];
    }
    match name.split_once(':') {
        Some((prefix, rest)) => prefixed(&prefix.to_ascii_lowercase(), rest, name),
        None => file(name),
    }
}

fn file(name: &str) -> Vec<Finding> {
    // A part in brackets at the end chooses frames or a size.
    let path = match name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        Some((path, _)) if !path.is_empty() => path,
        _ => name,
    };
    vec![Finding::Read(path.to_owned()), Finding::Write(path.to_owned())]
}

fn prefixed(prefix: &str, rest: &str, name: &str) -> Vec<Finding> {
    match prefix {
        "http" | "https" | "ftp" | "url" => {
            vec![Finding::Url(name.trim_start_matches("url:").to_owned())]
        }
        "file" => vec![Finding::Read(rest.trim_start_matches("//").to_owned())],
        "ephemeral" => vec![Finding::Read(rest.to_owned()), Finding::Delete(rest.to_owned())],
        _ if rest.starts_with('|') => {
            vec![Finding::Shell(rest.trim_start_matches('|').trim().to_owned())]
        }
        _ if DRAWN.contains(&prefix) => {
            rest.strip_prefix('@').map(|path| Finding::Read(path.to_owned())).into_iter().collect()
        }
        "inline" if rest.starts_with("data:") => Vec::new(),
        "inline" => vec![Finding::Read(rest.to_owned())],
        "text" => vec![Finding::Read(rest.trim_start_matches('@').to_owned())],
        _ if FORMATS.contains(&prefix) && rest == "-" => Vec::new(),
        _ if FORMATS.contains(&prefix) => file(rest),
        _ if prefix.contains('/') => file(name),
        // Scripts, and formats for which other programs are run.
        _ => vec![Finding::RunUnknown(format!("images of the kind `{prefix}` may run a program"))],
    }
}
