#!/bin/sh
# Refreshes both locks to the newest versions pyproject.toml allows. Needs uv.
#   tools/lock.sh              newest of everything
#   tools/lock.sh numba rich   only these packages move
set -eu
cd "$(dirname "$0")/.."
UV=${UV:-uv}

if [ $# -eq 0 ]; then
    set -- --upgrade
else
    for package; do
        shift
        set -- "$@" --upgrade-package "$package"
    done
fi

# --universal: one lock for every platform and every Python from the floor up.
compile() {
    "$UV" pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-header "$@"
}

compile "$@" --output-file requirements.lock
# The constraint makes the development lock a superset with the same versions.
compile "$@" --group dev --constraint requirements.lock --output-file requirements-dev.lock
