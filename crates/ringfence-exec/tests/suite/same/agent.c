/* Makes the accesses that it reads, one a line, and says what became of each: the number of the
 * error or 0, a tab, and what was got. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PARTS 16
static char got[256];

static int done(int result) { return result < 0 ? errno : 0; }

static int reads(int fd) {
    ssize_t length = read(fd, got, sizeof got - 1);
    if (length < 0) return errno;
    got[length] = 0;
    for (char *at = got; *at; at++) if (*at < ' ') *at = ' ';
    return 0;
}

static int opened(const char *path, int flags, int is_read, int is_written) {
    int fd = open(path, flags | O_NOCTTY, 0644);
    if (fd < 0) return errno;
    int error = is_read ? reads(fd) : 0;
    if (!error && is_written && write(fd, "w", 1) != 1) error = errno;
    close(fd);
    return error;
}

static int listed(const char *path) {
    DIR *directory = opendir(path);
    if (!directory) return errno;
    int count = 0;
    errno = 0;
    while (readdir(directory)) count++;
    int error = errno;
    closedir(directory);
    sprintf(got, "%d", count);
    return error;
}

static int temporary(const char *directory, const char *name) {
    int fd = open(directory, O_TMPFILE | O_WRONLY, 0644);
    if (fd < 0) return errno;
    char path[64];
    sprintf(path, "/proc/self/fd/%d", fd);
    int error = write(fd, "t", 1) == 1 ? 0 : errno;
    if (!error) error = done(linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW));
    close(fd);
    return error;
}

static int is_ready(int fd, int events) {
    struct pollfd wanted = {fd, events, 0};
    return poll(&wanted, 1, 2000) == 1;
}

static int greeted(int fd) {
    if (!is_ready(fd, POLLIN)) { close(fd); return ETIMEDOUT; }
    int error = reads(fd);
    close(fd);
    /* Whoever is there greets. */
    return !error && !*got ? ECONNRESET : error;
}

static int dialled(int port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0) return errno;
    if (connect(fd, (void *)&to, sizeof to) < 0) { int error = errno; close(fd); return error; }
    return greeted(fd);
}

/* Listens; whoever comes within a moment is greeted. */
static int served(int port) {
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0) return errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (void *)&at, sizeof at) < 0 || listen(fd, 4) < 0) return errno;
    printf("listening\n");
    fflush(stdout);
    struct pollfd wanted[2] = {{fd, POLLIN, 0}, {0, POLLIN, 0}};
    /* Whoever tries says when they have given up. */
    if (poll(wanted, 2, 3000) > 0 && wanted[0].revents) {
        int one = accept(fd, 0, 0);
        if (one >= 0) { write(one, "hello", 5); close(one); }
    }
    char line[16];
    close(fd);
    return read(0, line, 1) == 1 ? 0 : EIO;
}

static int named(const char *path, int is_bind) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof to.sun_path) return ENAMETOOLONG;
    strcpy(to.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) return errno;
    if (is_bind) {
        int error = done(bind(fd, (void *)&to, sizeof to));
        struct sockaddr_un own = {0};
        socklen_t length = sizeof own;
        if (!error) error = done(getsockname(fd, (void *)&own, &length));
        if (!error) snprintf(got, sizeof got, "%.200s", own.sun_path);
        close(fd);
        return error;
    }
    if (connect(fd, (void *)&to, sizeof to) < 0) { int error = errno; close(fd); return error; }
    return greeted(fd);
}

static int started(char *file, char **words) {
    int line[2];
    if (pipe2(line, O_CLOEXEC) < 0) return errno;
    pid_t child = fork();
    if (child < 0) return errno;
    if (!child) {
        int null = open("/dev/null", O_RDWR);
        for (int fd = 0; fd < 3; fd++) dup2(null, fd);
        execve(file, words, environ);
        int error = errno;
        write(line[1], &error, sizeof error);
        _exit(127);
    }
    close(line[1]);
    int error = 0, status = 0;
    if (read(line[0], &error, sizeof error) != sizeof error) error = 0;
    close(line[0]);
    waitpid(child, &status, 0);
    if (!error && WIFSIGNALED(status)) return EINTR;
    return error;
}

static int told(const char *name) {
    const char *value = getenv(name);
    if (!value) return ENOENT;
    snprintf(got, sizeof got, "%s", value);
    return 0;
}

static int made(char **part) {
    const char *what = part[0];
    const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
#define IS(name) (!strcmp(what, name))
    if (IS("read")) return opened(part[1], O_RDONLY, 1, 0);
    if (IS("write")) return opened(part[1], O_WRONLY | O_APPEND, 0, 1);
    if (IS("update")) return opened(part[1], O_RDWR, 1, 1);
    if (IS("cut")) return opened(part[1], O_WRONLY | O_TRUNC, 0, 0);
    if (IS("create")) return opened(part[1], O_WRONLY | O_CREAT | O_EXCL, 0, 1);
    if (IS("touch")) return opened(part[1], O_WRONLY | O_CREAT, 0, 0);
    if (IS("truncate")) return done(truncate(part[1], 1));
    if (IS("temporary")) return temporary(part[1], part[2]);
    if (IS("list")) return listed(part[1]);
    if (IS("mkdir")) return done(mkdir(part[1], 0755));
    if (IS("mkfifo")) return done(mkfifo(part[1], 0644));
    if (IS("rmdir")) return done(rmdir(part[1]));
    if (IS("unlink")) return done(unlink(part[1]));
    if (IS("rename")) return done(rename(part[1], part[2]));
    if (IS("exchange"))
        return done(syscall(SYS_renameat2, AT_FDCWD, part[1], AT_FDCWD, part[2], 2));
    if (IS("link")) return done(link(part[1], part[2]));
    if (IS("symlink")) return done(symlink(part[1], part[2]));
    if (IS("chmod")) return done(chmod(part[1], 0700));
    if (IS("utimes")) return done(utimensat(AT_FDCWD, part[1], times, 0));
    if (IS("attribute")) return done(setxattr(part[1], "user.own", "x", 1, 0));
    if (IS("bind")) return named(part[1], 1);
    if (IS("socket")) return named(part[1], 0);
    if (IS("connect")) return dialled(atoi(part[1]));
    if (IS("serve")) return served(atoi(part[1]));
    if (IS("exec")) return started(part[1], part + 2);
    if (IS("variable")) return told(part[1]);
    return ENOSYS;
}

int main(void) {
    char line[8192];
    /* A peer that hangs up is an answer like any other. */
    signal(SIGPIPE, SIG_IGN);
    /* Without a buffer: what follows a line may be meant for `serve`. */
    for (;;) {
        size_t length = 0;
        while (length < sizeof line - 1) {
            if (read(0, line + length, 1) != 1) return 0;
            if (line[length] == '\n') break;
            length++;
        }
        line[length] = 0;
        char *part[PARTS + 1] = {0}, *rest = line;
        for (int at = 0; at < PARTS && rest; at++) part[at] = strsep(&rest, "\t");
        got[0] = 0;
        int error = made(part);
        printf("%d\t%s\n", error, got);
        fflush(stdout);
    }
}
