#!/bin/sh
# Does what PostgreSQL's own image does at its first start (creates a cluster, a user with a password, a database).
set -eu
data=/var/lib/postgresql/data
bin=/usr/lib/postgresql/15/bin
as_postgres() { su postgres -s /bin/sh -c "$1"; }
chown postgres:postgres "$data" /run/postgresql
chmod 700 "$data"
if [ ! -s "$data/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  chown postgres /tmp/password
  as_postgres "$bin/initdb -D $data -U $POSTGRES_USER --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust --locale=C -E UTF8"
  rm /tmp/password
  as_postgres "$bin/pg_ctl -D $data -o '-c listen_addresses=' -w start"
  as_postgres "$bin/createdb -U $POSTGRES_USER $POSTGRES_DB" || true
  as_postgres "$bin/pg_ctl -D $data -m fast -w stop"
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
fi
exec su postgres -s /bin/sh -c "exec $bin/postgres -D $data -c 'listen_addresses=*'"
