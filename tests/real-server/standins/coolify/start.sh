#!/bin/sh
# Stand-in for Coolify, with its first administrator in its real database, its login to its own server over real SSH, the
# proxy that it starts there, and its health check. It deploys nothing.
set -eu
export PGPASSWORD="$DB_PASSWORD"
query() { psql -h coolify-db -U "$DB_USERNAME" -d "$DB_DATABASE" -qtAc "$1"; }
until query 'create table if not exists users (id int primary key, name text, email text)'; do sleep 1; done
if [ "$(query 'select count(*) from users')" = 0 ] && [ -n "${ROOT_USER_PASSWORD:-}" ]; then
  if echo "$ROOT_USERNAME" | grep -qE '^[A-Za-z0-9_ -]{3,255}$' && [ "${#ROOT_USER_PASSWORD}" -ge 8 ]; then
    query "insert into users values (0, '$ROOT_USERNAME', '$ROOT_USER_EMAIL')"
  else
    echo 'Invalid Root User Environment Variables'
  fi
fi
start-proxy &
exec parts 8080
