#!/bin/sh
# The table under load, this version and an older one by turns on this machine: the highest rates that were kept, and memory.
# Usage: bench/versus.sh [COMMIT] [ROUNDS] [what bench/load.py is given]; needs an otherwise idle machine.
#   bench/versus.sh                                    # commit ba4cf4a, 3 rounds, 1,000 tables, bar p99 100 ms
#   bench/versus.sh ba4cf4a 1 --tables 200 --rate 100 --seconds 5
set -eu

commit=${1:-ba4cf4a}
rounds=${2:-3}
[ $# -lt 2 ] && shift $# || shift 2
[ $# -gt 0 ] || set -- --tables 1000 --rate 150 --seconds 20
python=${PYTHON:-python}
here=$(cd "$(dirname "$0")/.." && pwd)
older=$here/build/versus/$commit # it stays: what it compiles is compiled once
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
mkdir -p "$older"
git -C "$here" archive "$commit" | tar x -C "$older"

run() { # folder, name, then what load.py is given; the same clients for both
	folder=$1
	name=$2
	shift 2
	PYTHONPATH="$folder/src" "$python" "$here/bench/load.py" --limit --bar 100 --json "$found/$name.json" "$@" | sed "s/^/$name: /"
}

for folder in "$older" "$here"; do # what is compiled once
	PYTHONPATH="$folder/src" "$python" -m sunglade warm --search
done
for _ in $(seq "$rounds"); do
	run "$older" older "$@"
	run "$here" this "$@"
done
PYTHONPATH="$here/src" "$python" "$here/bench/load.py" --compare "$found/older.json" "$found/this.json"
