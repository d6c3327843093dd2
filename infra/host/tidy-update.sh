# shellcheck shell=sh disable=SC2154 # follows common.sh, stack.sh and copy.sh
# Removes the data that an update kept, or that it replaced when it was undone, and images that no longer run.
need_docker
job=$(arg job)
[ ! -s "$swaps/items" ] || answer false BUSY
[ "$(cat "$folder/.restored/.job" 2> /dev/null || true)" != "$job" ] || beside_gone .restored
before_gone "$job"
[ "$(cat "$swaps/in-place" 2> /dev/null || true)" != "$job" ] || rm -f "$swaps/in-place"

for image in $(args images); do
  # Others may use an image that we did not pull. An image that is still in use stays listed.
  grep -qxF "$image" "$state/images" 2> /dev/null || continue
  docker image inspect "$image" > /dev/null 2>&1 && ! docker rmi "$image" > /dev/null 2>&1 && continue
  grep -vxF "$image" "$state/images" > "$state/images.part" || true
  sync "$state/images.part" && mv -f "$state/images.part" "$state/images"
done
answer true DONE
