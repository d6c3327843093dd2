#!/usr/bin/env bash
# Tests the test server. Twice in a row it starts, receives a stack over SSH, obtains a certificate over http-01 that
# leads to the test authority's root, and stops without leaving changes on the machine.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bench=$here/bench.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/moorage-smoke.XXXXXX")
trap '"$bench" down; rm -rf "$work"' EXIT
passed=0

main() {
  timed install "$bench" install
  local round before after
  before=$(machine)
  "$bench" up > "$work/bench.json"
  kill -KILL "$(cut -d' ' -f1 "$(field .bench_dir)/pids/server-outer")"
  for round in 1 2; do
    timed "up (round $round)" "$bench" up > "$work/bench.json"   # the first round finds a killed server
    one_round
    timed "down (round $round)" "$bench" down
    after=$(machine)
    same 'the machine is as it was' "$before" "$after"
  done
  echo "$passed passed, 0 failed"
}

one_round() {
  local clean; clean=$("$bench" snapshot)
  same 'a second up answers the same' "$(cat "$work/bench.json")" "$("$bench" up)"

  rm -f "$work/key"*
  ssh-keygen -q -t ed25519 -N '' -C moorage-smoke -f "$work/key"
  echo "[$(field .ssh.host)]:$(field .ssh.port) $(field .ssh.host_key)" > "$work/known_hosts"
  check 'a stranger is refused' refused
  sed "s|PUBLIC_KEY|$(cat "$work/key.pub")|" "$here/smoke/periphery.yml" > "$work/periphery.yml"
  "$bench" exec sh -c 'cat > docker-compose.yml' < "$work/periphery.yml"
  check 'the script of the own server lets our key in' contains 'Access granted' "$bench" exec docker compose -p access up --no-log-prefix
  same 'a session is at home' /root "$(remote 'echo "$HOME"')"

  local host=admin.example.test project=/opt/moorage/smoke
  upload "$host" "$project"
  check 'sftp reads back what was written' remote test -s $project/docker-compose.yml
  check 'the stack becomes healthy' remote "cd $project && docker compose up --wait --wait-timeout 60 pangolin gerbil 2>&1"
  check 'gerbil made its key' remote test -s $project/config/key
  first_admin

  "$bench" dns set "$host" 127.9.9.9
  same 'a wrong record is seen' 127.9.9.9 "$(remote "getent ahostsv4 $host | awk 'NR==1{print \$1}'")"
  "$bench" dns set "$host" "$(field .server.ip)"
  check 'traefik starts' remote "cd $project && docker compose up --wait --wait-timeout 60 2>&1"
  check 'published ports are on loopback only' published_on_loopback
  check 'the certificate chain ends at the root' within 60 certified "$host"
  same 'the dashboard answers over https' '{"message":"Healthy"}' "$(https "$host" /api/v1/)"
  same 'http leads to https' "302 https://$host/" "$(curl -s -o /dev/null -w '%{http_code} %{redirect_url}' --resolve "$host:80:$(field .server.ip)" "http://$host/")"
  same 'traefik answers its ping' OK "$(remote curl -fsS http://127.0.0.1/ping)"
  check 'a systemd unit brings the stack back' unit_starts "$project"

  remote "cd $project && docker compose down -v 2>&1 && rm -rf $project && rmdir /opt/moorage" > "$work/said" || { cat "$work/said"; exit 1; }
  "$bench" exec docker compose -p access down 2> /dev/null
  "$bench" exec sh -c 'rm -r docker-compose.yml .ssh'
  "$bench" dns clear
  same 'the server is as it was' "$clean" "$("$bench" snapshot)"
}

upload() { # upload HOST PROJECT
  rm -rf "$work/project"; cp -r "$here/smoke/project" "$work/project"
  mkdir -p "$work"/project/config/{db,letsencrypt} "$work"/project/config/traefik/{logs,plugins}
  sed -i "s|ACME_DIRECTORY_URL|$(field .acme.directory_url)|" "$work/project/config/traefik/traefik_config.yml"
  sed -i "s|HOST|$1|g" "$work/project/config/traefik/rules/pangolin.yml"
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf 'PROJECT=moorage-smoke\nPANGOLIN_SETUP_TOKEN=%s\nSERVER_SECRET=%s%s\n' "$token" "$token" "$token" > "$work/project/.env"
  remote mkdir -p /opt/moorage
  sftp "${ssh_options[@]}" -b - -P "$(field .ssh.port)" "root@$(field .ssh.host)" > /dev/null <<< "put -r $work/project $2"
}

first_admin() {
  local api='docker exec -i pangolin curl -s http://localhost:3000/api/v1/auth'
  same 'no first admin yet' false "$(remote "$api/initial-setup-complete" | jq .data.complete)"
  local body; body='{"email":"admin@example.test","password":"Harbour-Light-7","setupToken":"'$token'"}'
  same 'the first admin is made' 200 "$(remote "$api/set-server-admin -o /dev/null -w '%{http_code}' -X PUT -H 'Content-Type: application/json' -H 'X-CSRF-Token: x-csrf-protection' -d @-" <<< "$body")"
  same 'the first admin is there' true "$(remote "$api/initial-setup-complete" | jq .data.complete)"
}

unit_starts() {
  remote "cat > /etc/systemd/system/moorage-smoke.service" <<UNIT
[Unit]
After=docker.service
Requires=docker.service
[Service]
Type=oneshot
RemainAfterExit=yes
WorkingDirectory=$1
ExecStart=/usr/bin/docker compose up -d --wait
[Install]
WantedBy=multi-user.target
UNIT
  remote "cd $1 && docker compose stop 2>&1 && systemctl daemon-reload && systemctl enable --now moorage-smoke 2>&1" &&
    [ "$(remote docker inspect -f '{{.State.Health.Status}}' pangolin)" = healthy ] &&
    remote "systemctl disable --now moorage-smoke 2>&1 && rm /etc/systemd/system/moorage-smoke.service && systemctl daemon-reload"
}

certified() {
  openssl s_client -connect "$(field .server.ip):443" -servername "$1" -verify_hostname "$1" -verify_return_error \
    -CAfile "$(field .acme.root_file)" -no-CApath < /dev/null > "$work/tls" 2>&1 && grep -q 'Verify return code: 0 (ok)' "$work/tls"
}

https() { curl -fsS --cacert "$(field .acme.root_file)" --resolve "$1:443:$(field .server.ip)" "https://$1$2"; }

published_on_loopback() {
  local open
  for port in 80 443 51820 21820; do
    open=$(ss -Hltun "sport = :$port" | awk '{print $5}')
    [ -n "$open" ] && ! grep -vE '^(127\.|\[::1\])' <<< "$open" || { echo "port $port: $open"; return 1; }
  done
}

# Prints everything on the machine that the test server could have changed.
machine() {
  ip -brief address
  ip route
  sysctl net.ipv4.ip_forward
  iptables-save | grep -v '^#' | sed 's/\[.*\]//'
  grep moorage /proc/self/mounts || true
  find /sys/fs/cgroup -maxdepth 2 -name '*moorage*'
  ls -a /opt /var/lib/docker /var/lib/moorage "$HOME/.ssh" 2>/dev/null || true
  sha256sum /etc/shadow /etc/hosts /etc/resolv.conf
}

ssh_options=(-q -i "$work/key" -o "UserKnownHostsFile=$work/known_hosts" -o StrictHostKeyChecking=yes -o BatchMode=yes -o IdentitiesOnly=yes)
remote() { ssh "${ssh_options[@]}" -p "$(field .ssh.port)" "root@$(field .ssh.host)" "$@"; }
field() { jq -r "$1" "$work/bench.json"; }

within() { local end=$((SECONDS + $1)); shift; until "$@"; do [ $SECONDS -lt $end ] || return 1; sleep 0.3; done; }
contains() { local text=$1; shift; "$@" 2>&1 | grep "$text"; }
refused() { ! remote true; }
check() { # check "what" COMMAND...
  local what=$1 began=$SECONDS; shift
  "$@" > "$work/said" || { echo "FAILED: $what"; cat "$work/said"; exit 1; }
  passed=$((passed + 1)); echo "ok: $what ($((SECONDS - began)) s)"
}
same() { # same "what" EXPECTED FOUND
  [ "$2" = "$3" ] || { echo "FAILED: $1"; diff <(echo "$2") <(echo "$3") || true; exit 1; }
  passed=$((passed + 1)); echo "ok: $1"
}
timed() { local what=$1 began=${EPOCHREALTIME/./}; shift; "$@"; echo "time: $what $(( (${EPOCHREALTIME/./} - began) / 100000 ))/10 s" >&2; }

main
