# shellcheck shell=sh disable=SC2154 # follows common.sh, stack.sh and copy.sh
act=$(arg act)
job=$(arg job)
image=$(arg image)
case "$act $(arg snapshot)" in
  'backup none') ;;
  'restore '*[!0-9a-f]* | 'restore ') answer false BAD_ARGUMENT ;;
  'restore '*) ;;
  *) answer false BAD_ARGUMENT ;;
esac
case "$job" in '' | *[!a-z0-9-]*) answer false BAD_ARGUMENT ;; esac

# The credentials of the repository are deleted as soon as restic has them.
refuse() { # refuse CODE [FACTS]
  start_stopped
  rm -rf "$copies/env" "$copies/dumps" "$copies/volumes"
  answer false "$@"
}
disk_full() { refuse DISK_FULL "\"free_mb\":$1,\"needed_mb\":$2"; }
dump_failed() { refuse DUMP_FAILED "\"name\":$(text "$1" 80)"; }

need_docker
need_stack
[ -s "$plan" ] && [ -s "$copies/env" ] || answer false NO_STACK
chmod 600 "$copies/env"
mkdir -p "$swaps"
start_stopped

look_at "$job"
case "$progress" in
  '"state":"none"'*) ;;
  *)
    rm -f "$copies/env"
    answer true DONE ;;
esac
# another attempt at the same is another job, and the one before it is of no use any more
case "$(job_there)" in
  "${job%-*}-"*) ;;
  *' true')
    rm -f "$copies/env"
    answer false COPY_RUNS ;;
esac
if [ -s "$swaps/items" ]; then
  swap_undone || refuse SWAP_FAILED
  (start_writers) 3> /dev/null || true
fi
copier_gone
# The data that an update kept and could not put back exists only there.
case "$act $(cat "$folder/.restored/.job" 2> /dev/null || true)" in 'backup u'*) ;; *) beside_gone .restored ;; esac
rm -rf "$copies/ended" "$copies/exclude" "$copies/dumps" "$copies/volumes" "$copies/tmp"
mkdir -p "$copies/tmp" "$copies/dumps" "$copies/volumes"

# A removal deletes the images that we pulled.
docker image inspect "$image" > /dev/null 2>&1 || {
  echo "$image" >> "$state/images" || refuse DISK_FULL
  docker pull -q "$image" || refuse PULL_FAILED
}

# ---- consistent dumps ----
needed_for_dumps() {
  needed=300
  planned dump > "$copies/tmp/list"
  while read -r kind name source user database; do
    mb=$(dump_mb "$kind" "$source" "$user" "$database") || dump_failed "$name"
    needed=$((needed + mb))
  done < "$copies/tmp/list"
  planned volume > "$copies/tmp/list"
  while read -r name service; do
    home=$(volume_home "$name")
    [ "$service" = - ] || [ -z "$home" ] || needed=$((needed + $(du -sm "$home/_data" | cut -f 1)))
  done < "$copies/tmp/list"
}

dump() { # dump KIND NAME SOURCE USER|optional|required DATABASE
  target=$copies/dumps/$2
  case "$1" in
    sqlite)
      source=$(place_of "$3")
      if [ ! -f "$source" ]; then
        [ "$4" = optional ] || dump_failed "$2"
        return 0
      fi
      copy_sqlite "$source" "$target" && [ -s "$target" ] || dump_failed "$2"
      # as its owner has it, so that it can be put back as it is
      chown --reference="$source" "$target" && chmod --reference="$source" "$target" ;;
    postgres) dump_postgres "$3" "$4" "$5" "$target" || dump_failed "$2" ;;
    *) dump_failed "$2" ;;
  esac
  echo "$1 $2 $(wc -c < "$target") $(sha256sum < "$target" | cut -d ' ' -f 1)" >> "$copies/dumps/list"
}

# The service is started again whatever ends this script: whoever waits for its lock does it.
copy_volume() { # copy_volume NAME HOME SERVICE
  running=$(docker ps -q --no-trunc --filter "label=com.docker.compose.project=$project" --filter "label=com.docker.compose.service=$3")
  if [ -n "$running" ]; then
    note "$copies/stopped" "$running" || refuse DISK_FULL
    # shellcheck disable=SC2016
    setsid flock "$state/lock" sh -c '[ ! -s "$0" ] || { xargs docker start < "$0" && rm -f "$0"; }' "$copies/stopped" \
      < /dev/null > /dev/null 2>&1 3>&- 4>&- 9>&- &
    # shellcheck disable=SC2086
    docker stop -t 30 $running || dump_failed "$1"
  fi
  cp -a "$2/_data" "$copies/volumes/$1" || dump_failed "$1"
  start_stopped
}

mounts=
mount() { mounts="$mounts --mount type=bind,src=$1,dst=$2${3:+,$3}"; } # mount FROM TO [readonly]

back_up() {
  needed_for_dumps
  free=$(free_mb "$copies")
  [ "$free" -ge "$needed" ] || disk_full "$free" "$needed"
  : > "$copies/dumps/list"
  planned dump > "$copies/tmp/list"
  while read -r kind name source more database; do
    dump "$kind" "$name" "$source" "$more" "$database"
  done < "$copies/tmp/list"
  echo end >> "$copies/dumps/list"
  cp "$plan" "$copies/dumps/plan" || refuse DISK_FULL

  mount "$folder" /copy/stack readonly
  mount "$copies/dumps" /copy/dumps readonly
  for home in $(host_homes); do [ ! -d "$home" ] || mount "$home" "/copy$home" readonly; done
  words=/copy/dumps
  planned volume > "$copies/tmp/list"
  while read -r name service; do
    home=$(volume_home "$name")
    [ -n "$home" ] || continue
    if [ "$service" = - ]; then
      mount "$home/_data" "/copy/volumes/$name" readonly
    else
      copy_volume "$name" "$home" "$service"
      mount "$copies/volumes/$name" "/copy/volumes/$name" readonly
    fi
    words="$words /copy/volumes/$name"
  done < "$copies/tmp/list"
  for path in $(planned path); do [ ! -e "$(place_of "$path")" ] || words="$words $(name_of "$path")"; done
  excluded > "$copies/exclude" || refuse DISK_FULL
  mount "$copies/exclude" /exclude readonly
  # shellcheck disable=SC2086
  begin "--cap-add DAC_READ_SEARCH" backup --json --no-cache --retry-lock 10m --host "$ref" --group-by host \
    --tag moorage --tag "$job" --exclude-file /exclude --limit-upload "$(arg upload_kib)" $words
}

# A folder that is excluded is there, and empty.
excluded() {
  for path in $(planned exclude); do
    case "$path" in
      */) echo "$(name_of "$path")/*" ;;
      *) name_of "$path" ;;
    esac
  done
  for path in $(planned rendered); do name_of "$path"; done
  planned dump | while read -r kind _ source _; do
    [ "$kind" != sqlite ] || for end in '' -wal -shm -journal; do echo "$(name_of "$source")$end"; done
  done
  for name in .restored .before .aside; do
    echo "/copy/stack/$name"
    for home in $(host_homes); do echo "/copy$home/$name"; done
  done
}

# ---- beside the running data ----
restore() {
  needed=$(($(arg bytes) * 11 / 10 / 1048576 + 300))
  echo "$folder" > "$copies/tmp/homes"
  for home in $(host_homes); do [ ! -d "$home" ] || echo "$home"; done >> "$copies/tmp/homes"
  planned volume > "$copies/tmp/list"
  while read -r name _; do
    home=$(volume_home "$name")
    [ -n "$home" ] || continue
    echo "$home" >> "$copies/tmp/homes"
    mkdir -p "$home/.restored/_data" || refuse DISK_FULL
    mount "$home/.restored/_data" "/copy/volumes/$name"
  done < "$copies/tmp/list"
  # shellcheck disable=SC2046
  free=$(free_mb $(cat "$copies/tmp/homes"))
  [ "$free" -ge "$needed" ] || { beside_gone .restored; disk_full "$free" "$needed"; }
  mkdir -p "$folder/.restored/.dumps" || refuse DISK_FULL
  mount "$folder/.restored" /copy/stack
  mount "$folder/.restored/.dumps" /copy/dumps
  for home in $(host_homes); do
    [ -d "$home" ] || continue
    mkdir -p "$home/.restored" || refuse DISK_FULL
    mount "$home/.restored" "/copy$home"
  done
  begin "--tmpfs /copy:size=1m,mode=755 --cap-add CHOWN --cap-add DAC_OVERRIDE --cap-add FOWNER --cap-add FSETID --cap-add MKNOD --cap-add SETFCAP" \
    restore --json --no-cache --retry-lock 10m --limit-download "$(arg download_kib)" --target /copy "$(arg snapshot):/copy"
}

# A container has at most the processors that the server has.
begin() { # begin OPTIONS RESTIC'S WORDS...
  options=$1
  shift
  cpus=$(awk -v wanted="$(arg cpus)" -v there="$(nproc)" 'BEGIN {print (wanted + 0 < there + 0 ? wanted : there)}')
  memory=$(arg memory_mb)
  # A command that asks for the password would win over the password itself.
  # shellcheck disable=SC2086
  docker run -d --name "$copier" --label "moorage.copy=$job" --label "moorage.act=$act" \
    --read-only --cap-drop ALL $options --security-opt no-new-privileges --pids-limit 256 \
    --cpus "$cpus" --cpu-shares 256 --memory "${memory}m" --memory-swap "${memory}m" \
    --log-driver json-file --log-opt max-size=1m --log-opt max-file=2 \
    --env-file "$copies/env" -e RESTIC_PASSWORD_COMMAND= -e RESTIC_PASSWORD_FILE= -e RESTIC_PROGRESS_FPS=0.5 \
    -e "GOMAXPROCS=$(awk -v cpus="$cpus" 'BEGIN {print (cpus > int(cpus) ? int(cpus) + 1 : cpus)}')" \
    -e "GOMEMLIMIT=$((memory * 8 / 10))MiB" \
    --mount "type=bind,src=$copies/tmp,dst=/tmp" $mounts --entrypoint restic "$image" "$@" || {
    copier_gone
    refuse SCRIPT_FAILED
  }
  rm -f "$copies/env"
  answer true DONE
}

if [ "$act" = backup ]; then back_up; else restore; fi
