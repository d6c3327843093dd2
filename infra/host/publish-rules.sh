# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# Runs the script of the package that copies the router's rules to where its router reads them. Nothing is restarted.
script=$(arg script)
case "$script" in '' | *[!a-z0-9.-]*) answer false BAD_ARGUMENT ;; esac
[ -s "$folder/.moorage/$script" ] || answer false NO_STACK
step_of_package "$script" || answer false RULES_FAILED
answer true DONE
