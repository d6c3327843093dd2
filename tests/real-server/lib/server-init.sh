#!/usr/bin/env bash
# First process of the server, in its own mount, process and host name spaces.
# Its disk is an overlay: this machine's files below, everything the server writes in BENCH_DIR/server/upper.
# So the machine stays untouched, and what a deployment changed can be listed.
set -euo pipefail

become_the_server() {
  local server=$BENCH_DIR/server root=$BENCH_DIR/server/root
  hostname bench-server
  mount -t overlay overlay -o "lowerdir=/,upperdir=$server/upper,workdir=$server/work" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  mkdir -p "$root/var/lib/docker" "$root"/run/{bench,sshd,lock,old-root}
  mount --bind "$server/docker" "$root/var/lib/docker"   # Docker's own overlay cannot lie on ours
  mount --bind "$server/home" "$root/root"
  mount --bind "$BENCH_DIR/logs" "$root/var/log"
  mount --bind "$BENCH_DIR/run" "$root/run/bench"
  # A plain Debian server: none of the tools that this machine has beside its packages, but Compose v2.
  mount -t tmpfs -o mode=755 tmpfs "$root/usr/local"
  install -D -m 755 "$COMPOSE_BIN" "$root/usr/local/lib/docker/cli-plugins/docker-compose"
  loopback_proxy > "$root/usr/local/lib/docker/proxy-on-loopback"
  chmod 755 "$root/usr/local/lib/docker/proxy-on-loopback"

  cd "$root"
  pivot_root . run/old-root
  cd /
  umount -l /run/old-root
  rmdir /run/old-root
  printf 'nameserver %s\n' "$SERVICES_IP" > /etc/resolv.conf
  printf '127.0.0.1 localhost\n127.0.1.1 bench-server\n' > /etc/hosts
  # sshd lets nobody into a locked account, not even with a key.
  ! grep -q '^root:!' /etc/shadow || sed -i 's/^root:![^:]*:/root:*:/' /etc/shadow
}

# Docker publishes on all interfaces of a server; this server's only interface is its address.
loopback_proxy() {
  cat <<PROXY
#!/bin/bash
for argument; do
  shift
  case \$argument in 0.0.0.0) argument=$SERVER_IP ;; ::) argument=::1 ;; esac
  set -- "\$@" "\$argument"
done
exec /usr/sbin/docker-proxy "\$@"
PROXY
}

# The kernel's packet filter and routing belong to the machine: the bench needs neither, as
# published ports go through Docker's proxy, and containers have nothing to reach outside.
start_docker() {
  env -i HOME=/root PATH="$server_path" /usr/sbin/dockerd \
    --host=unix:///var/run/docker.sock --host=unix:///run/bench/docker.sock \
    --bridge="$BRIDGE" --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false \
    --userland-proxy=true --userland-proxy-path=/usr/local/lib/docker/proxy-on-loopback \
    --default-address-pool="base=$CONTAINER_NETWORKS,size=24" --dns="$BRIDGE_IP" \
    --storage-driver=overlay2 --exec-opt=native.cgroupdriver=cgroupfs --cgroup-parent=/moorage-bench \
    > /var/log/dockerd.log 2>&1 &
  docker_pid=$!
}

start_ssh() {
  [ -f /run/bench/ssh_host_ed25519_key ] || ssh-keygen -q -t ed25519 -N '' -C bench-server -f /run/bench/ssh_host_ed25519_key
  cat > /run/sshd/config <<CONFIG
ListenAddress $SERVER_IP:$SSH_PORT
HostKey /run/bench/ssh_host_ed25519_key
PidFile none
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
AuthorizedKeysFile .ssh/authorized_keys
MaxStartups 100
PrintLastLog no
Subsystem sftp internal-sftp
CONFIG
  env -i HOME=/root PATH="$server_path" /usr/sbin/sshd -D -e -f /run/sshd/config > /var/log/sshd.log 2>&1 &
}

stop() {
  trap - TERM INT
  local containers
  containers=$(docker ps -aq || true)
  [ -z "$containers" ] || docker rm -f $containers > /dev/null || true
  docker network prune -f > /dev/null || true
  kill "$docker_pid" 2>/dev/null || true
  wait "$docker_pid" || true
  exit 0
}

server_path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
become_the_server
export PATH=$server_path HOME=/root
trap stop TERM INT
start_docker
start_ssh
while :; do
  sleep 3600 &
  wait $! || true
done
