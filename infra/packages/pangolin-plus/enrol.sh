# Links CrowdSec to its owner's console, where the owner still has to accept it. A key that is wrong or was used before stops
# nothing: the protection works without. The key comes from a file that goes, and reaches the container by its standard input.
set -eu
body=.moorage/enrolment.json
[ -f "$body" ] || exit 0
name=moorage-${PWD##*/}
said=0
sed -n 's/.*"key": *"\([a-z0-9]*\)".*/\1/p' "$body" | docker exec -i crowdsec sh -c \
  'read -r key && exec timeout 60 cscli console enroll --name "$0" --tags moorage "$key" > /dev/null 2>&1' "$name" || said=$?
rm -f "$body"
echo "enrolment: $said"
[ "$said" = 0 ] || exit 1
docker restart crowdsec > /dev/null
