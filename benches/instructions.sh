#!/usr/bin/env bash
# Counts the instructions that a pose takes, under valgrind, and compares them with instructions.tsv beside this
# script. Counts do not depend on what else the machine does, so a slower kernel shows even on a busy one.
#
#   benches/instructions.sh           prints the table; fails when a count grew by more than 3 %
#   benches/instructions.sh --bless   writes the counts to the file instead
#
# Counts change with the compiler and the vector instructions that the processor has, both of which the file names:
# with others the table is printed and nothing fails. Without valgrind a line says that it was skipped.
set -euo pipefail

cd "$(dirname "$0")/.."
table=benches/instructions.tsv
limit=3 # percent
poses=256

case "${1-}" in
'' | --bless) ;;
*)
    sed -n '2,/^set/ s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

if ! command -v valgrind >/dev/null; then
    echo "instructions: skipped, there is no valgrind"
    exit 0
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

bench=$(cargo bench --quiet -p flexion-benches --bench instructions --no-run --message-format=json |
    grep '"name":"instructions"' | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
"$bench" write "$folder"

# What the poses of a workload take together; all around them is left out.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$folder/out" --collect-atstart=no \
        --toggle-collect='*measured*' "$bench" run "$1" "$folder" "$poses" 2>"$folder/log" ||
        {
            cat "$folder/log" >&2
            return 1
        }
    sed -n 's/^\(summary\|totals\): \([0-9]*\).*/\2/p' "$folder/out" | head -n 1
}

setting="$(rustc --version | cut -d' ' -f1,2), $(valgrind "$bench" backend 2>/dev/null)"
{
    echo "# Instructions per pose, counted by instructions.sh with $setting"
    printf 'workload\tinstructions\n'
    for workload in $("$bench" list); do
        printf '%s\t%s\n' "$workload" "$(($(count "$workload") / poses))"
    done
} >"$folder/table"

if [ "${1-}" = --bless ]; then
    cp "$folder/table" "$table"
    cat "$table"
    exit 0
fi

fails=1
if [ "$(head -n 1 "$table")" != "$(head -n 1 "$folder/table")" ]; then
    echo "$table was counted with another compiler or processor: differences are reported, nothing fails"
    head -n 1 "$table" "$folder/table" | grep '^#'
    fails=0
fi
awk -F '\t' -v limit="$limit" -v fails="$fails" '
    /^#/ { next }
    FNR == NR { before[$1] = $2; next }
    $1 == "workload" { printf "%-40s %12s %12s\n", "workload", "a pose", "change"; next }
    !($1 in before) { printf "%-40s %12d %12s\n", $1, $2, "new"; bad = 1; next }
    {
        change = before[$1] ? 100 * ($2 / before[$1] - 1) : 0
        printf "%-40s %12d %+11.2f%%\n", $1, $2, change
        if (change > limit) bad = 1
    }
    END {
        if (bad) print "a count grew by more than " limit " % or is new; --bless takes the counts as they are"
        exit bad && fails
    }
' "$table" "$folder/table"
