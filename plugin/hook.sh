#!/bin/sh
# hook.sh HOST [MOMENT]: finds a Python 3.11 or newer and runs entry.py with the payload on stdin.
# Known interpreters are tried before PATH: a version manager's shim takes ten times as long to start.
# Always exits 0, since a failing hook disturbs its host.
here=${0%/*}

run() { # a path whose version is known from its name or its installer
    [ -x "$1" ] || return 0
    python=$1
    shift
    exec "$python" -I -S "$here/entry.py" "$@"
}

[ -n "${CLAUDE_PLUGIN_DATA-}" ] && run "$CLAUDE_PLUGIN_DATA/venv/bin/python" "$@"
for version in 3.13 3.12 3.11 3.14; do
    for folder in /usr/bin /usr/local/bin /opt/homebrew/bin; do
        run "$folder/python$version" "$@"
    done
done
for python in "${HOME-/}"/.pyenv/versions/3.1[1-9]*/bin/python3 \
    "${HOME-/}"/.local/share/uv/python/cpython-3.1[1-9]*/bin/python3; do
    run "$python" "$@"
done

# On a Mac without developer tools /usr/bin/python3 opens an installer window instead of running.
apple=/usr/bin/python3
[ "$(uname -s)" = Darwin ] && [ ! -d /Library/Developer/CommandLineTools ] || apple=
for name in python3 python3.13 python3.12 python3.11 python; do
    python=$(command -v "$name" 2>/dev/null) || continue
    [ "$python" = "$apple" ] && continue
    # The hook itself never fails: a failing Python is too old or broken, and has not read the payload.
    "$python" -I -S "$here/entry.py" "$@" 2>/dev/null && exit 0
done

[ "${2-}" = start ] && printf '%s\n' '{"systemMessage":"mind-skills is idle: it needs Python 3.11 or newer, and none was found."}'
exit 0
