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
