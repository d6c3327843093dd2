# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
need_stack
part=$(arg part)

expected() {
  if [ "$part" = all ]; then compose config --services; else open_services; fi
}

# DONE, NOT_YET while something is starting, UNHEALTHY when something has stopped.
verdict() {
  states=$(service_states)
  worst=DONE
  for service in $(expected); do
    line=$(echo "$states" | grep "^$service " || true)
    case "$line" in
      *' running healthy '* | *' running none '*) ;;
      *' running starting '* | *' created '* | *' restarting '* | '') [ "$worst" = UNHEALTHY ] || worst=NOT_YET ;;
      *) worst=UNHEALTHY ;;
    esac
  done
  echo "$worst"
}

# what KIND TARGET REST: one proof of life of the manifest
proof() {
  case "$2" in
    exec)
      container=$3
      shift 3
      timeout 20 docker exec "$container" "$@" > /dev/null ;;
    file) [ -s "$folder/$3" ] ;;
    log-lacks)
      container=$3
      shift 3
      since=$(docker inspect -f '{{.State.StartedAt}}' "$container") || return 1
      ! docker logs --since "$since" "$container" 2>&1 | grep -qF "$*" ;;
    *) false ;;
  esac
}

checks_fact() {
  printf '"checks":['
  facts_of check | {
    comma=
    while read -r when name rest; do
      [ "$part" = all ] || [ "$when" = stack ] || continue
      good=false
      # shellcheck disable=SC2086
      if proof "$name" $rest < /dev/null >&2; then good=true; fi
      printf '%s{"name":%s,"ok":%s}' "$comma" "$(text "$name" 80)" "$good"
      comma=,
    done
  }
  printf ']'
}

code=$(verdict)
checks=$(checks_fact)
case "$checks" in *'"ok":false'*) [ "$code" != DONE ] || code=NOT_YET ;; esac
facts="$(services_fact),$checks"
[ "$code" = DONE ] || answer false "$code" "$facts"
answer true DONE "$facts"
