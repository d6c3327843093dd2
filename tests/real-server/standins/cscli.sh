#!/bin/sh
# Stand-in for cscli with the commands that the package uses.
case "$1 $2" in
  'lapi status') exec timeout 5 wget -q -O /dev/null http://127.0.0.1:8080/health ;;
  'bouncers inspect') exec test -s "/var/lib/crowdsec/data/bouncer-$3" ;;
  'console enroll')
    for last; do :; done
    echo "$last" | grep -qE '^[a-z0-9]{20,40}$' && echo "$4" > /etc/crowdsec/enrolled ;;
  *) echo "cscli stand-in: $*" >&2; exit 64 ;;
esac
