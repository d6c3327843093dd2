# The zone of the test server, a hosts file that the DNS server reads again on SIGHUP.
# `dns` returns when the new records are served, so tests need not wait.

dns() {
  local verb=${1:-}; [ $# -eq 0 ] || shift
  exec 8>"$BENCH_DIR/dns/lock"; flock 8
  case "$verb" in
    set)   [ $# -ge 2 ] || usage; dns_set "$@" ;;
    clear) dns_clear "$@" ;;
    *)     usage ;;
  esac
}

dns_set() {
  local name=${1,,} address; shift
  { without "$name"; for address; do echo "$address $name"; done; } > "$BENCH_DIR/dns/hosts.new"
  reread
  wait_until 5 "the DNS server to answer for $name" answers "$name" "$@"
}

dns_clear() {
  local gone
  if [ $# -gt 0 ]; then gone=${1,,}; without "$gone" > "$BENCH_DIR/dns/hosts.new"
  else gone=$(awk '{print $2}' "$BENCH_DIR/dns/hosts" | sort -u); : > "$BENCH_DIR/dns/hosts.new"; fi
  reread
  local name
  for name in $gone; do wait_until 5 "the DNS server to forget $name" answers "$name"; done
}

without() { awk -v name="$1" '$2 != name' "$BENCH_DIR/dns/hosts"; }

reread() {
  mv "$BENCH_DIR/dns/hosts.new" "$BENCH_DIR/dns/hosts"
  kill -HUP "$(running_pid dns)" || fail "The DNS server is not running."
}

answers() { # answers NAME [IP...] (exactly these)
  local name=$1; shift
  local found type
  found=$(for type in a aaaa; do busybox nslookup -type=$type "$name" "$SERVICES_IP" 2>/dev/null || true; done |
    awk '/^Server:/ {inside = 0} /^Name:/ {inside = 1} inside && /^Address/ {print $NF}' | sort -u)
  [ "$found" = "$(printf '%s\n' "$@" | sed '/^$/d' | sort -u)" ]
}
