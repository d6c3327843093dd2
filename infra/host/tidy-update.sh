# shellcheck shell=sh disable=SC2154 # follows common.sh, stack.sh and copy.sh
# After an update, or its way back: what was kept for the other outcome goes, and so do images that we pulled and that nothing
# uses any more.
need_docker
need_stack
job=$(arg job)
[ ! -s "$swaps/items" ] || answer false BUSY
[ "$(cat "$folder/.restored/.job" 2> /dev/null || true)" != "$job" ] || beside_gone .restored
homes > "$swaps/list"
while read -r home; do
  [ "$(cat "$home/.before/.job" 2> /dev/null || true)" != "$job" ] || rm -rf "${home:?}/.before"
done < "$swaps/list"
[ "$(cat "$swaps/in-place" 2> /dev/null || true)" != "$job" ] || rm -f "$swaps/in-place"

used=$(compose config --images | sort -u)
if [ -s "$state/images" ] && [ -n "$used" ]; then
  sort -u "$state/images" | while read -r image; do
    if printf '%s\n' "$used" | grep -qxF "$image"; then echo "$image"
    # one that a container still uses stays, and stays noted
    elif docker image inspect "$image" > /dev/null 2>&1; then docker rmi "$image" > /dev/null 2>&1 || echo "$image"; fi
  done > "$state/images.part"
  sync "$state/images.part" && mv -f "$state/images.part" "$state/images"
fi
answer true DONE
