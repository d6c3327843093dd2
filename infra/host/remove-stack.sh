# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# Whatever is there: half-made stacks and torn files too, so nothing here reads the stack's own files. Found by Compose's
# label with the project's name, which holds the deployment's random reference: never somebody else's.
keep=$(arg data)
label=label=com.docker.compose.project=$project

containers_gone() {
  # what the stack started goes first: it would start it again, and it holds the stack's network
  ids="$(containers) $(started_containers)"
  # shellcheck disable=SC2086
  ids=$(printf '%s\n' $ids | awk 'NF && !seen[$0]++')
  [ -n "$ids" ] || return 0
  # shellcheck disable=SC2086
  docker stop -t 20 $ids || true
  # shellcheck disable=SC2086
  if [ "$keep" = keep ]; then docker rm -f $ids; else docker rm -f -v $ids; fi || true
}

volumes_gone() {
  docker volume ls -q --filter "$label" | while read -r volume; do docker volume rm -f "$volume" || true; done
}

networks_gone() {
  docker network ls -q --filter "$label" | while read -r network; do docker network rm "$network" || true; done
}

# Folders of the package's own; the path is ours from the manifest, two names deep, and looked at once more.
taken_folders_gone() {
  taken folder | while read -r path; do
    case "$path" in *..* | /data/?*/?*) ;; /data/?*/) rm -rf "$path" ;; esac
  done
  rmdir /data 2> /dev/null || true
}

# A copy that was begun while this waited for the lock, and what copies have left.
copies_gone() {
  if has docker; then copier_gone; fi
  rm -rf "$copies" "$swaps"
}

# Images we pulled, unless somebody else uses them.
images_gone() {
  [ -f "$state/images" ] || return 0
  while read -r image; do docker image rm "$image" || true; done < "$state/images"
  rm -f "$state/images"
}

remains() {
  if has docker; then
    { containers; started_containers; docker ps -aq --no-trunc --filter "name=^/$copier\$"; } | sed 's/^/container /'
    docker network ls -q --filter "$label" | sed 's/^/network /'
    [ "$keep" = keep ] || docker volume ls -q --filter "$label" | sed 's/^/volume /'
  fi
  [ "$keep" = keep ] || [ ! -e "$folder" ] || echo "folder $folder"
  [ "$keep" = keep ] || taken folder | while read -r path; do [ ! -e "$path" ] || echo "folder $path"; done
  [ ! -e "/etc/systemd/system/$unit" ] || echo "unit $unit"
  [ ! -e "$state/firewall" ] || echo 'firewall rules'
  [ "$keep" = keep ] || { [ ! -e "$state/authorised" ] && [ ! -e "$state/block" ]; } || echo 'access key'
}

rm -f "$state/reserve"
[ "$keep" = keep ] || {
  keys_gone
  block_gone
}
remove_unit
copies_gone
if has docker; then
  # Docker is there but does not answer: nobody can say that nothing runs
  need_docker
  containers_gone
  networks_gone
  if [ "$keep" != keep ]; then
    volumes_gone
    images_gone
  fi
fi
[ "$(arg server)" != own ] || close_ports
if [ "$keep" != keep ]; then
  taken_folders_gone
  rm -rf "$folder"
  rm -f "/run/moorage-$ref.packages" "/run/moorage-$ref.log"
  rmdir /opt/moorage 2> /dev/null || true
fi

left=$(remains)
facts=$(
  printf '"left":['
  comma=
  printf '%s\n' "$left" | while read -r line; do
    [ -n "$line" ] || continue
    printf '%s%s' "$comma" "$(text "$line")"
    comma=,
  done
  printf ']'
)
[ -z "$left" ] || answer false LEFT_BEHIND "$facts"
[ "$keep" = keep ] || rm -f "$state/taken"
answer true DONE "$facts"
