# shellcheck shell=sh disable=SC2154 # follows common.sh, stack.sh and copy.sh
# Removes the data from before this restore, but not that of a later restore.
need_docker
[ ! -s "$swaps/items" ] || answer false BUSY
before_gone "$(arg job)"
answer true DONE
