# SPDX-License-Identifier: MIT
# Any program in a fresh sandbox: no network, no files but its own, no privileges

cordon sandbox exec --limits time=5,memory=64m -- /bin/sh -c '
    echo "processes: $(ls -d /proc/[0-9]* | wc -l)"
    cat /etc/shadow
    echo hello >/etc/motd
    echo hello >/tmp/note && cat /tmp/note' || echo "exit status $?"
