# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
need_stack

free_kb=$(df -Pk "$folder" | awk 'NR == 2 {print $4}')
[ "$free_kb" -gt 1048576 ] || answer false DISK_FULL "$(services_fact)"

swap_undone || answer false SWAP_FAILED "$(services_fact)"
start_again
others_again
install_unit
router_steps yes
answer true DONE "$(services_fact)"
