# shellcheck shell=sh disable=SC2154 # follows common.sh, stack.sh and copy.sh
# Stops the services that write, and copies the data beside itself in the form of a restored copy, so that `swap-data` can
# put it back. The services stay stopped until a stack is started.
need_docker
need_stack
job=$(arg job)
case "$job" in '' | *[!a-z0-9-]*) answer false BAD_ARGUMENT ;; esac
[ -s "$plan" ] || answer false NO_STACK
mkdir -p "$swaps" || answer false DISK_FULL
stopped=no

refuse() { # refuse CODE [FACTS]
  beside_gone .restored
  [ "$stopped" = no ] || (start_writers) 3> /dev/null || true
  answer false "$@"
}

dump_failed() { refuse DUMP_FAILED "\"name\":$(text "$1" 80)"; }

needed_mb() {
  needed=300
  for path in $(planned path); do
    [ ! -e "$(place_of "$path")" ] || needed=$((needed + $(du -sm "$(place_of "$path")" | cut -f 1)))
  done
  planned volume > "$swaps/list"
  while read -r name _; do
    home=$(volume_home "$name")
    [ -z "$home" ] || needed=$((needed + $(du -sm "$home/_data" | cut -f 1)))
  done < "$swaps/list"
  planned dump > "$swaps/dumps"
  while read -r kind name source user database; do
    # A database in a path is counted with that path.
    if [ "$kind" = sqlite ] && in_a_path "$source"; then continue; fi
    mb=$(dump_mb "$kind" "$source" "$user" "$database") || dump_failed "$name"
    needed=$((needed + mb))
  done < "$swaps/dumps"
}

keep() { # keep HOME NAME
  mkdir -p "$(dirname "$1/.restored/$2")" && cp -a "$1/$2" "$1/.restored/$2" || refuse DISK_FULL
}

keep_dumps() {
  dumps=$folder/.restored/.dumps
  mkdir -p "$dumps" && cp "$plan" "$dumps/plan" && : > "$dumps/list" || refuse DISK_FULL
  planned dump > "$swaps/dumps"
  while read -r kind name source user database; do
    target=$dumps/$name
    case "$kind" in
      # Nothing writes any more, so a database in a path has been copied with that path.
      sqlite)
        [ -f "$(place_of "$source")" ] && ! in_a_path "$source" || continue
        copy_sqlite "$(place_of "$source")" "$target" && [ -s "$target" ] || dump_failed "$name"
        chown --reference="$(place_of "$source")" "$target" && chmod --reference="$(place_of "$source")" "$target" ;;
      postgres) dump_postgres "$source" "$user" "$database" "$target" || dump_failed "$name" ;;
    esac
    echo "$kind $name $(wc -c < "$target") $(sha256sum < "$target" | cut -d ' ' -f 1)" >> "$dumps/list" || refuse DISK_FULL
  done < "$swaps/dumps"
  echo end >> "$dumps/list" || refuse DISK_FULL
}

keep_data() {
  for path in $(planned path); do
    home=$(home_of "$path")
    place=$(place_of "$path")
    [ ! -e "$place" ] || keep "$home" "${place#"$home"/}"
  done
  planned volume > "$swaps/list"
  while read -r name _; do
    home=$(volume_home "$name")
    [ -z "$home" ] || keep "$home" _data
  done < "$swaps/list"
  keep_dumps
}

# An interrupted swap is reverted first.
swap_undone || answer false SWAP_FAILED "$(services_fact)"
if [ "$(cat "$folder/.restored/.job" 2> /dev/null || true)" != "$job" ]; then
  beside_gone .restored
  needed_mb
  # shellcheck disable=SC2046
  free=$(free_mb $(homes))
  [ "$free" -ge "$needed" ] || answer false DISK_FULL "\"free_mb\":$free,\"needed_mb\":$needed"
  stopped=yes
  keep_up
  stop_writers || refuse NOT_STOPPED
  keep_data
  sync
  note "$folder/.restored/.job" "$job" || refuse DISK_FULL
fi
answer true DONE
