#!/bin/sh
# SPDX-License-Identifier: MIT
#
# postgres.sh start|stop FOLDER: a PostgreSQL server of its own, for tests, on
# a socket in FOLDER (an absolute path). Exit 77: there is none to start.
set -eu
folder=$2
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -x "${bin:-/nowhere}/initdb" ] || exit 77
as=
if [ "$(id -u)" = 0 ]; then
    # The server refuses to run as root.
    id postgres >/dev/null 2>&1 || exit 77
    as="setpriv --reuid=postgres --regid=postgres --clear-groups"
    [ "$1" = stop ] || {
        chmod 755 "$folder"
        mkdir -p "$folder/data"
        chown postgres "$folder/data" "$folder"
    }
fi
export LC_ALL=C PGDATA="$folder/data"
cd /
case $1 in
start)
    $as "$bin/initdb" -U owner -A trust -E UTF8 -N >"$folder/initdb.log" 2>&1
    $as "$bin/pg_ctl" -w -t 60 -l "$folder/data/log" -o "-c listen_addresses= \
        -c unix_socket_directories='$folder' -F -c max_connections=20 \
        -c shared_buffers=1MB -c dynamic_shared_memory_type=mmap" \
        start >"$folder/start.log" 2>&1
    ;;
stop) $as "$bin/pg_ctl" -m immediate stop >/dev/null 2>&1 ;;
esac
