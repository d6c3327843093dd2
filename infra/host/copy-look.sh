# shellcheck shell=sh disable=SC2154 # follows common.sh, stack.sh and copy.sh
need_docker
start_stopped
look_at "$(arg job)"
answer true DONE "$progress"
