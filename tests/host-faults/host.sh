#!/usr/bin/env bash
# A separate Debian for fault tests, with its own dpkg, sshd and, once installed, its own Docker. See README.md.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
here=$folder/../real-server
. "$here/lib/settings.sh"
. "$here/lib/install.sh"
. "$here/lib/up.sh"

. "$folder/build-host.sh"

# The disk size that an order requires. A tmpfs only occupies what is used.
DISK_SIZE=16G
SITE_IP=172.28.255.2
SITE_SPACE=moorage-site

up() {
  [ -f "$MADE/whole" ] || fail "Run first: host.sh install"
  export BENCH_ROOT
  down
  BENCH_DIR=$(mktemp -d "${TMPDIR:-/tmp}/moorage-faults.XXXXXX")
  touch "$BENCH_DIR/.made-by-bench"
  mkdir -p "$BENCH_DIR"/{logs,pids,run,private,public,dns,server}
  chmod 711 "$BENCH_DIR"
  echo "$BENCH_DIR" > "$CURRENT"
  mount -t tmpfs -o "size=$DISK_SIZE,mode=755" tmpfs "$BENCH_DIR/server"
  mkdir -p "$BENCH_DIR"/server/{root,upper,work,home,docker,containerd}
  chmod 700 "$BENCH_DIR/server/home"
  make_bridge
  start_site
  start_server
  on_server sh -c 'cat >> /etc/hosts; cat /run/bench/site.pem >> /etc/ssl/certs/ca-certificates.crt
    systemctl start dbus.socket' <<HOSTS
$SITE_IP ${SITE_HOSTS[*]}
HOSTS
  make_image
  describe > "$BENCH_DIR/bench.json"
  cat "$BENCH_DIR/bench.json"
}

# In a separate network, because ports 80 and 443 of the server must be free.
start_site() {
  cp "$MADE/site.pem" "$BENCH_DIR/run/site.pem"
  cp "$MADE/site.pem" "$BENCH_DIR/public/acme-root.pem"   # the settings name this file, although no certificate is issued here
  ip netns add "$SITE_SPACE"
  ip link add moorage-site0 type veth peer name eth0 netns "$SITE_SPACE"
  ip link set moorage-site0 master "$BRIDGE" up
  ip netns exec "$SITE_SPACE" sh -c "ip link set lo up; ip address add $SITE_IP/24 dev eth0; ip link set eth0 up"
  start site ip netns exec "$SITE_SPACE" node "$folder/site.mjs" "$SITE_IP" "$SITE" "$MADE/site.pem" "$MADE/site.key"
  wait_until 10 "the site" curl -fsS --max-time 2 --cacert "$MADE/site.pem" --resolve "download.docker.com:443:$SITE_IP" \
    -o /dev/null https://download.docker.com/linux/debian/gpg || fail "the site did not start: $(tail -n 3 "$BENCH_DIR/logs/site.log")"
}

# The image that an order runs. It starts more slowly than a lease lasts, so another worker finds the start in progress.
make_image() {
  local work=$BENCH_DIR/private/pangolin library
  base "$work"
  install -m 755 "$(stand_in pangolin)" "$work/usr/local/bin/pangolin"
  cp /usr/bin/curl "$work/usr/bin/curl"
  for library in $(ldd /usr/bin/curl | grep -o '/[^ ]*'); do install -D -m 755 "$library" "$work$library"; done
}

# Runs as soon as Docker is available, because an order needs the image seconds later, and no registry has it.
images() {
  wait_for_docker
  import "$BENCH_DIR/private/pangolin" "$PANGOLIN_IMAGE" 'WORKDIR /app' 'CMD ["/bin/sh", "-c", "sleep 50; exec /usr/local/bin/pangolin"]'
  # services that wait for DNS are fetched with the rest, and never started here
  on_server docker tag "$PANGOLIN_IMAGE" "$GERBIL_IMAGE"
  on_server docker tag "$PANGOLIN_IMAGE" "$TRAEFIK_IMAGE"
}

# Kills everything but the first process, like a power failure, and then starts what a boot starts.
reboot() {
  on_server sh -c 'for p in /proc/[0-9]*; do p=${p#/proc/}; [ "$p" = 1 ] || [ "$p" = $$ ] || kill -9 "$p" 2>/dev/null; done; :'
  on_server sh -c 'rm -rf /run/moorage-*; systemctl reset-failed; systemctl start dbus.socket ssh; ! [ -e /usr/sbin/dockerd ] || systemctl start containerd docker || true'
  wait_until 30 "SSH after the reboot" listening "$SERVER_IP:$(cat "$BENCH_DIR/run/ssh-port")"
}

# Leaves not a single free page. `room` restores the rest.
fill() { mount -o "remount,size=$(df -k --output=used "$BENCH_DIR/server" | tail -n 1 | tr -d ' ')k" "$BENCH_DIR/server"; }
room() { mount -o "remount,size=$DISK_SIZE" "$BENCH_DIR/server"; }

down() {
  local other; other=$(cat "$CURRENT" 2>/dev/null || true)
  if [ -n "$other" ] && [ -d "$other/pids" ]; then
    BENCH_DIR=$other
    ! mountpoint -q "$BENCH_DIR/server" || room
    empty_server
    stop_process server-outer 10 KILL
    stop_process site 10
    ! mountpoint -q "$BENCH_DIR/server" || umount "$BENCH_DIR/server"
    rm -rf "$BENCH_DIR/run"
    remove_bridges
    remove_cgroups
    remove_folders
  fi
  rm -f "$CURRENT"
  ip netns delete "$SITE_SPACE" 2>/dev/null || true
  ip link delete moorage-site0 2>/dev/null || true
  unset BENCH_DIR
}

verb=${1:-}
[ $# -eq 0 ] || shift
case "$verb" in
  install) one_at_a_time; make ;;
  up | down) one_at_a_time; "$verb" ;;
  exec) find_bench; on_server "$@" ;;
  images | reboot | fill | room) find_bench; "$verb" ;;
  *) echo 'host.sh install | up | exec COMMAND... | images | reboot | fill | room | down' >&2; exit 2 ;;
esac
