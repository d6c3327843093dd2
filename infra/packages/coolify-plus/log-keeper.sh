# The access log has an end: above 100 MB its last 20 MB are kept beside it and it begins anew. Whoever writes or reads it goes on.
set -eu
while :; do
  for log in /logs/*.log; do
    [ -f "$log" ] || continue
    [ "$(wc -c < "$log")" -gt 104857600 ] || continue
    tail -c 20971520 "$log" > "$log.1"
    : > "$log"
  done
  sleep 600
done
