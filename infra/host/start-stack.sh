# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
need_stack
pull_missing
# shellcheck disable=SC2046
up $(open_services)
first_steps || answer false FIRST_STEP_FAILED "$(services_fact)"
[ -n "$(gate)" ] || install_unit
answer true DONE "$(services_fact)"
