# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
need_stack
host_ready
pull_missing
# shellcheck disable=SC2046
up $(open_services)
first_steps || answer false "$why" "$(step_fact)$(services_fact)"
[ -n "$(gate)" ] || install_unit
answer true DONE "$(services_fact)"
