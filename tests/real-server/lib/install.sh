# Everything the bench runs: Debian packages, Docker Compose and Traefik from their Go modules, our own stand-in.

PACKAGES=(systemd systemd-sysv openssh-server openssh-client docker.io iptables busybox-static dnsmasq-base pebble
  iproute2 procps util-linux curl jq openssl ca-certificates
  # programs of the packages' own parts
  nginx-light redis-server postgresql-15)

. "$here/../../infra/docker/debian.sh"

install_all() {
  install_packages "${PACKAGES[@]}"
  command -v go >/dev/null || fail "Go is not installed; Docker Compose and Traefik are built with it (1.25 or newer)."
  fetch_for_traefik &
  local fetching=$!
  build_compose
  wait "$fetching" || true # what has not come is fetched by the build, which says what is wrong
  build_traefik
  build_stand_ins
  say "installed"
}

build_compose() {
  [ ! -x "$COMPOSE_BIN" ] || return 0
  local module=github.com/docker/compose/v2 source
  source=$(module_folder "$module" "$COMPOSE_VERSION")
  go_build "Docker Compose $COMPOSE_VERSION" "$source" ./cmd "$COMPOSE_BIN" "-X $module/internal.Version=$COMPOSE_VERSION"
}

# Its five hundred modules come while Compose is compiled.
fetch_for_traefik() {
  [ ! -x "$TRAEFIK_BIN" ] || return 0
  cd "$(module_folder github.com/traefik/traefik/v3 "$TRAEFIK_VERSION")" && timeout 600 go list -e -deps ./cmd/traefik >/dev/null 2>&1
}

# Its web pages are not in the module; an empty index.html is all that the embedding asks for.
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

module_folder() {
  local answer
  answer=$(cd "$CACHE" && timeout 600 go mod download -json "$1@$2") || fail "Go could not download $1 $2 within 10 minutes: $answer"
  jq -r .Dir <<<"$answer"
}

go_build() { # go_build NAME FOLDER PACKAGE TARGET LDFLAGS
  say "building $1 (minutes, the first time only)"
  local began=$SECONDS
  mkdir -p "$(dirname "$4")"
  # inlining is a sixth of the compiling, and nobody measures these
  (cd "$2" && CGO_ENABLED=0 timeout 2400 nice -n 15 \
    go build -trimpath -buildvcs=false -gcflags=all=-l -ldflags "-s -w $5" -o "$4.part" "$3") >&2 ||
    fail "Go could not build $1 within 40 minutes; its words are above."
  mv "$4.part" "$4"
  say "built $1 in $((SECONDS - began)) s"
}
