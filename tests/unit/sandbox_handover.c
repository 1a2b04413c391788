/* SPDX-License-Identifier: MIT
 *
 * What a supervisor hands over to the first process of a task.
 */
#include "sandbox/handover.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

/* A plan without descriptors, as a child has it after the fork. */
static struct plan empty(int status) {
    struct plan p = {.status = status, .root_tree = -1, .kvm_tree = -1};
    for (size_t i = 0; i < CGROUP_DIRS; i++)
        p.doors[i] = -1;
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++)
        p.trees[i] = -1;
    return p;
}

static bool same_file(int a, int b) {
    struct stat x, y;
    return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_ino == y.st_ino &&
           x.st_dev == y.st_dev;
}

TEST(every_descriptor_arrives_in_its_place) {
    struct err e;
    int pair[2];
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    struct plan ours = empty(pair[0]), theirs = empty(pair[1]);
    ours.layers = LAYER_BIT(LAYER_CAPS);
    theirs.layers = LAYER_BIT(LAYER_CAPS) | LAYER_BIT(LAYER_CGROUP);
    ours.doors[CGROUP_CPU] = open("/", O_PATH);
    ours.trees[CAGE_MAX_BINDS - 1] = open("/dev", O_PATH);
    ours.kvm_tree = open("/proc", O_PATH);
    CHECK_OK(handover_send(pair[0], &ours, &e), &e);
    CHECK_OK(handover_take(&theirs, &e), &e);
    CHECK(theirs.layers == LAYER_BIT(LAYER_CAPS));
    CHECK(same_file(theirs.doors[CGROUP_CPU], ours.doors[CGROUP_CPU]));
    CHECK(same_file(theirs.trees[CAGE_MAX_BINDS - 1],
                    ours.trees[CAGE_MAX_BINDS - 1]));
    CHECK(same_file(theirs.kvm_tree, ours.kvm_tree));
    CHECK(theirs.doors[CGROUP_UNIFIED] == -1 && theirs.trees[0] == -1 &&
          theirs.root_tree == -1);
    CHECK(fcntl(theirs.kvm_tree, F_GETFD) == FD_CLOEXEC);
}

TEST(a_plan_without_descriptors_arrives_as_well) {
    struct err e;
    int pair[2];
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    struct plan ours = empty(pair[0]), theirs = empty(pair[1]);
    ours.layers = LAYER_BIT(LAYER_NNP);
    CHECK_OK(handover_send(pair[0], &ours, &e), &e);
    CHECK_OK(handover_take(&theirs, &e), &e);
    CHECK(theirs.layers == LAYER_BIT(LAYER_NNP) && theirs.kvm_tree == -1);
}

TEST(without_a_supervisor_there_is_no_handover) {
    struct err e;
    int pair[2];
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    struct plan theirs = empty(pair[1]);
    close(pair[0]);
    CHECK_FAIL(handover_take(&theirs, &e), &e, ERR_PEER);
}
