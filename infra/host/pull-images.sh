# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# Images of the next stack, while the current one keeps running.
need_docker
need_stack
free_kb=$(df -Pk "$folder" | awk 'NR == 2 {print $4}')
[ "$free_kb" -gt 1048576 ] || answer false DISK_FULL
pull_missing "$(args images | tr ' ' '\n')"
answer true DONE
