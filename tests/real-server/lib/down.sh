# Stops everything by recorded pids and removes what `up` created. Safe if only a part of it started.

down() {
  BENCH_DIR=${BENCH_DIR:-$(cat "$CURRENT" 2>/dev/null || true)}
  [ -n "$BENCH_DIR" ] && [ -d "$BENCH_DIR/pids" ] || { say "no bench is up"; rm -f "$CURRENT"; return 0; }
  empty_server
  stop_process server-outer 10 KILL   # ends the server's first process and all others with it
  stop_process authority 10
  stop_process dns 10
  remove_bridges
  remove_cgroups
  remove_folders
  [ "$(cat "$CURRENT" 2>/dev/null || true)" != "$BENCH_DIR" ] || rm -f "$CURRENT"
  say "down"
}

# Gives Docker time to remove its containers' bridges and addresses from the machine's network.
empty_server() {
  running_pid server > /dev/null || return 0
  on_server timeout 60 sh -c 'docker ps -aq | xargs -r docker rm -f; docker network prune -f; systemctl stop docker.socket docker containerd ssh' \
    > /dev/null 2>&1 || say "The server did not stop cleanly; its processes are ended."
}

stop_process() { # stop_process NAME SECONDS [SIGNAL]
  local pid
  pid=$(running_pid "$1") || return 0
  kill "-${3:-TERM}" "$pid" 2>/dev/null || true
  kill -CONT "$pid" 2>/dev/null || true   # a paused process ends only when it runs
  gone() { ! running_pid "$1"; }
  wait_until "$2" "$1 to stop" gone "$1" || { kill -KILL "$pid" 2>/dev/null || true; wait_until 10 "$1 to be killed" gone "$1"; }
}

# Removes the bridges that a killed daemon left behind. A running Docker removes its own.
remove_bridges() {
  local prefix=${CONTAINER_NETWORKS%.*.*}. bridge
  for bridge in $(ip -o -4 address show type bridge | awk -v p="$prefix" 'index($4, p) == 1 {print $2}'); do
    ip link delete "$bridge" || true
  done
  ip link delete "$BRIDGE" 2>/dev/null || true
}

# The kernel removes a group only when the last of its ended processes has been reaped.
remove_cgroups() {
  [ -n "$(our_cgroups)" ] || return 0
  no_cgroups() { our_cgroups | xargs -r rmdir; [ -z "$(our_cgroups)" ]; }
  wait_until 10 "the server's control groups to empty" no_cgroups || true
}
our_cgroups() { find /sys/fs/cgroup -depth -type d -path '*/moorage-bench*'; }

remove_folders() {
  # The mounts ended with the server's namespace. Never delete through a mount that still exists.
  ! grep -q " $BENCH_DIR/" /proc/self/mounts || fail "Something is still mounted under $BENCH_DIR; nothing was deleted."
  rm -rf "$BENCH_DIR"/{server,run,private,public,dns,pids,bench.json,bench.json.part}
  [ ! -f "$BENCH_DIR/.made-by-bench" ] || rm -rf "$BENCH_DIR"
}
