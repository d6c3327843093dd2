# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
need_stack
host_ready
pull_missing
recreate=
if [ "$(arg recreate)" = yes ]; then
  # with other values, some services may no longer exist
  recreate='--force-recreate --remove-orphans'
  # a router of the domain before: it waits for DNS again, and asks the authority for nothing until then
  router=$(gate)
  # shellcheck disable=SC2086
  [ -z "$router" ] || compose stop -t 20 $router
fi
# shellcheck disable=SC2046,SC2086
up $recreate $(open_services)
first_steps || answer false "$why" "$(step_fact)$(services_fact)"
[ -n "$(gate)" ] || install_unit
answer true DONE "$(services_fact)"
