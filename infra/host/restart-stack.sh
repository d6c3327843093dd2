# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
need_stack

free_kb=$(df -Pk "$folder" | awk 'NR == 2 {print $4}')
[ "$free_kb" -gt 1048576 ] || answer false DISK_FULL "$(services_fact)"

# A certificate store that others can read is refused by the router; one that was cut off is put aside. A whole one is
# never thrown away: an authority gives the same certificate only a few times a week.
store=$folder/config/letsencrypt/acme.json
if [ -s "$store" ]; then
  chmod 600 "$store"
  case "$(head -c 1 "$store")$(tr -d '[:space:]' < "$store" | tail -c 1)" in
    '{}') ;;
    *) mv -f "$store" "$store.broken" ;;
  esac
fi

host_ready
pull_missing
router=$(gate)
if [ -z "$router" ]; then
  up --force-recreate
else
  # shellcheck disable=SC2086
  compose stop -t 20 $router
  # shellcheck disable=SC2046
  up $(open_services)
  # shellcheck disable=SC2086
  up --force-recreate --no-deps $router
fi
install_unit
router_steps yes
answer true DONE "$(services_fact)"
