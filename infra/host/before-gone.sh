# shellcheck shell=sh disable=SC2154 # follows common.sh, stack.sh and copy.sh
# Removes the data from before this restore, but not that of a later restore.
need_docker
[ ! -s "$swaps/items" ] || answer false BUSY
homes > "$swaps/list"
while read -r home; do
  [ "$(cat "$home/.before/.job" 2> /dev/null || true)" != "$(arg job)" ] || rm -rf "${home:?}/.before"
done < "$swaps/list"
answer true DONE
