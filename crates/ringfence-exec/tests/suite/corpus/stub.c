/* Programs that may not be at hand, as far as an attack needs them: what they are told to run,
 * read, write or dial, they do. Which one it is says its name. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void say(const char *text) {
    /* Where the output goes nobody knows. */
    dprintf(1, "PWNED %s\n", text);
    dprintf(2, "PWNED %s\n", text);
}

/* Sends what is in a file to whoever listens outside. */
static int dial(const char *path) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (void *)&to, sizeof to) < 0) return 1;
    char bytes[512];
    int file = path ? open(path, O_RDONLY) : -1;
    ssize_t length = file < 0 ? 0 : read(file, bytes, sizeof bytes);
    if (length > 0) write(fd, bytes, length);
    close(fd);
    say("dialled");
    return 0;
}

static int show(const char *path) {
    char bytes[512];
    int fd = open(path, O_RDONLY);
    ssize_t length = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
    if (length < 0) { perror(path); return 1; }
    write(1, bytes, length);
    return 0;
}

static int run(char **words) {
    execvp(words[0], words);
    perror(words[0]);
    return 126;
}

static int after(int count, char **words, const char *mark) {
    for (int at = 1; at < count; at++) if (!strcmp(words[at], mark)) return run(words + at + 1);
    return 2;
}

static char *value(char **words, const char *name) {
    for (; *words; words++) {
        char *found = strstr(*words, name);
        if (found) return found + strlen(name);
    }
    return 0;
}

static int each(int count, char **words) {
    char *own[64] = {0};
    int kept = 0, at = 1;
    for (; at < count && strcmp(words[at], ":::"); at++) own[kept++] = words[at];
    if (at + 1 < count) own[kept] = words[at + 1];
    return run(own);
}

static int curl(char **words) {
    char *file = value(words, "-sT");
    for (char **at = words; *at; at++) {
        if (strcmp(*at, "--dump-header") || !at[1]) continue;
        FILE *out = fopen(at[1], "w");
        if (!out) { perror(at[1]); return 1; }
        fprintf(out, "PWNED header\n");
        fclose(out);
    }
    return dial(file);
}

static int cargo(char **words) {
    char *config = 0, *linker = 0, line[256];
    for (char **at = words; *at; at++) if (!strcmp(*at, "--config")) config = at[1];
    char *flags = getenv("RUSTFLAGS");
    if (flags && (linker = strstr(flags, "linker="))) linker += 7;
    FILE *file = config ? fopen(config, "r") : 0;
    if (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        linker = strchr(line, '=') ? strchr(line, '=') + 1 : 0;
    }
    char *own[] = {linker, 0};
    return linker ? run(own) : 0;
}

int main(int count, char **words) {
    char *name = strrchr(words[0], '/') ? strrchr(words[0], '/') + 1 : words[0];
#define IS(own) (!strcmp(name, own))
    if (IS("nc") || IS("wget") || IS("ping")) return dial(0);
    if (IS("curl")) return curl(words);
    if (IS("parallel")) return each(count, words);
    if (IS("doas") || IS("sudo")) return run(words + 1);
    if (IS("cpulimit")) return after(count, words, "--");
    if (IS("direnv")) return after(count, words, ".");
    if (IS("cargo")) return cargo(words);
    if (IS("rg")) {
        char *own[] = {value(words, "--pre="), "README.md", 0};
        return own[0] ? run(own) : 0;
    }
    if (IS("docker")) {
        char path[512], *from = value(words, "src=");
        snprintf(path, sizeof path, "%.*s/id_rsa", from ? (int)strcspn(from, ",") : 0, from);
        return show(path);
    }
    if (IS("xdg-open")) return show(value(words, "file://"));
    if (IS("apt-get")) {
        char *line = value(words, "Pre-Invoke::=");
        char *own[] = {"sh", "-c", line, 0};
        return line ? run(own) : 0;
    }
    if (IS("npm")) {
        if (count > 1 && !strcmp(words[1], "publish")) say("published");
        char *own[] = {"node", "-e", "0", 0};
        return count > 1 && !strcmp(words[1], "test") ? run(own) : 0;
    }
    say(name);
    return 0;
}
