# SPDX-License-Identifier: MIT
#
# For the scripts beside it: source it, use `try` and `expect_*`, end with
# `finish`. A script runs in an empty folder that is also its home.
#
#     . "$(dirname "$0")/lib.sh"
#     try "formats JSON" 0 cordon json fmt <<<'[1,2]'
#     expect_out $'[\n  1,\n  2\n]'
#     finish
#
# shellcheck shell=bash
set -u
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 1
mkdir home work
export HOME=$here/home
cd work || exit 1
number=0
failed=0
name=

report() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $name${2:+: $2}"
    else
        echo "not ok $number - $name${2:+: $2}"
        failed=1
    fi
}

# try NAME STATUS COMMAND...: runs it, keeps its outputs, checks the status.
try() {
    name=$1
    local want=$2 got=0
    shift 2
    "$@" >"$here/out" 2>"$here/err" || got=$?
    [ "$got" = "$want" ] || {
        echo "# $*: exit status $got, expected $want"
        sed 's/^/# out: /' "$here/out" | head -20
        sed 's/^/# err: /' "$here/err" | head -20
    }
    [ "$got" = "$want" ]
    report $?
}

# The output is exactly this text (and a line end).
expect_out() {
    [ "$(cat "$here/out")" = "$1" ] || {
        diff <(printf '%s\n' "$1") "$here/out" | sed 's/^/# /' | head -40
        false
    }
    report $? output
}

# The output, or the messages, hold this text somewhere.
expect_in_out() {
    grep -qF -- "$1" "$here/out" || {
        echo "# no \"$1\" in:"
        sed 's/^/# /' "$here/out" | head -20
        false
    }
    report $? "says $1"
}
expect_in_err() {
    grep -qF -- "$1" "$here/err" || {
        echo "# no \"$1\" in:"
        sed 's/^/# /' "$here/err" | head -20
        false
    }
    report $? "says $1"
}

# Results and messages do not mix.
expect_no_out() { [ ! -s "$here/out" ]; report $? "no output"; }
expect_no_err() { [ ! -s "$here/err" ]; report $? "no messages"; }

finish() {
    echo "1..$number"
    exit "$failed"
}
