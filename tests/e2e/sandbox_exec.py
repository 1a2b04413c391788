#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cordon sandbox exec: what a task gets, how it ends, what comes back."""
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402

BOMB = lib.guest("bomb")


class Case:
    """One kind of user in one tier."""

    def __init__(self, tier, who, prefix, flags):
        self.tier, self.who, self.prefix = tier, who, prefix
        self.flags = ["--tier", tier, *flags]
        self.limited = who == "root"  # cgroups are in force

    def dir(self):
        """A directory that belongs to the user who starts the sandbox."""
        d = tempfile.mkdtemp(dir="/var/tmp", prefix="cordon-test-")
        if self.prefix:
            os.chown(d, lib.UID, lib.UID)
        return d

    def sh(self, script, *flags, **kw):
        return lib.sandbox(*self.flags, *flags, "--", "/bin/sh", "-c", script,
                           prefix=self.prefix, **kw)

    def json(self, *args, **kw):
        return lib.result(*self.flags, *args, prefix=self.prefix, **kw)

    def bomb(self, name, *flags):
        return self.json("--ro-bind", BOMB, *flags, "--", BOMB, name)


def equal(got, want):
    assert got == want, f"{got!r} is not {want!r}"


def exit_status_is_passed_on(c):
    equal(c.sh("exit 0").returncode, 0)
    equal(c.sh("exit 41").returncode, 41)
    equal(c.sh("kill -TERM $$").returncode, 128 + 15)


def streams_are_passed_on(c):
    p = c.sh("cat; echo out; echo err >&2", stdin=None, input=b"in\n")
    equal((p.stdout, p.stderr), (b"in\nout\n", b"err\n"))


def environment_is_empty_but_for_what_was_set(c):
    p = c.sh("env", "--env", "A=b c", env={**os.environ, "LEAK": "1"})
    names = sorted(s.split("=")[0] for s in p.stdout.decode().splitlines())
    equal(names, ["A", "HOME", "LANG", "PATH", "PWD"])
    assert b"A=b c\n" in p.stdout


def a_program_that_is_not_there_is_125(c):
    p = lib.sandbox(*c.flags, "no-such-program", prefix=c.prefix)
    equal(p.returncode, 125)
    assert b"no-such-program: No such file" in p.stderr, p.stderr


def wrong_flags_are_2(c):
    for flags in (["--bind", "x"], ["--limits", "memory=0"],
                  ["--ro-bind", "/usr:/proc/x"], ["--env", "novalue"],
                  ["--net", "egress"], ["--allow-missing", "seccomp"]):
        equal(lib.sandbox(*flags, "true").returncode, 2)


def time_runs_out(c):
    start = time.monotonic()
    r = c.bomb("stubborn", "--limits", "time=300ms")
    equal((r["exit"], r["stopped_by"]), (124, "time"))
    assert time.monotonic() - start < 5


def nothing_outlives_the_program(c):
    r = c.bomb("daemon", "--env", f"MARK=alive-{os.getpid()}")
    equal(r["exit"], 0)
    equal(lib.processes(f"MARK=alive-{os.getpid()}"), [])


def processes_are_limited(c):
    r = c.bomb("forks", "--limits", "pids=20")
    assert 15 <= int(r["stdout"]) <= 20, r
    r = c.bomb("threads", "--limits", "pids=20")
    assert 15 <= int(r["stdout"]) <= 20, r
    r = c.bomb("zombies", "--limits", "pids=20")
    assert 15 <= int(r["stdout"]) <= 20, r


def a_fork_bomb_burns_out(c):
    r = c.bomb("tree", "--limits", "time=500ms")
    equal(r["stopped_by"], "time")


def memory_is_limited(c):
    r = c.bomb("memory", "--limits", "memory=64m")
    if c.limited:
        equal((r["exit"], r["stopped_by"]), (137, "memory"))
        assert r["usage"]["memory_peak"] <= 64 << 20
    else:  # each process is held by an rlimit
        equal(r["exit"], 3)


def memory_that_nobody_maps_counts(c):
    if not c.limited:
        return
    for name in "memfds", "sysv":
        r = c.bomb(name, "--limits", "memory=64m")
        equal((r["exit"], r["stopped_by"]), (137, "memory"))


def cpu_is_shared_out(c):
    if not c.limited:
        return
    r = c.bomb("spin", "--limits", "cpu=0.2,time=600ms")
    assert r["usage"]["cpu_us"] < 300000, r["usage"]


def output_is_cut_but_the_program_runs_on(c):
    r = c.bomb("flood", "--limits", "output=1000")
    equal((r["exit"], r["stdout"], r["stdout_cut"]), (0, "x" * 1000, True))
    p = c.sh("yes | head -c 5000; exit 5", "--limits", "output=1000")
    equal((len(p.stdout), p.returncode), (1000, 5))


def a_reader_that_stalls_does_not_stop_the_clock(c):
    read, write = os.pipe()
    start = time.monotonic()
    p = subprocess.Popen(
        [*c.prefix, lib.CORDON, "sandbox", "exec", *c.flags, "--limits",
         "time=500ms", "--", "yes"], stdin=subprocess.DEVNULL, stdout=write,
        stderr=subprocess.DEVNULL)
    os.close(write)
    equal(p.wait(20), 124)
    os.close(read)
    assert time.monotonic() - start < 10


def refusals_are_named_and_bounded(c):
    r = c.bomb("refusals")
    equal(r["exit"], 0)
    equal(r["violations"], [{"syscall": "unshare", "count": 1000}])


def the_end_cannot_be_spoofed(c):
    equal(c.bomb("spoof")["exit"], 7)


def foreign_system_calls_kill(c):
    r = c.json("--ro-bind", lib.guest("probe"), "--", "/bin/sh", "-c",
               f"{lib.guest('probe')} X13 X14; kill -SYS $$")
    equal((r["exit"], r["stopped_by"]), (159, "syscall"))


def binary_output_is_made_text(c):
    r = c.json("--", "/bin/sh", "-c", r"printf 'a\377b\000c'")
    equal(r["stdout"], "a\ufffdb\0c")


def read_only_binds_are_read_only(c):
    d = c.dir()
    with open(d + "/f", "w") as f:
        f.write("hello")
    try:
        p = c.sh(f"cat {d}/f; echo x >{d}/f; echo x >{d}/g; rm {d}/f",
                 "--ro-bind", d)
        equal(p.stdout, b"hello")
        equal(os.listdir(d), ["f"])
        equal(open(d + "/f").read(), "hello")
    finally:
        shutil.rmtree(d)


def binds_may_lie_where_only_their_owner_comes(c):
    d = c.dir()  # 0700
    try:
        os.mkdir(d + "/in")
        for name in "/in/shown", "/in/hidden":
            with open(d + name, "w") as f:
                f.write("text")
        if c.prefix:
            for name in "/in", "/in/shown":
                os.chown(d + name, lib.UID, lib.UID)
        p = c.sh(f"cat {d}/in/shown; cat {d}/in/hidden; echo x >{d}/y",
                 "--ro-bind", d + "/in/shown")
        equal(p.stdout, b"text")
        equal(os.listdir(d), ["in"])
    finally:
        shutil.rmtree(d)


def writable_binds_belong_to_their_owner(c):
    d = c.dir()
    owner = os.stat(d).st_uid
    try:
        p = c.sh(f"echo made >{d}/f", "--bind", d)
        equal((p.returncode, p.stderr), (0, b""))
        st = os.stat(d + "/f")
        equal((st.st_uid, open(d + "/f").read()), (owner, "made\n"))
    finally:
        shutil.rmtree(d)


def writable_binds_get_no_set_id_files(c):
    d = c.dir()
    try:
        p = c.sh(f"cd {d}; cp /bin/true f; chmod 4755 f; chmod g+s f; "
                 "mkdir d; chmod 2777 d; chmod 755 f; "
                 "! cp /bin/true e || install -m 6755 /bin/true e", "--bind", d)
        modes = {n: os.stat(f"{d}/{n}").st_mode & 0o6000
                 for n in os.listdir(d)}
        equal(set(modes.values()), {0})
        assert "f" in modes and p.stderr.count(b"not permitted") >= 3, p
    finally:
        shutil.rmtree(d)


def a_link_in_the_way_of_a_bind_leads_nowhere(c):
    """A task before could have left it in a writable bind."""
    d = c.dir()
    try:
        for name in "w", "other", "outside":
            os.mkdir(f"{d}/{name}")
            os.chmod(f"{d}/{name}", 0o777)
        os.symlink(d + "/outside", d + "/w/sub")
        p = c.sh("true", "--bind", d + "/w", "--ro-bind",
                 f"{d}/other:{d}/w/sub")
        assert p.returncode == 125 and b"sub" in p.stderr, p
        equal(os.listdir(d + "/outside"), [])
    finally:
        shutil.rmtree(d)


def a_tree_too_deep_to_walk_is_no_trouble(c):
    d = c.dir()
    deep = ["python3", "-c", "import os\nfor i in range(3000):\n"
            "  os.mkdir('d'); os.chdir('d')\nprint('made')"]
    try:
        equal(c.json("--", *deep)["stdout"], "made\n")
        p = lib.sandbox(*c.flags, "--collect", d + "/out", "--", *deep,
                        prefix=c.prefix)
        assert p.returncode != 0 and b"too deep" in p.stderr, p
    finally:
        subprocess.run(["rm", "-rf", d], check=True)


def overlays_list_what_changed(c):
    d = c.dir()
    try:
        os.mkdir(d + "/sub")
        for name in "keep", "change", "sub/drop":
            with open(os.path.join(d, name), "w") as f:
                f.write("old")
        if c.prefix:
            subprocess.run(["chown", "-R", f"{lib.UID}:{lib.UID}", d], check=True)
        r = c.json("--overlay", d, "--", "/bin/sh", "-c",
                   f"cd {d} && echo new >change && rm sub/drop && "
                   "mkdir more && echo x >more/file && cat keep change")
        equal((r["exit"], r["stdout"]), (0, "oldnew\n"))
        equal([(x["kind"], x["path"]) for x in r["changes"]],
              [("M", d + "/change"), ("A", d + "/more"),
               ("A", d + "/more/file"), ("D", d + "/sub/drop")])
        equal(open(d + "/change").read(), "old")
        assert os.path.exists(d + "/sub/drop")
    finally:
        shutil.rmtree(d)


def collection_takes_files_and_nothing_else(c):
    d = c.dir()
    out = d + "/out"
    try:
        p = c.sh("mkdir -p a/b; echo hi >a/b/f; ln -s /etc/shadow link; "
                 "mkfifo pipe; ln -s a dirlink; echo s >suid; chmod 4777 suid;"
                 "printf x >'new\nline'", "--collect", out)
        equal((p.returncode, p.stderr), (0, b""))
        found = sorted(os.path.relpath(os.path.join(r, n), out)
                       for r, ds, fs in os.walk(out) for n in ds + fs)
        equal(found, ["a", "a/b", "a/b/f", "new\nline", "suid"])
        equal(os.stat(out + "/suid").st_mode & 0o7777, 0o644)
    finally:
        shutil.rmtree(d)


def a_race_during_collection_leads_nowhere(c):
    """Somebody outside swaps a file for a symlink while it is collected."""
    d = c.dir()
    with open(d + "/secret", "w") as f:
        f.write("secret")
    shared = d + "/shared"
    os.mkdir(shared, 0o777)
    os.chmod(shared, 0o777)
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            for make in (lambda: os.symlink(d + "/secret", shared + "/x"),
                         lambda: open(shared + "/x", "w").close()):
                try:
                    os.unlink(shared + "/x")
                except OSError:
                    pass
                try:
                    make()
                except OSError:
                    pass

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for i in range(5):
            out = f"{d}/out{i}"
            c.sh("for i in 1 2 3 4 5 6 7 8 9; do ln -s /etc/passwd l$i; "
                 "done; cp -r /tmp/s/. /tmp/copy 2>/dev/null; true",
                 "--bind", f"{shared}:/tmp/s", "--collect", out)
            for root, _, files in os.walk(out):
                for name in files:
                    assert "secret" not in open(
                        os.path.join(root, name)).read()
    finally:
        stop.set()
        thread.join()
        shutil.rmtree(d)


def loopback_is_its_own(c):
    p = c.sh("python3 -c 'import socket as s; a=s.create_server((\"127.0.0.1\""
             ",0)); b=s.create_connection(a.getsockname()); print(1)'",
             "--net", "loopback")
    equal(p.stdout, b"1\n")
    p = c.sh("python3 -c 'import socket as s; "
             "s.create_server((\"127.0.0.1\",0))'")
    assert p.returncode == 1, p.stderr


def a_killed_supervisor_takes_the_task_along(c):
    mark = f"MARK=orphan-{os.getpid()}-{c.tier}-{c.who}"
    p = subprocess.Popen(
        [*c.prefix, lib.CORDON, "sandbox", "exec", *c.flags, "--env", mark,
         "--", "sleep", "60"], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        if len(lib.processes(mark)) >= 2:
            break
        time.sleep(0.02)
    p.kill()
    p.wait()
    for _ in range(100):
        if not lib.processes(mark):
            return
        time.sleep(0.02)
    raise AssertionError("it lives on")


def groups_hold_all_of_it_and_show_nothing(c):
    """A process outside of the group would be at "/..", and a group outside of
    the namespace has a name."""
    p = c.sh("grep -v ':/$' /proc/self/cgroup; for i in $(seq 100); do "
             "grep -qv ':/$' /proc/1/cgroup || exit 0; sleep 0.05; done; "
             "cat /proc/1/cgroup; exit 1")
    equal((p.returncode, p.stdout), (0, b""))


def a_program_has_the_turns_of_everybody(c):
    """What started it had shorter ones, where the kernel knows that."""
    def turn(text):
        return [line.split()[-1] for line in text.splitlines()
                if line.startswith("se.slice ")]
    with open("/proc/self/sched") as f:
        ours = turn(f.read())
    equal(turn(c.sh("cat /proc/self/sched").stdout.decode()), ours)


def a_shell_and_python_work(c):
    p = c.sh("seq 3 | sort -r | tr '\\n' ' '; /usr/bin/python3 -c "
             "'import json,subprocess,threading;"
             "t=threading.Thread(target=print,args=(6*7,));t.start();t.join();"
             "print(subprocess.check_output([\"echo\",\"ok\"]).decode())'")
    equal(p.stdout, b"3 2 1 42\nok\n\n")


EVERYWHERE = [
    exit_status_is_passed_on, streams_are_passed_on,
    environment_is_empty_but_for_what_was_set,
    a_program_that_is_not_there_is_125, time_runs_out,
    nothing_outlives_the_program, processes_are_limited,
    a_fork_bomb_burns_out, memory_is_limited, memory_that_nobody_maps_counts,
    cpu_is_shared_out, output_is_cut_but_the_program_runs_on,
    a_reader_that_stalls_does_not_stop_the_clock,
    refusals_are_named_and_bounded, the_end_cannot_be_spoofed,
    foreign_system_calls_kill, read_only_binds_are_read_only,
    binds_may_lie_where_only_their_owner_comes,
    writable_binds_belong_to_their_owner,
    writable_binds_get_no_set_id_files,
    a_link_in_the_way_of_a_bind_leads_nowhere,
    a_tree_too_deep_to_walk_is_no_trouble, overlays_list_what_changed,
    collection_takes_files_and_nothing_else,
    a_race_during_collection_leads_nowhere, loopback_is_its_own,
    a_killed_supervisor_takes_the_task_along,
    groups_hold_all_of_it_and_show_nothing,
    a_program_has_the_turns_of_everybody, a_shell_and_python_work,
]


def descriptors_are_handed_on_when_named(c):
    with tempfile.TemporaryFile() as f, tempfile.TemporaryFile() as g:
        f.write(b"first")
        f.flush()
        f.seek(0)
        p = c.sh("cat <&3; echo second >&4; ls /proc/self/fd | wc -l",
                 "--fd", str(f.fileno()), "--fd", str(g.fileno()),
                 pass_fds=(f.fileno(), g.fileno()))
        equal(p.stdout, b"first6\n")
        g.seek(0)
        equal(g.read(), b"second\n")
    d = os.open("/tmp", os.O_RDONLY)
    for number, word in (("1", b"no open"), ("999", b"no open"), ("x", b"--fd"),
                         (str(d), b"directory")):
        p = c.sh("true", "--fd", number, pass_fds=(d,))
        assert p.returncode == 2 and word in p.stderr, p
    os.close(d)


def where_to_collect_is_settled_before_the_start(c):
    d = c.dir()
    p = c.sh("echo ran", "--collect", d)
    equal((p.returncode, p.stdout), (2, b""))
    shutil.rmtree(d)


def python_takes_the_same_flags(c):
    d = c.dir()
    with open(d + "/f", "w") as f:
        f.write("text")
    p = subprocess.run(
        [lib.CORDON, "run", *c.flags, "--ro-bind", d + ":/d", "--env", "A=b",
         "--cwd", "/d", "-c", "import os\nprint(open('f').read(),"
         " os.environ['A'])"], stdin=subprocess.DEVNULL, capture_output=True)
    equal((p.returncode, p.stdout), (0, b"text b\n"))
    p = subprocess.run([lib.CORDON, "run", "--ro-bind", d, "-c", "1"],
                       stdin=subprocess.DEVNULL, capture_output=True)
    assert p.returncode == 2 and b"--ro-bind" in p.stderr, p
    shutil.rmtree(d)


ONCE = [descriptors_are_handed_on_when_named,
        where_to_collect_is_settled_before_the_start,
        python_takes_the_same_flags,
        wrong_flags_are_2, binary_output_is_made_text]


def main():
    tap = lib.Tap()
    mounts = lib.mounts()
    for who, prefix, flags in lib.users():
        for tier in "container", "process":
            case = Case(tier, who, prefix, flags)
            once = ONCE if case.who == "root" and tier == "container" else []
            for test in EVERYWHERE + once:
                name = test.__name__.replace("_", " ")
                tap.run(f"{tier} as {who}: {name}", lambda: test(case))
    tap.line(lib.mounts() == mounts, "no mount is left")
    tap.line(not lib.dead_groups(), "no cgroup is left", lib.dead_groups())
    tap.done()


main()
