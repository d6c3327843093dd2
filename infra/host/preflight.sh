# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# Everything at once: each result has a name, a level (ok, W warns, E blocks) and short words for the sentence.
purpose=$(arg purpose)
results=

result() { # result NAME LEVEL [FOUND] [WANTED]
  line="{\"name\":\"$1\",\"level\":\"$2\""
  [ -z "${3:-}" ] || line="$line,\"found\":$(text "$3")"
  [ -z "${4:-}" ] || line="$line,\"wanted\":$(text "$4")"
  results="$results${results:+,}$line}"
}

# at_least A B: version A is B or later
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]; }

machine() {
  if [ "$(id -u)" = 0 ]; then result root ok; else result root E; fi
  # shellcheck disable=SC1091
  os=$(. /etc/os-release 2> /dev/null && printf '%s %s' "${ID:-unknown}" "${VERSION_ID:-}") || os=unknown
  case "$os" in
    'ubuntu 22.04' | 'ubuntu 24.04' | 'debian 12') result os ok "$os" ;;
    'debian 13') result os W "$os" ;;
    *) result os E "$os" ;;
  esac
  arch=$(uname -m)
  case "$arch" in
    x86_64 | aarch64) result arch ok "$arch" ;;
    *) result arch E "$arch" ;;
  esac
  virtualisation=$(systemd-detect-virt 2> /dev/null || true)
  case "$virtualisation" in openvz | lxc) result virtualisation W "$virtualisation" ;; esac
}

clock() {
  now=$(arg now)
  [ "${now:-0}" -gt 0 ] || return 0
  off=$(($(date +%s) - now))
  [ "$off" -ge 0 ] || off=$((-off))
  if [ "$off" -gt 300 ]; then result time E "$off"
  elif [ "$off" -gt 60 ]; then result time W "$off"
  else result time ok; fi
}

size() {
  cpu=$(nproc)
  enough cpu "$cpu" "$(arg cpu)" "$(arg cpu)"
  memory=$(awk '$1 == "MemTotal:" {print int($2 / 1024)}' /proc/meminfo)
  # a machine sold with 2 GB shows a little less
  enough memory "$memory" $(($(arg memory_mb) * 9 / 10)) "$(arg memory_mb)"
  docker_folder=/var/lib/docker
  [ -d "$docker_folder" ] || docker_folder=/
  disk=$(df -Pk / "$docker_folder" | awk 'NR > 1 && (min == "" || $4 < min) {min = $4} END {print int(min / 1048576)}')
  enough disk "$disk" "$(arg disk_gb)" "$(arg disk_gb)"
}

enough() { # enough NAME FOUND LEAST WANTED
  if [ "$2" -ge "$3" ]; then result "$1" ok "$2"; else result "$1" E "$2" "$4"; fi
}

# A port is free, or held by a container of this deployment.
ports() {
  for rule in $(args ports); do
    port=${rule%/*}
    case "$rule" in */udp) list=$(ss -Hlunp "sport = :$port") ;; *) list=$(ss -Hltnp "sport = :$port") ;; esac
    if [ -z "$list" ] || ours "$rule"; then
      result port ok "$rule"
    else
      holder=$(printf '%s' "$list" | sed -n 's/.*users:(("\([^"]*\)".*/\1/p' | head -n 1)
      result port E "${holder:-another program}" "$rule"
    fi
  done
}

ours() {
  has docker && [ -n "$(docker ps -q --filter "label=com.docker.compose.project=$project" --filter "publish=$1" 2> /dev/null)" ]
}

docker_engine() {
  engine=
  if ! has docker; then
    result docker ok missing "$(arg docker)"
    return 0
  fi
  case "$(readlink -f "$(command -v docker)")" in
    /snap/* | */snap)
      result docker E snap
      return 0 ;;
  esac
  engine=$(timeout 20 docker version --format '{{.Server.Version}}' 2> /dev/null) || engine=
  if [ -z "$engine" ]; then result docker E silent "$(arg docker)"
  elif at_least "$engine" "$(arg docker)"; then result docker ok "$engine"
  else result docker E "$engine" "$(arg docker)"; fi
  plugin=$(docker compose version --short 2> /dev/null) || plugin=
  plugin=${plugin#v}
  if [ -z "$plugin" ]; then result compose E missing 2.24
  elif at_least "$plugin" 2.24; then result compose ok "$plugin"
  else result compose E "$plugin" 2.24; fi
}

names() {
  [ -n "$engine" ] || return 0
  for name in $(args names); do
    owner=$(docker container inspect -f '{{index .Config.Labels "com.docker.compose.project"}}' "$name" 2> /dev/null) || continue
    [ "$owner" = "$project" ] || result names E "$name"
  done
}

# A folder of the package's own is not there yet, or it is this deployment's.
folders() {
  for path in $(args folders); do
    [ ! -e "$path" ] || taken folder | grep -qxF "$path" || result folder E "$path"
  done
}

# sshd of an own server is looked at, never changed; on a new one the bootstrap says how it is.
root_login() {
  [ "$(arg login)$(arg server)" = yesown ] || return 0
  settings=$(sshd -T -C user=root,host=localhost,addr=172.17.0.2 2> /dev/null) || settings=
  keys=$(printf '%s\n' "$settings" | sed -n 's/^pubkeyauthentication //p')
  root=$(printf '%s\n' "$settings" | sed -n 's/^permitrootlogin //p')
  case "$keys $root" in
    'yes yes' | 'yes prohibit-password' | 'yes without-password') result root_login ok "$root" ;;
    ' ') result root_login W unknown ;;
    *) result root_login E "$root" ;;
  esac
}

# What has to be fetched decides how bad it is that a host does not answer.
outbound() {
  level=W
  hosts=$(args hosts)
  if [ -z "$engine" ]; then
    level=E
    hosts="$hosts download.docker.com"
  fi
  for image in $(args images); do
    [ -z "$engine" ] || docker image inspect "$image" > /dev/null 2>&1 || level=E
  done
  asked=
  for host in $hosts; do
    reaches "$host" &
    asked="$asked $!:$host"
  done
  for one in $asked; do
    if wait "${one%%:*}"; then result outbound ok "${one#*:}"; else result outbound "$level" "${one#*:}"; fi
  done
}

reaches() {
  if has curl; then curl -s -o /dev/null --max-time 8 "https://$1/"
  else
    # shellcheck disable=SC2016
    timeout 8 bash -c 'exec 3<> "/dev/tcp/$0/443"' "$1"
  fi > /dev/null 2>&1
}

habits() {
  [ "$(cat /proc/1/comm)" = systemd ] || result systemd W "$(cat /proc/1/comm)"
  if [ "$(arg wireguard)" = yes ] && [ ! -d /sys/module/wireguard ] && ! modprobe -n wireguard 2> /dev/null; then
    case "$virtualisation" in openvz | lxc) result wireguard E ;; *) result wireguard W ;; esac
  fi
  kind=$(active_firewall)
  [ -z "$kind" ] || [ "$(arg server)" = new ] || result firewall W "$kind"
  ! has getenforce || [ "$(getenforce)" != Enforcing ] || result selinux W
  ! has fail2ban-client || result fail2ban W
  [ ! -e /var/run/reboot-required ] || result reboot W
}

ipv6_address=$(ip -6 -o addr show scope global 2> /dev/null | awk '$4 !~ /^f[cd]/ && !/temporary|deprecated/ {sub("/.*", "", $4); print $4; exit}') || ipv6_address=

# Folders of earlier checks with the same key (the first eight of sixteen) that nobody came back to, and anybody's of long ago.
forgotten_checks_gone() {
  for earlier in "${state%????????}"????????; do
    [ "$earlier" = "$state" ] || rm -rf "$earlier"
  done
  find "${state%/*}" -maxdepth 1 -name 'check-*' -mmin +60 -exec rm -rf {} + 2> /dev/null || true
}

[ "$purpose" = deploy ] || forgotten_checks_gone
machine
clock
ipv6=false
if [ "$purpose" = deploy ]; then
  size
  ports
  docker_engine
  names
  folders
  root_login
  outbound
  habits
  # older engines have no IPv6 addresses to give to a network
  [ -z "$ipv6_address" ] || [ -z "$engine" ] || ! at_least "$engine" 27.0 || ipv6=true
else
  # nothing of a check stays
  rm -rf "$state"
  rmdir "${state%/*}" 2> /dev/null || true
fi

address=null
[ -z "$ipv6_address" ] || address=$(text "$ipv6_address" 45)
facts="\"results\":[$results],\"ipv6\":$ipv6,\"ipv6_address\":$address,\"arch\":$(text "$arch" 20),\"os\":$(text "$os" 40)"
case "$results" in *'"level":"E"'*) answer false REFUSED "$facts" ;; esac
answer true DONE "$facts"
