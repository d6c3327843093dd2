# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# The customer may log in from the moment the deployment costs money, not earlier. The key comes as a file.
line=$(head -n 1 "$state/customer-key" 2> /dev/null) || line=
[ -n "$line" ] || answer false NO_STACK
authorise "$line" || answer false ACCESS_FAILED
rm -f "$state/customer-key"
answer true DONE
