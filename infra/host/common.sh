#!/bin/sh
# shellcheck disable=SC2034,SC2317,SC2329 # each script uses some of what all of them share
#
# Stands in front of every script of ours that runs on a server. Called as
#   sh {state}/scripts/{name}.sh {run_number} {key=value ...}
# under a lock; says one JSON object as its only line on standard output, all else goes to standard error.
set -eu
exec 3>&1 1>&2
LC_ALL=C
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL PATH
umask 077

state=${0%/scripts/*}
ref=${state##*/}
answered=no

# answer true|false CODE ['"fact":value,...']
answer() {
  answered=yes
  printf '{"ok":%s,"code":"%s"%s}\n' "$1" "$2" "${3:+,$3}" >&3
  [ "$1" = true ] || exit 1
  exit 0
}

ended() {
  [ "$answered" = yes ] || printf '{"ok":false,"code":"SCRIPT_FAILED"}\n' >&3
}
trap ended EXIT

# A text as JSON: printable, one line, short.
text() {
  printf '"%s"' "$(printf '%s' "$1" | tr -c '\040-\176' ' ' | tr '"\134' "'/" | cut -c "1-${2:-120}")"
}

# The value of an argument; the caller's word list, checked there, has no blanks and quotes.
arg() {
  eval "printf '%s' \"\${arg_$1:-}\""
}
# `a,b,c` as words
args() {
  arg "$1" | tr ',' ' '
}

run_number=$1
shift
for word in "$@"; do
  key=${word%%=*}
  case "$key" in '' | *[!a-z0-9_]*) answer false BAD_ARGUMENT ;; esac
  eval "arg_$key=\${word#*=}"
done

# A worker that was overtaken still holds a connection: what it asks for is refused. Number 0 is a check of no deployment.
case "$run_number" in '' | *[!0-9]*) answer false BAD_ARGUMENT ;; esac
if [ "$run_number" -gt 0 ]; then
  seen=$(cat "$state/run_number" 2>/dev/null || echo 0)
  [ "$run_number" -ge "$seen" ] || answer false OVERTAKEN
  echo "$run_number" > "$state/run_number.part"
  mv -f "$state/run_number.part" "$state/run_number"
fi

has() { command -v "$1" > /dev/null 2>&1; }
