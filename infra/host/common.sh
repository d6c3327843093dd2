#!/bin/sh
# shellcheck disable=SC2015,SC2034,SC2317,SC2329 # each script uses some of what all of them share; `a && b || c` is meant
#
# Stands in front of every script of ours that runs on a server; run.sh stands behind it. The text arrives on standard
# input, so running it writes nothing to the disk. Its words: {state}/{name} {run_number} {key=value ...}. It prints one
# JSON object as its only line on standard output; all else goes to standard error.
set -eu
exec 3>&1 1>&2
LC_ALL=C
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL PATH
umask 077

state=${0%/*}
ref=${state##*/}
script=${0##*/}
answered=no

# answer true|false CODE ['"fact":value,...']
answer() {
  answered=yes
  said=$(printf '{"ok":%s,"code":"%s"%s}' "$1" "$2" "${3:+,$3}")
  [ "$1" != true ] || keep_answer || true
  printf '%s\n' "$said" >&3
  [ "$1" = true ] || exit 1
  exit 0
}

# The worker that asked may be gone by now. A yes is kept for whoever comes after it with the same step of the same run.
keep_answer() {
  [ -n "$(arg step)" ] || return 0
  printf '%s %s\n%s\n' "$script" "$(arg step)" "$said" > "$state/answer.part" || { rm -f "$state/answer.part"; return 1; }
  mv -f "$state/answer.part" "$state/answer"
}
kept_answer() {
  [ -n "$(arg step)" ] || return 0
  [ "$(head -n 1 "$state/answer" 2> /dev/null || true)" = "$script $(arg step)" ] || return 0
  said=$(tail -n 1 "$state/answer")
  answered=yes
  printf '%s\n' "$said" >&3
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

# Every script but a check of no deployment (number 0) runs alone, and in the order of the run numbers.
case "$run_number" in '' | *[!0-9]*) answer false BAD_ARGUMENT ;; esac
case "$script" in remove-stack | remove-access | hand-over) removes=yes ;; *) removes=no ;; esac

# A script whose worker is gone may go on for minutes. Whoever comes next does not wait here that long, but comes again.
alone() {
  [ -e "$state/lock" ] || touch "$state/lock" || [ "$removes" = yes ] || answer false DISK_FULL
  [ -e "$state/lock" ] || return 0
  exec 9< "$state/lock"
  flock -w 5 9 || answer false BUSY
}

# A removal does not wait for a copy, but a hand-over does. The process that makes dumps under the lock is ended, and so is restic.
# Nothing is written for it.
copier=moorage-copy-$ref
end_copy() {
  lock=$(readlink -f "$state/lock")
  grep -lsxzF "$state/copy-start" /proc/[0-9]*/cmdline | while read -r file; do
    group=$(group_of "${file%/cmdline}")
    [ -n "$group" ] || continue
    for process in /proc/[0-9]*; do
      [ "$(readlink "$process/fd/9" 2> /dev/null)" = "$lock" ] && [ "$(group_of "$process")" = "$group" ] || continue
      kill -KILL "${process#/proc/}" 2> /dev/null || true
    done
  done
  if has docker; then copier_gone; fi
}
copier_gone() {
  timeout 60 docker stop -t 5 "$copier" > /dev/null 2>&1 || true
  timeout 60 docker rm -f "$copier" > /dev/null 2>&1 || true
}
# the process group: the third word after the name, which may hold blanks itself
group_of() { sed 's/^.*) //' "$1/stat" 2> /dev/null | cut -d ' ' -f 3; }

has() { command -v "$1" > /dev/null 2>&1; }

# A worker that was overtaken still holds a connection: what it asks for is refused. A file that a power failure left
# empty says nothing. Where nothing can be written a removal only compares: it must work on a full disk.
in_order() {
  read_seen
  [ "$run_number" -ge "$seen" ] || answer false OVERTAKEN
  [ "$run_number" -gt "$seen" ] || return 0
  note_number && return 0
  rm -f "$state/reserve"
  note_number || [ "$removes" = yes ] || answer false DISK_FULL
}
read_seen() {
  seen=$(cat "$state/run_number" 2> /dev/null || true)
  case "$seen" in '' | *[!0-9]*) seen=0 ;; esac
}
note_number() {
  if echo "$run_number" > "$state/run_number.part" && sync "$state/run_number.part" &&
    mv -f "$state/run_number.part" "$state/run_number"; then
    sync "$state" || true
    return 0
  fi
  rm -f "$state/run_number.part"
  return 1
}

if [ "$run_number" -gt 0 ]; then
  # Only a preflight begins on a server. The others find its folder, or they come after the removal.
  [ "$script" != preflight ] || [ -d "$state" ] || mkdir -p "$state" || answer false DISK_FULL
  if [ -d "$state" ]; then
    read_seen
    [ "$removes" = no ] || [ "$script" = hand-over ] || [ "$run_number" -lt "$seen" ] || end_copy
    alone
    in_order
    kept_answer
  else
    [ "$removes" = yes ] || answer false NO_STACK
  fi
fi
