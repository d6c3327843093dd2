#!/usr/bin/env bash
# Creates the server and then becomes its systemd. Runs in separate mount, process and host name spaces.
# The disk is an overlay over this machine's files (or those of BENCH_ROOT). Everything the server writes is in
# BENCH_DIR/server/upper, so the machine is not changed, and the changes of a deployment can be listed.
set -euo pipefail

main() {
  case "${1:-}" in
    '')   join_cgroups; exec unshare --cgroup bash "$0" boot ;;
    boot) build_disk; enter_disk; configure
          exec env -i container=bench PATH="$server_path" LANG=C.UTF-8 /lib/systemd/systemd --system --log-target=console ;;
  esac
}

server_path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# Below the group in which `up` was called, so that its limits apply here too.
join_cgroups() {
  local groups controllers path folder file
  groups=$(cat /proc/self/cgroup)   # read completely first, because joining changes it
  while IFS=: read -r _ controllers path; do
    case "$controllers" in
      '') folder=/sys/fs/cgroup/unified; [ -d "$folder" ] || folder=/sys/fs/cgroup ;;
      *)  folder=/sys/fs/cgroup/${controllers#name=} ;;
    esac
    folder=${folder}${path%/}/moorage-bench
    mkdir -p "$folder"
    case "$controllers" in cpuset) for file in cpuset.cpus cpuset.mems; do cat "${folder%/*}/$file" > "$folder/$file"; done ;; esac
    echo 0 > "$folder/cgroup.procs"
  done <<< "$groups"
}

build_disk() {
  local server=$BENCH_DIR/server
  root=$server/root
  hostname bench-server
  mount -t overlay overlay -o "lowerdir=${BENCH_ROOT:-/},upperdir=$server/upper,workdir=$server/work" "$root"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  # Kernel settings belong to the machine. Docker only needs to write those of its networks.
  mount -t proc proc "$root/proc"
  mount --bind "$root/proc/sys" "$root/proc/sys"
  mount --bind "$root/proc/sys/net" "$root/proc/sys/net"
  mount -o remount,bind,ro "$root/proc/sys"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount_cgroups
  make_devices
  # Docker's own overlay cannot be on top of this overlay.
  mkdir -p "$root"/var/lib/{docker,containerd} "$root"/run/{bench,lock,old-root}
  mount --bind "$server/docker" "$root/var/lib/docker"
  mount --bind "$server/containerd" "$root/var/lib/containerd"
  mount --bind "$server/home" "$root/root"
  mount --bind "$BENCH_DIR/logs" "$root/var/log"
  mount --bind "$BENCH_DIR/run" "$root/run/bench"
  # A plain Debian server with Compose v2, without other tools that this machine has besides its packages.
  mount -t tmpfs -o mode=755 tmpfs "$root/usr/local"
  install -D -m 755 "$COMPOSE_BIN" "$root/usr/local/lib/docker/cli-plugins/docker-compose"
  # systemd starts only what is enabled below, and nothing that this machine or a package enabled.
  local wants
  for wants in "$root"/lib/systemd/system/*.wants; do mount -t tmpfs tmpfs "$wants"; done
  rm -rf "$root"/etc/systemd/system/*
}

mount_cgroups() {
  local here_mounted=$root/sys/fs/cgroup controllers
  if [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then mount -t cgroup2 cgroup2 "$here_mounted"; return; fi
  mount -t tmpfs -o mode=755 tmpfs "$here_mounted"
  while IFS=: read -r _ controllers _; do
    case "$controllers" in
      '')     mkdir "$here_mounted/unified"; mount -t cgroup2 cgroup2 "$here_mounted/unified" ;;
      name=*) mkdir "$here_mounted/${controllers#name=}"; mount -t cgroup -o "none,$controllers" cgroup "$here_mounted/${controllers#name=}" ;;
      *)      mkdir "$here_mounted/$controllers"; mount -t cgroup -o "$controllers" cgroup "$here_mounted/$controllers" ;;
    esac
  done < /proc/self/cgroup
}

make_devices() {
  local device
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for device in null zero full random urandom tty; do touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
  mkdir "$root"/dev/{pts,shm,mqueue}
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  for device in stdin:0 stdout:1 stderr:2; do ln -s "/proc/self/fd/${device#*:}" "$root/dev/${device%:*}"; done
}

enter_disk() {
  cd "$root"
  pivot_root . run/old-root
  cd /
  umount -l /run/old-root
  rmdir /run/old-root
}

configure() {
  printf 'nameserver %s\n' "$SERVICES_IP" > /etc/resolv.conf
  printf '127.0.0.1 localhost\n127.0.1.1 bench-server\n' > /etc/hosts
  rm -f /.dockerenv /etc/fstab   # both belong to this machine
  configure_docker
  configure_ssh
  ln -sf /lib/systemd/system/multi-user.target /etc/systemd/system/default.target
  mkdir -p /etc/systemd/system/multi-user.target.wants
  local unit
  for unit in docker containerd ssh; do
    ln -s "/lib/systemd/system/$unit.service" "/etc/systemd/system/multi-user.target.wants/$unit.service"
    mkdir -p "/etc/systemd/system/$unit.service.d"
    printf '[Service]\nStandardOutput=append:/var/log/%s.log\nStandardError=inherit\n' "$unit" > "/etc/systemd/system/$unit.service.d/log.conf"
  done
}

# The kernel's packet filter and routing belong to the machine. Neither is needed here, because published ports use
# Docker's proxy, and containers have nothing to reach outside.
configure_docker() {
  cat > /etc/default/docker <<CONFIG
DOCKER_OPTS="--host=unix:///run/bench/docker.sock --bridge=$BRIDGE --dns=$BRIDGE_IP --default-address-pool=base=$CONTAINER_NETWORKS,size=24 \
--iptables=false --ip6tables=false --ip-forward=false --ip-masq=false --userland-proxy-path=/usr/local/lib/docker/proxy-on-loopback"
CONFIG
  # Docker publishes on all interfaces of a server. The only interface of this server is its address.
  cat > /usr/local/lib/docker/proxy-on-loopback <<PROXY
#!/bin/bash
for argument; do
  shift
  case \$argument in 0.0.0.0) argument=$SERVER_IP ;; ::) argument=::1 ;; esac
  set -- "\$@" "\$argument"
done
exec /usr/sbin/docker-proxy "\$@"
PROXY
  chmod 755 /usr/local/lib/docker/proxy-on-loopback
}

configure_ssh() {
  [ -f /run/bench/ssh_host_ed25519_key ] || ssh-keygen -q -t ed25519 -N '' -C bench-server -f /run/bench/ssh_host_ed25519_key
  mkdir -p /run/sshd
  cat > /run/bench/sshd_config <<CONFIG
ListenAddress $SERVER_IP:$SSH_PORT
ListenAddress $BRIDGE_IP:22
HostKey /run/bench/ssh_host_ed25519_key
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
MaxStartups 100
PrintLastLog no
Subsystem sftp internal-sftp
CONFIG
  echo 'SSHD_OPTS="-f /run/bench/sshd_config"' > /etc/default/ssh
  # sshd refuses logins to a locked account, even with a key.
  ! grep -q '^root:!' /etc/shadow || sed -i 's/^root:![^:]*:/root:*:/' /etc/shadow
}

main "$@"
