#!/usr/bin/env bash
# Runs a command with a Docker Engine that has some base images: `with-engine.sh redis kafka -- COMMAND...`.
# The engine is the machine's, where one answers; otherwise Debian's own, for this command only. That one makes no networks
# and leaves the machine's packet filter alone: what runs in it uses the machine's network. With `--networks` as the first
# word it makes networks, in a network namespace of its own that the command shares: nothing outside is reached, and nobody
# outside is disturbed; Docker Compose is there too. Debian, root.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=SCRIPTDIR/debian.sh
. "$here/debian.sh"

CACHE=${MOORAGE_CACHE_DIR:-$HOME/.cache/moorage}
FOLDER=$CACHE/engine
NAMESPACE=/run/netns/moorage-engine

say()  { echo "with-engine: $*" >&2; }
fail() { echo "with-engine: $*" >&2; exit 1; }
# shellcheck source=SCRIPTDIR/go-tools.sh
. "$here/go-tools.sh"

main() {
  local images=() within=()
  NETWORKS=
  [ "${1:-}" != --networks ] || { NETWORKS=yes; shift; }
  while [ $# -gt 0 ] && [ "$1" != -- ]; do images+=("$1"); shift; done
  [ $# -gt 1 ] || fail "usage: with-engine.sh IMAGE... -- COMMAND..."
  shift
  timeout 10 docker version > /dev/null 2>&1 || start_engine
  [ -z "$NETWORKS" ] || docker compose version > /dev/null 2>&1 || provide_compose
  "$here/base-images.sh" "${images[@]}"
  [ ! -e "$NAMESPACE" ] || within=(nsenter "--net=$NAMESPACE")
  local status=0
  "${within[@]}" "$@" || status=$?
  exit "$status"
}

start_engine() {
  [ "$(id -u)" = 0 ] || fail "No Docker Engine is running, and starting one requires root."
  (install_packages docker.io)
  mkdir -p "$FOLDER"
  exec 9> "$FOLDER/lock"
  flock -w 3600 9 || fail "Another command has held $FOLDER/lock for an hour."
  export DOCKER_HOST=unix://$FOLDER/docker.sock
  # what a command that was killed has left
  stop_engine
  trap stop_engine EXIT
  trap 'exit 1' INT TERM HUP
  local start=(dockerd)
  if [ -n "$NETWORKS" ]; then
    (install_packages iproute2 iptables)
    ip netns add "$(basename "$NAMESPACE")"
    start=(nsenter "--net=$NAMESPACE" dockerd)
    "${start[@]::2}" ip link set lo up
  else
    start+=(--bridge=none --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false)
  fi
  "${start[@]}" --host="$DOCKER_HOST" --data-root="$FOLDER/data" --exec-root="$FOLDER/run" --pidfile="$FOLDER/pid" \
    > "$FOLDER/log" 2>&1 9>&- &
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

# Docker's older client builds by the engine itself; a newer one would want one more program for it.
provide_compose() {
  command -v go > /dev/null || fail "Docker Compose is not installed, and building it requires Go 1.25 or newer."
  (install_packages jq)
  build_compose
  export DOCKER_CONFIG=$FOLDER/config DOCKER_BUILDKIT=0
  mkdir -p "$DOCKER_CONFIG/cli-plugins"
  ln -sf "$COMPOSE_BIN" "$DOCKER_CONFIG/cli-plugins/docker-compose"
}

remove_containers() {
  docker ps --all --quiet | xargs --no-run-if-empty docker rm --force --volumes > /dev/null
  docker volume ls --quiet | xargs --no-run-if-empty docker volume rm > /dev/null
}

stop_engine() {
  local pid
  if ! pid=$(cat "$FOLDER/pid" 2> /dev/null) || [ "$(cat "/proc/$pid/comm" 2> /dev/null)" != dockerd ]; then
    remove_namespace
    return
  fi
  if timeout 60 docker version > /dev/null 2>&1; then remove_containers || true; fi
  kill "$pid" 2> /dev/null || true
  local deadline=$((SECONDS + 30))
  while [ "$(cat "/proc/$pid/comm" 2> /dev/null)" = dockerd ]; do
    [ $SECONDS -lt $deadline ] || { kill -KILL "$pid"; break; }
    sleep 0.1
  done
  umount "$FOLDER"/run/netns/* 2> /dev/null || true # the network of the machine, which it leaves mounted
  remove_namespace
}

remove_namespace() { [ ! -e "$NAMESPACE" ] || ip netns delete "$(basename "$NAMESPACE")"; }

main "$@"
