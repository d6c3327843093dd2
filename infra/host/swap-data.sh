# shellcheck shell=sh disable=SC2154 # follows common.sh, stack.sh and copy.sh
need_docker
need_stack
job=$(arg job)
to=$(arg to)
case "$to" in restored | before) ;; *) answer false BAD_ARGUMENT ;; esac
mkdir -p "$swaps" || answer false DISK_FULL
from=$(side_of "$to")
# what writes was stopped by us
stopped=no

refuse() { # refuse CODE [NAME]
  [ "$stopped" = no ] || (start_writers) 3> /dev/null || true
  answer false "$1" "$(services_fact)${2:+,\"name\":$(text "$2" 80)}"
}
# Nothing was replaced, or all of it is back: what ran before runs again.
give_up() { # give_up [NAME]
  [ ! -s "$swaps/items" ] || take_back || stopped=no
  refuse SWAP_FAILED "${1:-}"
}
done_with() {
  start_writers
  answer true DONE "$(services_fact)"
}

# ---- is it what was stored? nothing is replaced before that is known ----
check_dump() { # check_dump KIND NAME BYTES SHA256
  file=$folder/.restored/.dumps/$2
  [ -f "$file" ] && [ "$(wc -c < "$file")" = "$3" ] || refuse RESTORED_SHORT "$2"
  [ "$(sha256sum < "$file" | cut -d ' ' -f 1)" = "$4" ] || refuse RESTORED_UNREADABLE "$2"
  case "$1" in
    sqlite) whole_sqlite "$file" || refuse RESTORED_UNREADABLE "$2" ;;
    postgres)
      container=$(planned dump | sed -n "s/^postgres $2 \([^ ]*\) .*/\1/p")
      [ -z "$container" ] || whole_postgres "$container" "$file" || refuse RESTORED_UNREADABLE "$2" ;;
  esac
}
check_restored() {
  dumps=$folder/.restored/.dumps
  [ -s "$dumps/plan" ] && [ "$(tail -n 1 "$dumps/list" 2> /dev/null || true)" = end ] || refuse RESTORED_SHORT list
  while read -r kind name bytes sum; do
    [ "$kind" = end ] || check_dump "$kind" "$name" "$bytes" "$sum"
  done < "$dumps/list"
}

# The running databases are kept beside as dumps, which takes room.
check_room() {
  needed=300
  planned dump > "$swaps/dumps"
  while read -r kind name container user database; do
    [ "$kind" = postgres ] || continue
    mb=$(postgres_mb "$container" "$user" "$database") || refuse SWAP_FAILED "$name"
    needed=$((needed + mb))
  done < "$swaps/dumps"
  free=$(free_mb "$folder")
  [ "$free" -ge "$needed" ] || answer false DISK_FULL "$(services_fact),\"free_mb\":$free,\"needed_mb\":$needed"
}

# ---- what is moved ----
# Moves only paths that were in the plan of the copy and are in the current plan. Other paths stay as they are.
items() {
  for path in $(planned path); do
    known "path $path" || continue
    home=$(home_of "$path")
    item "$home" "$(within "$home" "$path")"
  done
  planned volume | while read -r name stop; do
    home=$(volume_home "$name")
    [ -z "$home" ] || ! known "volume $name $stop" || item "$home" _data
  done
  # a database outside of the paths, with what SQLite keeps beside it
  planned dump | while read -r kind name source _; do
    [ "$kind" = sqlite ] && ! in_a_path "$source" || continue
    [ "$to" = before ] || [ -f "$folder/.restored/.dumps/$name" ] || continue
    home=$(home_of "$source")
    for end in '' -wal -shm -journal; do item "$home" "$(within "$home" "$source")$end"; done
  done
}
known() { [ "$to" = before ] || grep -qxF "$1" "$folder/.restored/.dumps/plan"; }
within() { place=$(place_of "$2"); echo "${place#"$1"/}"; }
item() { # item HOME NAME
  was=wasnot
  is=isnot
  [ ! -e "$1/$2" ] || was=was
  [ ! -e "$1/$from/$2" ] || is=is
  [ "$was$is" = wasnotisnot ] || echo "$was $is $1 $2"
}

begin() {
  rm -f "$swaps/moved" "$swaps"/database-*
  [ "$to" = before ] || cp "$copies/plan" "$swaps/plan" || refuse SWAP_FAILED
  plan=$swaps/plan
  beside_gone .aside
  list=$(items)
  # a mount of its own cannot be renamed
  printf '%s\n' "$list" > "$swaps/list"
  while read -r was _ home name; do
    [ "$was" != was ] || [ "$(stat -c %d "$home/$name")" = "$(stat -c %d "$home")" ] || refuse SWAP_FAILED "$name"
  done < "$swaps/list"
  homes > "$swaps/homes"
  while read -r home; do
    mkdir -p "$home/.aside" && echo "$job" > "$home/.aside/.job" || refuse SWAP_FAILED
  done < "$swaps/homes"
  note "$swaps/items" "$to $job
$list" || refuse SWAP_FAILED
}

# ---- databases, files and volumes take their places ----
databases() {
  planned dump > "$swaps/dumps"
  while read -r kind name container user database; do
    file=$folder/$from/.dumps/$name
    [ "$kind" = postgres ] && [ -f "$file" ] || continue
    kept=$folder/.aside/.dumps/$name
    mkdir -p "$folder/.aside/.dumps"
    if [ ! -s "$kept" ]; then
      dump_postgres "$container" "$user" "$database" "$kept.part" && sync "$kept.part" && mv -f "$kept.part" "$kept" || give_up "$name"
    fi
    # noted first: one that is cut off may have been carried out
    note "$swaps/database-$name" "$to" || give_up "$name"
    restore_postgres "$container" "$user" "$database" "$file" || { rm -f "$swaps/database-$name"; give_up "$name"; }
  done < "$swaps/dumps"
}

# Restored databases have no file of changes beside them.
dumps_placed() {
  [ "$to" = restored ] || return 0
  planned dump > "$swaps/dumps"
  while read -r kind name source _; do
    file=$folder/.restored/.dumps/$name
    [ "$kind" = sqlite ] && [ -f "$file" ] || continue
    target=$(place_of "$source")
    mkdir -p "$(dirname "$target")"
    for end in '' -wal -shm -journal .part; do rm -f "$target$end"; done
    # the same file under two names; on another file system a second one
    ln "$file" "$target" 2> /dev/null || { cp -a "$file" "$target.part" && mv -f "$target.part" "$target"; } || give_up "$name"
  done < "$swaps/dumps"
}

# Files that the platform renders, and files that are in no copy, stay as they are.
files_kept() {
  for path in $(planned rendered) $(planned exclude); do
    case "$path" in */) continue ;; esac
    home=$(home_of "$path")
    name=$(within "$home" "$path")
    [ -f "$home/.aside/$name" ] || continue
    mkdir -p "$(dirname "$home/$name")"
    cp -a "$home/.aside/$name" "$home/$name.part" && mv -f "$home/$name.part" "$home/$name" || give_up "$name"
  done
}

swap() {
  plan=$swaps/plan
  stopped=yes
  stop_writers || give_up
  keep_up
  if [ ! -e "$swaps/moved" ]; then
    databases
    each_item in "$from" || give_up
    dumps_placed
    files_kept
    note "$swaps/moved" "$job" || give_up
  fi
  stopped=no
  swap_tidied || refuse SWAP_FAILED
}

# a restore that has just ended, and that nobody has looked at yet
case "$(job_there)" in "$job-"*' false') there=$(job_there) && look_at "${there% *}" ;; esac

if [ -s "$swaps/items" ] && [ "$(head -n 1 "$swaps/items")" != "$to $job" ]; then
  swap_undone || refuse SWAP_FAILED
  stopped=yes
  to=$(arg to)
  from=$(side_of "$to")
fi
in_place=$(cat "$swaps/in-place" 2> /dev/null || true)
if [ ! -s "$swaps/items" ]; then
  if [ "$to" = restored ]; then
    [ "$in_place" != "$job" ] || done_with
    case "$(cat "$folder/.restored/.job" 2> /dev/null || true)" in "$job" | "$job-"*) ;; *) refuse NOTHING_RESTORED ;; esac
    keep_up
    check_restored
  else
    # it was never put in place, or is gone already: what ran before runs
    if [ "$in_place" != "$job" ]; then
      beside_gone .restored
      done_with
    fi
    [ "$(cat "$folder/.before/.job" 2> /dev/null || true)" = "$job" ] || refuse NOTHING_RESTORED
    plan=$swaps/plan
    keep_up
  fi
  check_room
  begin
fi
swap
done_with
