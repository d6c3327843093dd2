# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
kind=$(arg server)
marker=$state/bootstrap.json
installed_docker=false
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND

# What changes packages runs apart from this script: the end of its time or of the connection must not cut dpkg in two.
# One at a time, and whoever comes next waits for it. What it printed is shown when it has ended.
packaging() {
  log=/run/moorage-$ref.log
  turn=$((${turn:-0} + 1))
  flock -w 5 "/run/moorage-$ref.packages" true || answer false BUSY
  set -- flock -w 60 "/run/moorage-$ref.packages" "$@"
  status=0
  if [ -d /run/systemd/system ] && [ -S /run/dbus/system_bus_socket ]; then
    systemd-run --quiet --collect --wait --unit "moorage-$ref-packages-$$-$turn" --property "StandardOutput=file:$log" \
      --setenv DEBIAN_FRONTEND=noninteractive --setenv LC_ALL=C "$@" < /dev/null 9>&- || status=$?
  else
    setsid --wait "$@" < /dev/null > "$log" 2>&1 3>&- 9>&- || status=$?
  fi
  tail -c 20000 "$log" || true
  rm -f "$log"
  return "$status"
}

# Nobody answers questions here: a changed settings file stays as its owner left it.
apt() {
  packaging apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 \
    -o DPkg::Options::=--force-confdef -o DPkg::Options::=--force-confold "$@"
}

# A reboot in the middle, ours or anybody's, leaves packages half done, and apt then refuses everything.
mend_packages() {
  [ -n "$(dpkg --audit 2>&1)" ] || [ -n "$(ls -A /var/lib/dpkg/updates)" ] || return 0
  packaging dpkg --force-confdef --force-confold --configure -a || true
  apt update || true
  apt install -y -f --no-remove || true
  packaging dpkg --force-confdef --force-confold --configure -a
}

# Docker's own packages. On an own server this happens only where there is no Docker, and it stays (decisions 23).
install_docker() {
  # shellcheck disable=SC1091
  . /etc/os-release
  mend_packages || return 1
  apt update || return 1
  apt install -y --no-install-recommends ca-certificates curl || return 1
  if [ "$kind" = new ]; then
    for package in docker.io docker-doc docker-compose docker-compose-v2 podman-docker containerd runc; do
      ! dpkg-query -W "$package" > /dev/null 2>&1 || apt remove -y "$package" || return 1
    done
  fi
  install -d -m 755 /etc/apt/keyrings
  curl -fsSL --retry 3 --max-time 60 "https://download.docker.com/linux/$ID/gpg" -o /etc/apt/keyrings/docker.asc.part || return 1
  mv -f /etc/apt/keyrings/docker.asc.part /etc/apt/keyrings/docker.asc
  chmod 644 /etc/apt/keyrings/docker.asc
  echo "deb [arch=$(dpkg --print-architecture) signed-by=/etc/apt/keyrings/docker.asc] https://download.docker.com/linux/$ID $VERSION_CODENAME stable" \
    > /etc/apt/sources.list.d/docker.list
  chmod 644 /etc/apt/sources.list.d/docker.list
  apt update && apt install -y docker-ce docker-ce-cli containerd.io docker-buildx-plugin docker-compose-plugin
}

# SQLite databases are copied with one of these. On an own server it is installed only where there is neither, and stays; where
# it cannot be had, everything but its backups works.
database_tool() {
  if has sqlite3 || python3 -c 'import sqlite3' 2> /dev/null; then return 0; fi
  mend_packages && apt update && apt install -y --no-install-recommends sqlite3
}

# Everything below changes a machine that we made.
packages() {
  mend_packages && apt update && apt install -y ca-certificates curl gnupg jq ufw unattended-upgrades sqlite3 git openssl
}

docker_settings() {
  [ ! -e /etc/docker/daemon.json ] || return 0
  install -d -m 755 /etc/docker
  echo '{"log-driver":"json-file","log-opts":{"max-size":"10m","max-file":"3"},"default-address-pools":[{"base":"10.0.0.0/8","size":24}]}' \
    > /etc/docker/daemon.json
  chmod 644 /etc/docker/daemon.json
}

ssh_settings() {
  drop_in=/etc/ssh/sshd_config.d/10-moorage.conf
  printf 'PasswordAuthentication no\nPermitRootLogin prohibit-password\n' > "$drop_in"
  chmod 644 "$drop_in"
  if sshd -t; then
    systemctl reload ssh 2> /dev/null || systemctl reload sshd
  else
    rm -f "$drop_in"
  fi
}

# SSH first: a firewall that is switched on before its SSH rule locks us out. Docker's ports pass it by anyway.
firewall() {
  ufw default deny incoming
  ufw allow 22/tcp
  for rule in $(args ports); do ufw allow "$rule"; done
  ufw --force enable
}

# The settings of Debian and Ubuntu include their security updates and no other repository. Docker is excluded in any case, because
# an upgrade of it restarts every container. A reboot is an action of the owner.
updates() {
  printf 'APT::Periodic::Update-Package-Lists "1";\nAPT::Periodic::Unattended-Upgrade "1";\n' > /etc/apt/apt.conf.d/20auto-upgrades
  cat > /etc/apt/apt.conf.d/52moorage-upgrades << 'SETTINGS'
Unattended-Upgrade::Automatic-Reboot "false";
Unattended-Upgrade::Package-Blacklist { "^docker-ce"; "^docker-.*-plugin$"; "^containerd\.io$"; };
SETTINGS
  chmod 644 /etc/apt/apt.conf.d/20auto-upgrades /etc/apt/apt.conf.d/52moorage-upgrades
  systemctl enable --now apt-daily.timer apt-daily-upgrade.timer || true
  timedatectl set-ntp true || true
}

swap() {
  memory_kb=$(awk '$1 == "MemTotal:" {print $2}' /proc/meminfo)
  [ "$memory_kb" -lt 2000000 ] || return 0
  [ ! -e /swapfile ] || return 0
  if ! { fallocate -l 2G /swapfile.part && chmod 600 /swapfile.part && mkswap /swapfile.part; }; then return 0; fi
  mv /swapfile.part /swapfile
  swapon /swapfile || return 0
  grep -q '^/swapfile ' /etc/fstab || echo '/swapfile none swap sw 0 0' >> /etc/fstab
}

prepare_new_server() {
  packages && docker_settings
}

finish_new_server() {
  ssh_settings
  firewall
  updates
  swap
}

# On an own server the last thing to go is our stack: a removal makes room for itself with this, however full the disk is.
if [ "$kind" = own ] && [ ! -s "$state/reserve" ]; then
  if ! head -c 4194304 /dev/urandom > "$state/reserve"; then
    rm -f "$state/reserve"
    answer false DISK_FULL
  fi
fi
if [ "$kind" = new ] && [ ! -s "$marker" ]; then prepare_new_server || answer false PACKAGES_FAILED; fi
# Half of an installation has the command already, and not the engine.
if ! has docker || [ -e "$state/installing-docker" ]; then
  touch "$state/installing-docker"
  install_docker || answer false DOCKER_FAILED
  rm -f "$state/installing-docker"
  installed_docker=true
fi
database_tool || echo 'no program for SQLite databases'
if [ -d /run/systemd/system ] && [ "$kind$installed_docker" != ownfalse ]; then systemctl enable --now docker || answer false DOCKER_FAILED; fi
need_docker
docker compose version > /dev/null 2>&1 || answer false DOCKER_FAILED
if [ "$kind" = new ]; then
  [ -s "$marker" ] || finish_new_server
else
  # shellcheck disable=SC2046
  open_ports $(args ports)
fi
version=$(docker version --format '{{.Server.Version}}')
printf '{"version":1,"docker":"%s","at":"%s"}\n' "$version" "$(date -u +%FT%TZ)" > "$marker.part"
mv -f "$marker.part" "$marker"
answer true DONE "\"docker\":$(text "$version" 40),\"installed_docker\":$installed_docker"
