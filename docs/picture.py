#!/usr/bin/env python3
"""Draws docs/picture.svg, the picture in README.md.

It runs each command of SESSION in a pseudo-terminal, in a small project of its own, and draws what
the terminal would show. Nothing is written by hand; only the home directory, which has a name of
the moment, is shown as "/home/user". Build the command first (cargo build), or name another one in
RINGFENCE_PROGRAM.
"""

import fcntl
import html
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import tempfile
import termios

DOCS = pathlib.Path(__file__).resolve().parent
SESSION = [
    "ringfence check -- git status",
    "ringfence explain -- 'cat README.md; curl -s https://example.com/x.sh | sh'",
    "ringfence run -- sh -c 'echo hello > note; cat note; cat ~/.ssh/id_rsa'",
]
COLUMNS, CHAR, LINE, MARGIN = 104, 8.43, 20, 18

# The background is the picture's own, so the page may be light or dark.
BACKGROUND, BORDER, TEXT, PROMPT = "#16191d", "#3a4149", "#d8dee4", "#949fab"
COLOURS = {
    30: "#949fab", 31: "#ff8078", 32: "#7ee08c", 33: "#f2cc60", 34: "#7fbcff", 35: "#d9a8ff",
    36: "#76e3ea", 37: "#d8dee4", 90: "#949fab", 91: "#ff8078", 92: "#7ee08c", 93: "#f2cc60",
    94: "#7fbcff", 95: "#d9a8ff", 96: "#76e3ea", 97: "#ffffff",
}


def run(command, project, home, programs):
    """Returns what a terminal gets when a shell runs the command."""
    environment = {
        "HOME": str(home), "USER": "user", "LANG": "C.UTF-8", "TERM": "xterm-256color",
        "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin",
    }
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
        os.chdir(project)
        os.execve("/bin/sh", ["sh", "-c", command], environment)
    said = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        said += part
    os.waitpid(process, 0)
    os.close(terminal)
    return said.decode().replace("\r\n", "\n")


def cells(text):
    """Yields the lines of a terminal's text, each as a list of (style, text)."""
    colour, bold, dim = None, False, False
    for line in text.split("\n"):
        parts = []
        for piece in re.split(r"(\x1b\[[0-9;?]*[A-Za-z])", line):
            control = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
            if control:
                for code in [int(own or 0) for own in control[1].split(";")]:
                    if code == 0:
                        colour, bold, dim = None, False, False
                    elif code in (1, 2):
                        bold, dim = bold or code == 1, dim or code == 2
                    elif code == 22:
                        bold, dim = False, False
                    elif code == 39:
                        colour = None
                    elif code in COLOURS:
                        colour = COLOURS[code]
            elif piece and not piece.startswith("\x1b"):
                parts.append(((colour or (PROMPT if dim else TEXT), bold), piece))
        yield parts


def folded(parts):
    """Splits a line where the terminal would."""
    line, used = [], 0
    for style, text in parts:
        while used + len(text) > COLUMNS:
            line.append((style, text[:COLUMNS - used]))
            yield line
            text, line, used = text[COLUMNS - used:], [], 0
        line.append((style, text))
        used += len(text)
    yield line


def draw(lines):
    width = round(COLUMNS * CHAR + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="title">',
        '<title id="title">A terminal: ringfence allows git status, refuses a downloaded script, and '
        'keeps a confined command from a key</title>',
        f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" '
        f'fill="{BACKGROUND}" stroke="{BORDER}"/>',
        '<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" '
        f'font-size="14" fill="{TEXT}" xml:space="preserve">',
    ]
    for number, parts in enumerate(lines):
        y, column = MARGIN + number * LINE + 14, 0
        for (colour, bold), text in parts:
            # Each run of a colour, and each word after a gap, has a place of its own: columns stay
            # columns in whatever font there is.
            for word in re.finditer(r"\S+(?: \S+)*", text):
                x = MARGIN + (column + word.start()) * CHAR
                more = ("" if colour == TEXT else f' fill="{colour}"') + (' font-weight="700"' if bold else "")
                length = f' textLength="{len(word[0]) * CHAR:.0f}"' if len(word[0]) > 1 else ""
                out.append(f'<text x="{x:.1f}" y="{y}"{length}{more}>{html.escape(word[0], quote=False)}</text>')
            column += len(text)
    return "\n".join([*out, "</g>", "</svg>", ""])


def main():
    built = DOCS.parent / "target/debug/ringfence"
    program = pathlib.Path(os.environ.get("RINGFENCE_PROGRAM", built)).resolve(strict=True)
    # Not below /tmp, of which a run has one of its own.
    above = pathlib.Path("/home" if os.geteuid() == 0 else pathlib.Path.home())
    place = pathlib.Path(tempfile.mkdtemp(prefix="ringfence-picture-", dir=above))
    try:
        project, home, programs = place / "home/shop", place / "home", place / "bin"
        for directory in (project, home / ".ssh", programs):
            directory.mkdir(parents=True)
        shutil.copy(program, programs / "ringfence")
        (home / ".ssh/id_rsa").write_text("a key\n")
        (project / "README.md").write_text("# shop\n")
        subprocess.run(["git", "init", "--quiet", project], check=True)
        lines = []
        for command in SESSION:
            prompt = [(("#7ee08c", True), "$ "), (("#ffffff", True), command)]
            lines += folded(prompt)
            said = run(command, project, home, programs).rstrip("\n")
            said = said.replace(str(home), "/home/user")
            assert str(place) not in said, said
            for parts in cells(said):
                lines += folded(parts)
            lines.append([])
        (DOCS / "picture.svg").write_text(draw(lines[:-1]))
    finally:
        shutil.rmtree(place)


if __name__ == "__main__":
    main()
