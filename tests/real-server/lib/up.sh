# Starts the server, its DNS and its certificate authority, and prints their addresses.

. "$here/lib/images.sh"
. "$here/lib/down.sh"

up() {
  local other; other=$(cat "$CURRENT" 2>/dev/null || true)
  if [ -n "$other" ] && [ -f "$other/bench.json" ] && (BENCH_DIR=$other all_running); then
    [ "${BENCH_DIR:-$other}" = "$other" ] || fail "A bench is already up in $other. Stop it first with: bench.sh down"
    cat "$other/bench.json"
    return
  fi
  [ -z "$other" ] || { say "clearing away what an earlier bench left in $other"; (BENCH_DIR=$other down); }

  require_installed
  # An empty folder of an earlier installation would be removed by the first clean-up and look like damage.
  rmdir /var/lib/moorage 2> /dev/null || true
  make_folders
  echo "$BENCH_DIR" > "$CURRENT"
  trap 'say "up failed; the logs are in $BENCH_DIR/logs"' ERR
  set -E

  make_bridge
  start_dns
  start_authority
  start_server
  wait_for_docker
  import_images
  describe > "$BENCH_DIR/bench.json.part"
  mv "$BENCH_DIR/bench.json.part" "$BENCH_DIR/bench.json"
  cat "$BENCH_DIR/bench.json"
}

all_running() {
  local name
  for name in server server-outer dns authority; do running_pid "$name" > /dev/null || return 1; done
}

require_installed() {
  local needed
  for needed in "$COMPOSE_BIN" "$TRAEFIK_BIN" "$(stand_in pangolin)" "$(stand_in parts)" /usr/sbin/dockerd /usr/sbin/sshd /usr/sbin/dnsmasq /usr/bin/pebble /bin/busybox; do
    [ -x "$needed" ] || fail "$needed is missing. Run first: bench.sh install"
  done
  local port
  for port in "$SERVER_IP:80" "$SERVER_IP:443" "$SERVICES_IP:53"; do
    ! listening "$port" && ! listening "0.0.0.0:${port##*:}" && ! listening "*:${port##*:}" ||
      fail "Something on this machine already listens on port ${port##*:}."
  done
}

make_folders() {
  if [ -z "${BENCH_DIR:-}" ]; then
    BENCH_DIR=$(mktemp -d "${TMPDIR:-/tmp}/moorage-bench.XXXXXX")
    mkdir -p "$BENCH_DIR"; touch "$BENCH_DIR/.made-by-bench"
  fi
  # The path becomes part of mount options and of a socket's name, which both have limits.
  [[ "$BENCH_DIR" =~ ^/[A-Za-z0-9._/-]{1,80}$ ]] || fail "BENCH_DIR must be an absolute path of at most 80 plain characters."
  mkdir -p "$BENCH_DIR"/{logs,pids,run,public,private,dns,server/{root,upper,work,home,docker,containerd}}
  chmod 711 "$BENCH_DIR"
  chmod 700 "$BENCH_DIR"/{private,server/home}
}

make_bridge() {
  ip link show "$BRIDGE" >/dev/null 2>&1 || ip link add "$BRIDGE" type bridge
  ip address replace "$BRIDGE_IP/24" dev "$BRIDGE"
  ip link set "$BRIDGE" up
}

start_dns() {
  : > "$BENCH_DIR/dns/hosts"
  start dns /usr/sbin/dnsmasq --keep-in-foreground --conf-file=/dev/null --user=root --pid-file= \
    --bind-interfaces --listen-address="$SERVICES_IP" --listen-address="$BRIDGE_IP" --port=53 \
    --no-resolv --no-hosts --local=/#/ --addn-hosts="$BENCH_DIR/dns/hosts" --log-facility=-
  wait_until 10 "the DNS server" listening "$SERVICES_IP:53" || fail "dnsmasq did not start: $(tail -n 3 "$BENCH_DIR/logs/dns.log")"
}

# There are two authorities. The authority below signs the certificate of pebble's web server, and pebble signs the test's certificates.
start_authority() {
  local private=$BENCH_DIR/private public=$BENCH_DIR/public
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=Bench ACME directory CA" \
    -keyout "$private/directory-ca.key" -out "$public/acme-directory-ca.pem" 2>/dev/null
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=Bench ACME directory" \
    -keyout "$private/directory.key" -out "$private/directory.csr" 2>/dev/null
  openssl x509 -req -in "$private/directory.csr" -CA "$public/acme-directory-ca.pem" -CAkey "$private/directory-ca.key" \
    -CAcreateserial -days 30 -out "$private/directory.pem" \
    -extfile <(echo "subjectAltName=IP:$BRIDGE_IP,IP:$SERVICES_IP") 2>/dev/null
  jq -n --arg private "$private" --arg acme "$BRIDGE_IP:14000" --arg back "$SERVICES_IP:15000" '{pebble: {
    listenAddress: $acme, managementListenAddress: $back,
    certificate: ($private + "/directory.pem"), privateKey: ($private + "/directory.key"),
    httpPort: 80, tlsPort: 443, ocspResponderURL: "", externalAccountBindingRequired: false
  }}' > "$private/pebble.json"
  # Without random delays, refusals or reused authorisations, so that a single request is sufficient.
  PEBBLE_VA_NOSLEEP=1 PEBBLE_WFE_NONCEREJECT=0 PEBBLE_AUTHZREUSE=0 \
    start authority /usr/bin/pebble -config "$private/pebble.json" -dnsserver "$SERVICES_IP:53"
  fetch_root() {
    curl -fsS --max-time 5 --cacert "$public/acme-directory-ca.pem" -o "$public/acme-root.pem" "https://$SERVICES_IP:15000/roots/0"
  }
  wait_until 20 "pebble" fetch_root || fail "pebble did not start: $(tail -n 3 "$BENCH_DIR/logs/authority.log")"
}

start_server() {
  local port
  for port in $(seq 22022 22122); do
    [ -n "$(ss -Hltn "sport = :$port")" ] || break
  done
  echo "$port" > "$BENCH_DIR/run/ssh-port"
  install -m 755 "$here/lib/server-init.sh" "$BENCH_DIR/run/server-init.sh"
  SSH_PORT=$port BENCH_DIR=$BENCH_DIR SERVER_IP=$SERVER_IP BRIDGE=$BRIDGE BRIDGE_IP=$BRIDGE_IP SERVICES_IP=$SERVICES_IP \
    CONTAINER_NETWORKS=$CONTAINER_NETWORKS COMPOSE_BIN=$COMPOSE_BIN BENCH_ROOT=${BENCH_ROOT:-/} \
    start server-outer unshare --mount --uts --pid --fork --kill-child --propagation private bash "$BENCH_DIR/run/server-init.sh"
  local outer inner=
  outer=$(running_pid server-outer) || fail "The server's namespaces could not be made: $(tail -n 3 "$BENCH_DIR/logs/server-outer.log")"
  wait_until 10 "the server's first process" grep -q . "/proc/$outer/task/$outer/children"
  inner=$(tr -d ' ' < "/proc/$outer/task/$outer/children")
  remember_pid server "$inner"
  wait_until 60 "SSH on the server" listening "$SERVER_IP:$port" ||
    fail "sshd did not start: $(tail -n 5 "$BENCH_DIR/logs/ssh.log")"
}

wait_for_docker() {
  wait_until 60 "Docker on the server" curl -fsS --max-time 2 --unix-socket "$BENCH_DIR/run/docker.sock" http://docker/_ping ||
    fail "dockerd did not start: $(tail -n 5 "$BENCH_DIR/logs/server-outer.log" "$BENCH_DIR/logs/docker.log")"
}

listening() { ss -Hltn "sport = :${1##*:}" | awk '{print $4}' | grep -qFx "$1"; }

start() { # start NAME COMMAND...
  local name=$1; shift
  setsid "$@" < /dev/null > "$BENCH_DIR/logs/$name.log" 2>&1 9>&- &
  remember_pid "$name" $!
}

describe() {
  local port key
  port=$(cat "$BENCH_DIR/run/ssh-port")
  key=$(cut -d' ' -f1,2 "$BENCH_DIR/run/ssh_host_ed25519_key.pub")
  jq -n --arg dir "$BENCH_DIR" --arg ip "$SERVER_IP" --argjson port "$port" --arg key "$key" \
    --arg print "$(ssh-keygen -lf "$BENCH_DIR/run/ssh_host_ed25519_key.pub" | cut -d' ' -f2)" \
    --arg acme "https://$BRIDGE_IP:14000/dir" --arg back "https://$SERVICES_IP:15000" --arg resolver "$SERVICES_IP:53" \
    --arg pangolin "$PANGOLIN_IMAGE" --arg gerbil "$GERBIL_IMAGE" --arg traefik "$TRAEFIK_IMAGE" --arg alpine "$ALPINE_IMAGE" '{
    bench_dir: $dir,
    ssh: {host: $ip, port: $port, user: "root", host_key: $key, host_key_fingerprint: $print},
    server: {ip: $ip, root_home: "/root", root_home_seen_from_outside: ($dir + "/server/home"), http_port: 80, https_port: 443},
    docker_host: ("unix://" + $dir + "/run/docker.sock"),
    dns: {resolver: $resolver},
    acme: {directory_url: $acme, directory_ca_file: ($dir + "/public/acme-directory-ca.pem"),
      root_file: ($dir + "/public/acme-root.pem"), management_url: $back},
    images: [$pangolin, $gerbil, $traefik, $alpine],
    lab_settings: {VPS_ALLOWED_CIDRS: ($ip + "/32"), VPS_SSH_PORT: ($port | tostring), DNS_RESOLVERS: $resolver, DOMAIN_ALLOWED_ZONES: "test,example.com",
      ACME_DIRECTORY_URL: $acme, CERTIFICATE_CA_FILE: ($dir + "/public/acme-root.pem")}
  }'
}
