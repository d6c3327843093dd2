#!/usr/bin/env bash
# Runs a command with a Docker Engine that has some base images: `with-engine.sh redis kafka -- COMMAND...`.
# The engine is the machine's, where one answers; otherwise Debian's own, for this command only. That one makes no networks
# and leaves the machine's packet filter alone: what runs in it uses the machine's network. Debian, root.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=SCRIPTDIR/debian.sh
. "$here/debian.sh"

CACHE=${MOORAGE_CACHE_DIR:-$HOME/.cache/moorage}
FOLDER=$CACHE/engine

say()  { echo "with-engine: $*" >&2; }
fail() { echo "with-engine: $*" >&2; exit 1; }

main() {
  local images=()
  while [ $# -gt 0 ] && [ "$1" != -- ]; do images+=("$1"); shift; done
  [ $# -gt 1 ] || fail "usage: with-engine.sh IMAGE... -- COMMAND..."
  shift
  timeout 10 docker version > /dev/null 2>&1 || start_engine
  "$here/base-images.sh" "${images[@]}"
  local status=0
  "$@" || status=$?
  exit "$status"
}

start_engine() {
  [ "$(id -u)" = 0 ] || fail "No Docker Engine answers, and starting one needs root."
  (install_packages docker.io)
  mkdir -p "$FOLDER"
  exec 9> "$FOLDER/lock"
  flock -w 3600 9 || fail "Another command has held $FOLDER/lock for an hour."
  export DOCKER_HOST=unix://$FOLDER/docker.sock
  # what a command that was killed has left
  stop_engine
  trap stop_engine EXIT
  trap 'exit 1' INT TERM HUP
  dockerd --host="$DOCKER_HOST" --data-root="$FOLDER/data" --exec-root="$FOLDER/run" --pidfile="$FOLDER/pid" \
    --bridge=none --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false > "$FOLDER/log" 2>&1 9>&- &
  local deadline=$((SECONDS + 60))
  until timeout 10 docker version > /dev/null 2>&1; do
    [ $SECONDS -lt $deadline ] || fail "dockerd did not start: $(tail -n 3 "$FOLDER/log")"
    sleep 0.1
  done
  remove_containers # a daemon that starts ends what ran under one that was killed
  local script; script=$(sha256sum < "$here/base-images.sh")
  if [ "$(cat "$FOLDER/made-by" 2> /dev/null)" != "$script" ]; then
    docker image prune --all --force > /dev/null
    echo "$script" > "$FOLDER/made-by"
  fi
}

remove_containers() { docker ps --all --quiet | xargs --no-run-if-empty docker rm --force --volumes > /dev/null; }

stop_engine() {
  local pid
  pid=$(cat "$FOLDER/pid" 2> /dev/null) && [ "$(cat "/proc/$pid/comm" 2> /dev/null)" = dockerd ] || return 0
  if timeout 60 docker version > /dev/null 2>&1; then remove_containers || true; fi
  kill "$pid" 2> /dev/null || true
  local deadline=$((SECONDS + 30))
  while [ "$(cat "/proc/$pid/comm" 2> /dev/null)" = dockerd ]; do
    [ $SECONDS -lt $deadline ] || { kill -KILL "$pid"; break; }
    sleep 0.1
  done
  umount "$FOLDER"/run/netns/* 2> /dev/null || true # the network of the machine, which it leaves mounted
}

main "$@"
