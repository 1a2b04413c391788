/* SPDX-License-Identifier: MIT
 *
 * Directories that the program may change. Each is a copy; overlayfs keeps what
 * is changed apart, and that is what goes back to the host.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest.h"

#define PLACE "/.changes"

static struct {
    struct vm_bind head;
    char path[4096];
} binds[VM_MAX_BINDS];
static size_t count;

void binds_add(const char *text, size_t size) {
    struct vm_bind head;
    if (count == VM_MAX_BINDS || size <= sizeof head ||
        size - sizeof head >= sizeof binds[0].path)
        channel_fail("bind");
    memcpy(&head, text, sizeof head);
    binds[count].head = head;
    memcpy(binds[count].path, text + sizeof head, size - sizeof head);
    count++;
}

bool binds_filling(void) {
    return count > 0;
}

static void make(const char *path, mode_t mode, uid_t owner) {
    if (mkdir(path, mode) < 0 || chown(path, owner, owner) < 0)
        channel_fail(path);
}

static void in_place(char *out, size_t size, size_t i, const char *name) {
    snprintf(out, size, PLACE "/%zu%s", i, name);
}

static void cover(size_t i, const struct vm_task *t) {
    char place[64], lower[64], upper[64], work[64], options[320];
    in_place(place, sizeof place, i, "");
    in_place(lower, sizeof lower, i, "/lower");
    in_place(upper, sizeof upper, i, "/new");
    in_place(work, sizeof work, i, "/work");
    snprintf(options, sizeof options, "size=%llu,nr_inodes=%llu,mode=700",
             (unsigned long long)t->scratch, (unsigned long long)t->inodes);
    make(place, 0700, 0);
    if (mount("none", place, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
        channel_fail(place);
    make(lower, 0700, 0);
    make(upper, 0755, USER);
    make(work, 0700, 0);
    if (mount(binds[i].path, lower, NULL, MS_BIND, NULL) < 0)
        channel_fail(binds[i].path);
    snprintf(options, sizeof options,
             "lowerdir=%s,upperdir=%s,workdir=%s,redirect_dir=off,"
             "metacopy=off,index=off",
             lower, upper, work);
    if (mount("none", binds[i].path, "overlay", MS_NOSUID | MS_NODEV, options) <
        0)
        channel_fail("overlay");
}

void binds_cover(const struct vm_task *t) {
    if (count) make(PLACE, 0700, 0);
    for (size_t i = 0; i < count; i++)
        cover(i, t);
}

void binds_leave(void) {
    for (size_t i = 0; i < count; i++) {
        char upper[64];
        in_place(upper, sizeof upper, i, "/new");
        int dir = open(upper, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (dir < 0) channel_fail(upper);
        channel_send(VM_BIND, &binds[i].head, sizeof binds[i].head);
        leave_changes(dir);
    }
}
