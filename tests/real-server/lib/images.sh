# Stand-in images under the catalogue's names. Each is a folder imported with `docker import`.

import_images() {
  local work; work=$(mktemp -d "$BENCH_DIR/private/images.XXXXXX")
  alpine_image "$work/alpine"
  pangolin_image "$work/pangolin"
  gerbil_image "$work/gerbil"
  traefik_image "$work/traefik"
  rm -rf "$work"
}

base() { # a busybox system, like a small distribution
  mkdir -p "$1"/{bin,etc,tmp,root,usr/bin,usr/local/bin,var}
  chmod 1777 "$1/tmp"
  cp /bin/busybox "$1/bin/busybox"
  local applet
  for applet in $(/bin/busybox --list); do [ "$applet" = busybox ] || ln -s busybox "$1/bin/$applet"; done
  echo 'root:x:0:0:root:/root:/bin/sh' > "$1/etc/passwd"
  echo 'root:x:0:' > "$1/etc/group"
}

alpine_image() {
  base "$1"
  import "$1" "$ALPINE_IMAGE" 'CMD ["/bin/sh"]'
}

# Copies programs of this machine with their libraries.
programs() { # programs FOLDER PROGRAM...
  local folder=$1 program library; shift
  for program; do
    install -D -m 755 "$program" "$folder$program"
    for library in $(ldd "$program" | grep -o '/[^ ]*'); do install -D -m 755 "$library" "$folder$library"; done
  done
}

# curl is part of the real image, and its health check uses it.
pangolin_image() {
  base "$1"
  install -m 755 "$(stand_in pangolin)" "$1/usr/local/bin/pangolin"
  programs "$1" /usr/bin/curl
  import "$1" "$PANGOLIN_IMAGE" 'WORKDIR /app' 'CMD ["/usr/local/bin/pangolin"]'
}

gerbil_image() {
  base "$1"
  install -m 755 "$here/standins/gerbil.sh" "$1/usr/local/bin/gerbil"
  import "$1" "$GERBIL_IMAGE" 'ENTRYPOINT ["/usr/local/bin/gerbil"]'
}

# The real program. Its image contains the authority of the test ACME directory, so that a stack only needs a different
# ACME_DIRECTORY_URL.
traefik_image() {
  base "$1"
  install -m 755 "$TRAEFIK_BIN" "$1/usr/local/bin/traefik"
  install -D -m 644 "$BENCH_DIR/public/acme-directory-ca.pem" "$1/etc/bench/acme-directory-ca.pem"
  import "$1" "$TRAEFIK_IMAGE" 'ENV LEGO_CA_CERTIFICATES=/etc/bench/acme-directory-ca.pem' 'ENTRYPOINT ["/usr/local/bin/traefik"]'
}

# Additional images of the larger packages.
import_package_images() {
  local work; work=$(mktemp -d "$BENCH_DIR/private/images.XXXXXX")
  parts_image docker.io/hhftechnology/middleware-manager:v4.5.0 3456
  parts_image docker.io/hhftechnology/traefik-log-dashboard-agent:3.1.1 5000
  parts_image docker.io/hhftechnology/traefik-log-dashboard:3.1.1 3000
  parts_image quay.io/oauth2-proxy/oauth2-proxy:v7.15.3 4180:401:/ping
  parts_image docker.io/qdrant/qdrant:v1.19.1 6333
  parts_image ghcr.io/moghtech/komodo-periphery:2.3.2 8120
  parts_image docker.io/coollabsio/coolify-realtime:1.0.17 6001 6002
  crowdsec_image "$work/crowdsec"
  python_image "$work/python"
  nginx_image "$work/nginx"
  redis_image "$work/redis"
  postgres_image "$work/postgres"
  coolify_image "$work/coolify"
  on_server docker tag "$TRAEFIK_IMAGE" docker.io/traefik:v3.6
  rm -rf "$work"
}

parts_image() { # parts_image IMAGE WORD...
  local image=$1 folder=$work/parts words; shift
  rm -rf "$folder"
  with_parts "$folder"
  words=$(printf ',"%s"' "$@")
  import "$folder" "$image" "ENTRYPOINT [\"/usr/local/bin/parts\"$words]"
}

with_parts() {
  base "$1"
  install -m 755 "$(stand_in parts)" "$1/usr/local/bin/parts"
}

scripts() { # scripts FOLDER NAME=FILE...
  local folder=$1 pair; shift
  for pair; do install -m 755 "$here/standins/${pair#*=}" "$folder/usr/local/bin/${pair%%=*}"; done
}

crowdsec_image() {
  with_parts "$1"
  scripts "$1" crowdsec=crowdsec.sh cscli=cscli.sh
  import "$1" docker.io/crowdsecurity/crowdsec:v1.7.8 'ENTRYPOINT ["/usr/local/bin/crowdsec"]'
}

python_image() {
  with_parts "$1"
  scripts "$1" python=python.sh pip=pip.sh
  import "$1" docker.io/library/python:3.12-slim-bookworm 'CMD ["python"]'
}

# Debian's nginx, configured to serve the same folder as the official image.
nginx_image() {
  base "$1"
  programs "$1" /usr/sbin/nginx /usr/bin/curl
  mkdir -p "$1"/{etc/nginx,usr/share/nginx/html,var/lib/nginx,var/log/nginx,run}
  cp /etc/nginx/mime.types "$1/etc/nginx/mime.types"
  cat > "$1/etc/nginx/nginx.conf" << 'CONFIG'
user root;
pid /run/nginx.pid;
error_log stderr;
events {}
http {
  include mime.types;
  access_log off;
  server { listen 80; root /usr/share/nginx/html; }
}
CONFIG
  import "$1" docker.io/library/nginx:1.27-alpine "CMD [\"/usr/sbin/nginx\",\"-g\",\"daemon off;\"]"
}

redis_image() {
  base "$1"
  programs "$1" /usr/bin/redis-server /usr/bin/redis-cli
  mkdir -p "$1/data"
  import "$1" docker.io/library/redis:7-alpine 'WORKDIR /data' 'CMD ["redis-server"]'
}

postgres_image() {
  base "$1"
  local program bin=/usr/lib/postgresql/15/bin
  programs "$1" $bin/{postgres,initdb,pg_ctl,createdb,psql,pg_isready,pg_dump,pg_restore}
  for program in psql pg_isready pg_dump pg_restore; do ln -s $bin/$program "$1/usr/local/bin/$program"; done
  cp -r --parents /usr/lib/postgresql/15/lib /usr/share/postgresql/15 /usr/share/zoneinfo "$1"
  # the query compiler takes a hundred megabytes and is not needed
  rm -rf "$1"/usr/lib/postgresql/15/lib/{bitcode,llvmjit*}
  mkdir -p "$1/var/lib/postgresql/data" "$1/run/postgresql"
  ln -s ../run "$1/var/run"
  echo 'postgres:x:70:70:postgres:/var/lib/postgresql:/bin/sh' >> "$1/etc/passwd"
  echo 'postgres:x:70:' >> "$1/etc/group"
  scripts "$1" docker-entrypoint.sh=postgres.sh
  import "$1" docker.io/library/postgres:15-alpine 'ENTRYPOINT ["docker-entrypoint.sh"]'
}

coolify_image() {
  with_parts "$1"
  programs "$1" /usr/bin/curl /usr/bin/ssh /usr/lib/postgresql/15/bin/psql
  ln -s /usr/lib/postgresql/15/bin/psql "$1/usr/local/bin/psql"
  scripts "$1" coolify=coolify/start.sh on-host=coolify/on-host.sh start-proxy=coolify/start-proxy.sh php=coolify/php.sh
  import "$1" docker.io/coollabsio/coolify:4.3.10 'WORKDIR /var/www/html' 'CMD ["coolify"]'
}

# The program and its trusted authorities, as in the real image.
import_restic_image() {
  local work; work=$(mktemp -d "$BENCH_DIR/private/images.XXXXXX")
  base "$work/restic"
  install -m 755 "$RESTIC_BIN" "$work/restic/usr/bin/restic"
  import "$work/restic" "$RESTIC_IMAGE" 'ENTRYPOINT ["/usr/bin/restic"]'
  rm -rf "$work"
}

import() { # import FOLDER IMAGE CHANGE...
  local folder=$1 image=$2 changes=() change; shift 2
  for change in 'ENV PATH=/usr/local/bin:/usr/bin:/bin' "$@"; do changes+=(--change "$change"); done
  tar -C "$folder" --numeric-owner --owner=0 --group=0 -c . | on_server docker import "${changes[@]}" - "$image" > /dev/null
}
