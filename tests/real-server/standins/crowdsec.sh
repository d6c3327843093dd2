#!/bin/sh
# Stand-in for CrowdSec. Its API and AppSec respond without checking anything. It knows the bouncers in its environment.
set -eu
data=/var/lib/crowdsec/data
mkdir -p "$data"
[ -s /etc/crowdsec/acquis.d/traefik.yaml ]
env | sed -n 's/^BOUNCER_KEY_\([a-z]*\)=.*/\1/p' | while read -r name; do echo known > "$data/bouncer-$name"; done
exec parts 8080 7422
