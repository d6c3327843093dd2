# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# Everything stays: containers, files and volumes. restart-stack starts them again, and a reboot does not.
need_docker
remove_unit
# what the stack started goes first: it would start it again
ids=$({ started_containers; containers; } | awk 'NF && !seen[$0]++')
# shellcheck disable=SC2086
[ -z "$ids" ] || docker stop -t 20 $ids || answer false NOT_STOPPED "$(services_fact)"
answer true DONE "$(services_fact)"
