# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
need_stack
again=no
[ "$(arg recreate)" != yes ] || again=yes
if [ -n "$(gate)" ]; then
  pull_missing
  recreate=
  [ "$again" = no ] || recreate=--force-recreate
  # the router lives in the network of the service beside it, so both are made anew together, and nothing else is
  # shellcheck disable=SC2046,SC2086
  up $recreate --no-deps $(gate)
  install_unit
fi
router_steps "$again"
answer true DONE "$(services_fact)"
