#!/bin/sh
# Measures the bars of the tree search and of the top level: speed, threads, time, many players.
# Usage: bench/bars.sh [FOLDER of the C++ yardstick] [JOBS]; needs an idle machine with two cores for each of the JOBS.
# A run that was broken off goes on where it was: the arena keeps its games below arena/bars/.
set -eu

limit=${1:-}
jobs=${2:-1}

arena() { # name, then what the arena is given
	name=$1
	shift
	echo "== $name"
	sunglade arena --quiet --ms 500 --out "arena/bars/$name" "$@"
}

sunglade warm --search
echo "== speed"
sunglade bench --search ${limit:+--limit "$limit"}

arena two-threads-15ms --bots search:threads=2,ms=15 search:threads=1,ms=15 --games 200 --jobs "$jobs"
arena two-threads-50ms --bots search:threads=2,ms=50 search:threads=1,ms=50 --games 200 --jobs "$jobs"
arena ten-times-the-time --bots search:ms=500 search:ms=50 --games 100 --jobs "$((jobs * 2))"
arena search-greedy-2 --bots search greedy --games 200 --jobs "$((jobs * 2))"
arena search-greedy-3 --bots search greedy greedy --players 3 --games 100 --jobs "$((jobs * 2))"
arena search-greedy-4 --bots search greedy greedy greedy --players 4 --games 100 --jobs "$((jobs * 2))"
arena modules-greedy-2 --bots search greedy --modules all --games 100 --jobs "$((jobs * 2))"
arena elder-greedy-2 --bots elder:threads=1 greedy --games 200 --jobs "$jobs"
arena elder-greedy-4 --bots elder:threads=1 greedy greedy greedy --players 4 --games 100 --jobs "$jobs"
