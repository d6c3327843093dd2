# shellcheck shell=bash
# Programs that Debian has too old or not at all, built from their Go modules into CACHE. Whoever reads this in brings `say`,
# `fail` and CACHE.

COMPOSE_VERSION=v2.40.3
COMPOSE_BIN=$CACHE/compose-$COMPOSE_VERSION/docker-compose

build_compose() {
  [ ! -x "$COMPOSE_BIN" ] || return 0
  local module=github.com/docker/compose/v2 source
  source=$(module_folder "$module" "$COMPOSE_VERSION")
  go_build "Docker Compose $COMPOSE_VERSION" "$source" ./cmd "$COMPOSE_BIN" "-X $module/internal.Version=$COMPOSE_VERSION"
}

# restic for the platform and for servers, and the server of its repositories
RESTIC_VERSION=v0.19.1
RESTIC_BIN=$CACHE/restic-$RESTIC_VERSION/restic
REST_SERVER_VERSION=v0.14.0
REST_SERVER_BIN=$CACHE/rest-server-$REST_SERVER_VERSION/rest-server

build_restic() {
  [ ! -x "$RESTIC_BIN" ] || return 0
  local source
  source=$(module_folder github.com/restic/restic "$RESTIC_VERSION")
  go_build "restic $RESTIC_VERSION" "$source" ./cmd/restic "$RESTIC_BIN" "-X main.version=${RESTIC_VERSION#v}"
}

build_rest_server() {
  [ ! -x "$REST_SERVER_BIN" ] || return 0
  local source
  source=$(module_folder github.com/restic/rest-server "$REST_SERVER_VERSION")
  go_build "rest-server $REST_SERVER_VERSION" "$source" ./cmd/rest-server "$REST_SERVER_BIN" \
    "-X main.version=${REST_SERVER_VERSION#v}"
}

module_folder() {
  local answer
  answer=$(cd "$CACHE" && timeout 600 go mod download -json "$1@$2") || fail "Go could not download $1 $2 within 10 minutes: $answer"
  jq -r .Dir <<<"$answer"
}

go_build() { # go_build NAME FOLDER PACKAGE TARGET LDFLAGS
  say "building $1 (takes minutes, first time only)"
  local began=$SECONDS
  mkdir -p "$(dirname "$4")"
  # inlining is a sixth of the compiling, and nobody measures these
  (cd "$2" && CGO_ENABLED=0 timeout 2400 nice -n 15 \
    go build -trimpath -buildvcs=false -gcflags=all=-l -ldflags "-s -w $5" -o "$4.part" "$3") >&2 ||
    fail "Go could not build $1 within 40 minutes; see its output above."
  mv "$4.part" "$4"
  say "built $1 in $((SECONDS - began)) s"
}
