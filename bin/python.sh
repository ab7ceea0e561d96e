# Sourced by the commands beside it: finds a Python new enough and hands over to setup.py.
# Plain sh, so that a machine with an old Python, or none by that name, gets a sentence to act on.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1

new_enough() {
    command -v "$1" >/dev/null 2>&1 &&
        "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

for python in "$root/.venv/bin/python" python3 python3.13 python3.12 python3.11 python3.14 python; do
    if new_enough "$python"; then
        exec "$python" "$root/bin/setup.py" "$(basename -- "$0")" "$@"
    fi
done

found=$(python3 --version 2>/dev/null || python --version 2>/dev/null)
echo "Evenmatch needs Python 3.11 or newer, found ${found:-no Python at all}." >&2
exit 1
