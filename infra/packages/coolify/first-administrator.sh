# Coolify makes its root user at the first start, or prints why not and goes on. Without one the dashboard would belong to its
# first visitor, so this has to be known before anybody can reach it.
set -eu
users() { docker exec coolify-db psql -U coolify -d coolify -tAc 'select count(*) from users where id = 0' 2> /dev/null || true; }
tries=0
until [ "$(users)" = 1 ]; do
  if docker logs coolify 2>&1 | grep -q 'Invalid Root User Environment Variables'; then
    docker logs coolify 2>&1 | grep -A 5 'Invalid Root User Environment Variables' | tail -n 6
    exit 64
  fi
  tries=$((tries + 1))
  [ "$tries" -lt 30 ] || exit 1
  sleep 2
done
# the password has done its work
for file in coolify.env /data/coolify/source/.env; do
  [ ! -f "$file" ] || sed -i '/^ROOT_USER_PASSWORD=/d' "$file"
done
