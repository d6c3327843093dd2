# Common settings of the test server (versions, addresses, paths, and output).

TRAEFIK_VERSION=v3.6.12   # the newest with a Go module that builds on its own, in place of the catalogue's 3.7

# The catalogue's names (docs/packages.md#images). The images themselves are built here.
PANGOLIN_IMAGE=docker.io/fosrl/pangolin:1.24.0
GERBIL_IMAGE=docker.io/fosrl/gerbil:1.5.2
TRAEFIK_IMAGE=docker.io/traefik:v3.7.12
ALPINE_IMAGE=docker.io/library/alpine:3.21
RESTIC_IMAGE=docker.io/restic/restic:0.19.1

# The server uses this machine's loopback address. DNS and the authority's management port use a separate address, so
# that they conflict neither with the server's ports nor with a resolver of the machine.
SERVER_IP=${BENCH_SERVER_IP:-127.0.0.1}
SERVICES_IP=127.0.0.153
# Containers cannot reach loopback. They reach the host at its address on our bridge.
BRIDGE=moorage0
BRIDGE_IP=172.28.255.1
CONTAINER_NETWORKS=172.29.0.0/16

CACHE=${MOORAGE_CACHE_DIR:-$HOME/.cache/moorage}
. "$here/../../infra/docker/go-tools.sh"
RESTIC_VERSION=v0.19.1
RESTIC_BIN=$CACHE/restic-$RESTIC_VERSION/restic
REST_SERVER_VERSION=v0.14.0
REST_SERVER_BIN=$CACHE/rest-server-$REST_SERVER_VERSION/rest-server
TRAEFIK_BIN=$CACHE/traefik-$TRAEFIK_VERSION/traefik
CURRENT=$CACHE/real-server.current   # contains the BENCH_DIR of the running server

say()  { echo "bench: $*" >&2; }
fail() { echo "bench: $*" >&2; exit 1; }

# Cached by its source, so an edited stand-in is rebuilt.
stand_in() { # stand_in NAME
  echo "$CACHE/$1-stand-in-$(cat "$here/standins/$1"/* | sha256sum | cut -c1-16)/$1"
}

one_at_a_time() {
  [ "$(id -u)" = 0 ] || fail "This needs root: it mounts, makes a bridge and runs a Docker daemon."
  mkdir -p "$CACHE"
  exec 9>"$CACHE/real-server.lock"
  flock -w 3600 9 || fail "Another bench command has held $CACHE/real-server.lock for an hour."
}

# A process is recorded with its start time, so that a reused pid is never mistaken for it.
# A process that ended and waits to be reaped (Z) counts as gone.
started_at() { sed 's/^.*) //' "/proc/$1/stat" 2>/dev/null | awk '$1 != "Z" {print $20}'; }
remember_pid() { echo "$2 $(started_at "$2")" > "$BENCH_DIR/pids/$1"; }
running_pid() {
  local pid start
  read -r pid start 2>/dev/null < "$BENCH_DIR/pids/$1" || return 1
  [ -n "$start" ] && [ "$(started_at "$pid")" = "$start" ] && echo "$pid"
}

find_bench() {
  BENCH_DIR=${BENCH_DIR:-$(cat "$CURRENT" 2>/dev/null || true)}
  [ -n "$BENCH_DIR" ] && [ -f "$BENCH_DIR/bench.json" ] || fail "No bench is up. Start one with: bench.sh up"
}

wait_until() { # wait_until SECONDS "what" COMMAND...
  local deadline=$((SECONDS + $1)) what=$2; shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $deadline ] || { say "Waited too long for $what."; return 1; }
    sleep 0.1
  done
}

# Runs a command in the server's namespaces, with the environment of a root login and nothing else.
on_server() {
  local pid
  pid=$(running_pid server) || fail "The server is not running."
  env -i HOME=/root USER=root LOGNAME=root SHELL=/bin/bash TERM="${TERM:-dumb}" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    nsenter --target "$pid" --mount --uts --pid -- /bin/sh -c 'cd /root && exec "$@"' sh "$@"
}
