# Installs what the test server runs (Debian packages, Docker Compose and Traefik from their Go modules, our own stand-in).

PACKAGES=(systemd systemd-sysv sudo openssh-server openssh-client docker.io iptables busybox-static dnsmasq-base pebble
  iproute2 procps util-linux curl jq openssl ca-certificates
  # programs that the packages' services need
  nginx-light redis-server postgresql-15)

. "$here/../../infra/docker/debian.sh"

install_all() {
  install_packages "${PACKAGES[@]}"
  command -v go >/dev/null || fail "Go is not installed; Docker Compose and Traefik are built with it (1.25 or newer)."
  fetch_for_traefik &
  local fetching=$!
  build_compose
  wait "$fetching" || true # the build fetches what is missing, and reports errors
  build_traefik
  build_stand_ins
  say "installed"
}

# Fetches its five hundred modules while Compose is being compiled.
fetch_for_traefik() {
  [ ! -x "$TRAEFIK_BIN" ] || return 0
  cd "$(module_folder github.com/traefik/traefik/v3 "$TRAEFIK_VERSION")" && timeout 600 go list -e -deps ./cmd/traefik >/dev/null 2>&1
}

# Only for the tests of backups.
install_for_backups() {
  install_all
  install_packages sqlite3
  [ -x "$RESTIC_BIN" ] ||
    go_build "restic $RESTIC_VERSION" "$(module_folder github.com/restic/restic "$RESTIC_VERSION")" ./cmd/restic "$RESTIC_BIN" "-X main.version=${RESTIC_VERSION#v}"
  [ -x "$REST_SERVER_BIN" ] ||
    go_build "rest-server $REST_SERVER_VERSION" "$(module_folder github.com/restic/rest-server "$REST_SERVER_VERSION")" ./cmd/rest-server "$REST_SERVER_BIN" ""
}

# The module does not contain its web pages, but embedding only needs an empty index.html.
build_traefik() {
  [ ! -x "$TRAEFIK_BIN" ] || return 0
  local module=github.com/traefik/traefik/v3 source copy
  source=$(module_folder "$module" "$TRAEFIK_VERSION")
  copy=$(mktemp -d "$CACHE/traefik-source.XXXXXX")
  cp -r "$source/." "$copy"
  chmod -R u+w "$copy"
  touch "$copy/webui/static/index.html"
  go_build "Traefik $TRAEFIK_VERSION" "$copy" ./cmd/traefik "$TRAEFIK_BIN" "-X $module/pkg/version.Version=${TRAEFIK_VERSION#v}"
  rm -rf "$copy"
}

build_stand_ins() {
  local name target
  for name in pangolin parts; do
    target=$(stand_in "$name")
    [ -x "$target" ] || go_build "the stand-in $name" "$here/standins/$name" . "$target" ""
  done
}
