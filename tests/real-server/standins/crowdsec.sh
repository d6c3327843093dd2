#!/bin/sh
# Stand-in for CrowdSec: its API and its AppSec answer and look at nothing; it knows the bouncers its environment names.
set -eu
data=/var/lib/crowdsec/data
mkdir -p "$data"
[ -s /etc/crowdsec/acquis.d/traefik.yaml ]
env | sed -n 's/^BOUNCER_KEY_\([a-z]*\)=.*/\1/p' | while read -r name; do echo known > "$data/bouncer-$name"; done
exec parts 8080 7422
