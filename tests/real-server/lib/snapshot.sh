# Prints what exists on the server, one fact per sorted line. Two snapshots differ exactly where the server does.
# Images are left out, and so is what any login or daemon writes automatically (logs, /run, and the temporary files of a
# health check that is starting).

snapshot() {
  on_server bash -s <<'ON_SERVER' | LC_ALL=C sort
set -euo pipefail
docker ps -a --format 'container {{.Names}} {{.Image}} {{.State}}'
docker network ls --format 'network {{.Name}} {{.Driver}}'
docker volume ls --format 'volume {{.Name}}'
[ ! -f /root/.ssh/authorized_keys ] || sed 's/^/authorized_key /' /root/.ssh/authorized_keys
find /etc/systemd/system -path '*moorage*' -printf 'systemd_unit %p\n'
echo "iptables_rules $(iptables -S 2>/dev/null | wc -l) filter $(iptables -t nat -S 2>/dev/null | wc -l) nat"
ss -Hltnup | awk '/users:/ && !/"containerd"/ {print "listens", $1, $5, $7}' | sed -E 's/users:\(\("([^"]+)".*/\1/'
for folder in /opt/moorage /var/lib/moorage /root /tmp /run/lock; do
  [ ! -d "$folder" ] || find "$folder" -mindepth 0 ! -path '/tmp/runc-process*' -print0
done | while IFS= read -r -d '' path; do
  kind=$(stat -c '%F %a %U:%G' "$path" | tr ' ' '_')
  content=
  if [ -L "$path" ]; then content=$(readlink "$path"); elif [ -f "$path" ]; then content=$(sha256sum < "$path" | cut -c1-16); fi
  echo "file $path $kind $content"
done
ON_SERVER
  written_elsewhere | LC_ALL=C sort
}

# Everything else that the server wrote to its disk, which is the content of the overlay's upper folder.
written_elsewhere() {
  local upper=$BENCH_DIR/server/upper path
  (cd "$upper" && find . -mindepth 1 \( -path ./opt/moorage -o -path ./var/lib/moorage -o -path './tmp/runc-process*' \) -prune -o -printf '%P\t%y\n') |
    while IFS=$'\t' read -r path kind; do
      case "$kind" in
        f) echo "written /$path $(sha256sum < "$upper/$path" | cut -c1-16)" ;;
        c) echo "deleted /$path" ;;
        d) [ -d "/$path" ] || echo "written /$path (folder)" ;;
        *) echo "written /$path ($kind)" ;;
      esac
    done
}
