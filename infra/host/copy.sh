# shellcheck shell=sh disable=SC2154,SC2317,SC2329 # follows common.sh and stack.sh
# ---- copies of the data: restic makes and restores them in a container of its own ----
# `copy` in the state folder holds what the platform uploaded (`plan`, `env`), what is copied (`dumps`, `volumes`) and what
# became of the last job (`ended`); `swap` holds how far a restored copy has been put in place.
#
# A copy has the same paths on every server: /copy/stack is the deployment's folder, /copy/data/... a folder of the package
# outside of it, /copy/volumes/NAME a volume, /copy/dumps the databases with a list of them.
#
# A home is a folder that data lies in: the deployment's, the package's own, a volume's. Each has `.restored` with a copy,
# `.before` with the data from before a restore, `.aside` with what is being moved away: always on the file system of what
# they replace, so that nothing is copied in a swap.
copies=$state/copy
swaps=$state/swap
plan=$copies/plan

# Every line of the plan that begins with the word, without it.
planned() { [ ! -f "$plan" ] || sed -n "s/^$1 //p" "$plan"; }

# The path that a word of the plan means.
place_of() { # place_of PATH
  case "$1" in
    /*) echo "${1%/}" ;;
    *) echo "$folder/${1%/}" ;;
  esac
}

# The same path in a copy.
name_of() { # name_of PATH
  case "$1" in
    /*) echo "/copy${1%/}" ;;
    *) echo "/copy/stack/${1%/}" ;;
  esac
}

# A folder of the package outside of ours is two names deep.
home_of() { # home_of PATH
  case "$1" in
    /*) echo "$1" | cut -d / -f 1-3 ;;
    *) echo "$folder" ;;
  esac
}

# The folders of the package outside of ours that the plan copies from.
host_homes() { planned path | sed -n 's|^\(/data/[^/]*\)/.*|\1|p' | sort -u; }

# Succeeds if a path of the plan contains the file.
in_a_path() {
  for path in $(planned path); do case "$(place_of "$1")" in "$(place_of "$path")"/*) return 0 ;; esac; done
  return 1
}

# The home of a volume, which lies in its `_data`; nothing when there is no such volume.
volume_home() { # volume_home NAME
  mount=$(docker volume inspect -f '{{.Mountpoint}}' "${project}_$1" 2> /dev/null) || return 0
  case "$mount" in */_data) echo "${mount%/_data}" ;; esac
}

# Every home, whatever the plan says.
homes() {
  echo "$folder"
  facts_of host | sed -n 's|^folder \(/data/[^/ ]*\)/ .*|\1|p'
  for volume in $(docker volume ls -q --filter "label=com.docker.compose.project=$project"); do
    mount=$(docker volume inspect -f '{{.Mountpoint}}' "$volume") || continue
    case "$mount" in */_data) echo "${mount%/_data}" ;; esac
  done
}

beside_gone() { # beside_gone .restored|.before|.aside
  homes | while read -r home; do rm -rf "${home:?}/$1"; done
}

# Removes the data from before this job, but not that of a later one.
before_gone() { # before_gone JOB
  homes > "$swaps/list"
  while read -r home; do
    [ "$(cat "$home/.before/.job" 2> /dev/null || true)" != "$1" ] || rm -rf "${home:?}/.before"
  done < "$swaps/list"
}

free_mb() { # free_mb FOLDER...
  df -Pk "$@" | awk 'NR > 1 && (least == "" || $4 < least) {least = $4} END {print int(least / 1024)}'
}

# Written whole and on the disk, or not at all.
note() { # note FILE TEXT
  printf '%s\n' "$2" > "$1.part" && sync "$1.part" && mv -f "$1.part" "$1" && sync "${1%/*}"
}

# ---- what a job has come to ----
said_number() { # said_number NAME LINE
  printf '%s\n' "$2" | sed -n "s/.*\"$1\":\([0-9][0-9]*\).*/\1/p"
}
said_last() { printf '%s\n' "$said" | grep "^{\"message_type\":\"$1\"" | tail -n 1; }
fact() { [ -z "$2" ] || printf ',"%s":%s' "$1" "$2"; } # fact NAME NUMBER

# Classifies restic's error text: the target may be full, silent or refuse us, or the disk may be full.
reason() {
  words=$(printf '%s\n' "$said" | grep -v '^{"message_type":"\(status\|summary\)"' || true)
  has_word() { printf '%s\n' "$words" | grep -qiE "$1"; }
  if has_word '\(507\)|\(413\)|insufficient storage|quota|storagefull|entity too large'; then echo target_full
  elif has_word 'no space left on device'; then echo disk_full
  elif has_word '\(40[13]\)|unauthorized|forbidden|access ?denied|invalidaccesskey|signaturedoesnotmatch'; then echo target_refused
  elif has_word 'connection (refused|reset)|no such host|timeout|deadline exceeded|unreachable|no route to host|misbehaving|\(50[0234]\)|x509|certificate'; then echo target_silent
  fi
}

dumps_fact() {
  [ -s "$copies/dumps/list" ] || return 0
  printf ',"dumps":['
  comma=
  while read -r _ name bytes _; do
    [ -n "$bytes" ] || continue
    printf '%s{"name":"%s","bytes":%s}' "$comma" "$name" "$bytes"
    comma=,
  done < "$copies/dumps/list"
  printf ']'
}

# Sets `progress` to the facts of the job, and notes them once it has ended: its container, with all it was told, goes then.
look_at() { # look_at JOB
  progress='"state":"none"'
  if [ "$(head -n 1 "$copies/ended" 2> /dev/null || true)" = "$1" ]; then
    progress=$(tail -n 1 "$copies/ended")
    return 0
  fi
  facts=$(docker inspect -f '{{.State.Status}} {{.State.ExitCode}} {{.State.OOMKilled}} {{index .Config.Labels "moorage.copy"}} {{index .Config.Labels "moorage.act"}}' "$copier" 2> /dev/null) || return 0
  # shellcheck disable=SC2086
  set -- "$1" $facts
  [ "${5:-}" = "$1" ] || return 0
  said=$(docker logs --tail 500 "$copier" 2>&1)
  case "$2" in
    created) return 0 ;;
    exited | dead) ;;
    *)
      line=$(said_last status)
      percent=$(printf '%s\n' "$line" | sed -n 's/.*"percent_done":\([0-9.e-]*\).*/\1/p' | awk '{p = int($1 * 100); print (p > 100 ? 100 : p)}')
      done_bytes=$(said_number bytes_done "$line")
      [ "$6" = backup ] || done_bytes=$(said_number bytes_restored "$line")
      progress="\"state\":\"running\"$(fact percent "${percent:-0}")$(fact bytes_done "$done_bytes")$(fact bytes "$(said_number total_bytes "$line")")"
      return 0 ;;
  esac
  printf '%s\n' "$said" | grep -v '^{"message_type":"status"' | tail -n 20 || true
  case "$3 $4" in
    '130 '* | '137 false' | '143 '* | '255 '*)
      # ended from outside, by a reboot for example: it may begin again
      job_gone "$6"
      return 0 ;;
    '0 '*) if [ "$6" = backup ]; then backed_up "$3"; else restored "$1" "$3"; fi ;;
    *) failed "$3" ;;
  esac
  # on a full disk the container stays, and says it again
  note "$copies/ended" "$1
$progress" || return 0
  case "$progress" in *'"state":"done"'*) job_gone backup ;; *) job_gone "$6" ;; esac
}

failed() { # failed EXIT
  why=$(reason)
  progress="\"state\":\"failed\",\"exit\":$1${why:+,\"why\":\"$why\"}"
}

backed_up() {
  line=$(said_last summary)
  snapshot=$(printf '%s\n' "$line" | sed -n 's/.*"snapshot_id":"\([0-9a-f]\{64\}\)".*/\1/p')
  if [ -z "$snapshot" ]; then
    failed "$1"
    return 0
  fi
  progress="\"state\":\"done\",\"exit\":0,\"percent\":100,\"snapshot\":\"$snapshot\"$(fact bytes "$(said_number total_bytes_processed "$line")")$(fact added_bytes "$(said_number data_added "$line")")$(fact files "$(said_number total_files_processed "$line")")$(dumps_fact)"
}

# A restore that says it is done has to say that everything is there; only then there is something to put in place.
restored() { # restored JOB EXIT
  line=$(said_last summary)
  all=$(said_number total_bytes "$line")
  got=$(said_number bytes_restored "$line")
  files=$(said_number total_files "$line")
  if [ -z "$line" ] || [ "${all:-0}" != "${got:-0}" ] || [ "$files" != "$(said_number files_restored "$line")" ] ||
    ! note "$folder/.restored/.job" "$1"; then
    failed "$2"
    return 0
  fi
  progress="\"state\":\"done\",\"exit\":0,\"percent\":100,\"bytes\":${all:-0},\"bytes_done\":${got:-0}$(fact files "$files")"
}

# Removes everything a job leaves except its outcome. `restore` removes the restored data as well.
job_gone() { # job_gone backup|restore
  copier_gone
  rm -rf "$copies/env" "$copies/exclude" "$copies/dumps" "$copies/volumes" "$copies/tmp"
  [ "$1" != restore ] || beside_gone .restored
}

# The job whose container is there; nothing when there is none.
job_there() { docker inspect -f '{{index .Config.Labels "moorage.copy"}} {{.State.Running}}' "$copier" 2> /dev/null || true; }

# Services that a copy of their volume has stopped.
start_stopped() {
  [ -s "$copies/stopped" ] || return 0
  # shellcheck disable=SC2046
  docker start $(cat "$copies/stopped") || true
  rm -f "$copies/stopped"
}

# ---- databases ----
copy_sqlite() { # copy_sqlite SOURCE TARGET
  if has sqlite3; then
    sqlite3 -bail -cmd '.timeout 60000' "$1" ".backup '$2'" < /dev/null
  else
    python3 -c 'import sqlite3, sys
source = sqlite3.connect(sys.argv[1], timeout=60)
target = sqlite3.connect(sys.argv[2])
source.backup(target)
target.close()' "$1" "$2" < /dev/null
  fi
}
# Nothing is written beside it.
whole_sqlite() { # whole_sqlite FILE
  if has sqlite3; then
    [ "$(sqlite3 "file:$1?immutable=1" 'pragma integrity_check' < /dev/null | head -n 1)" = ok ]
  else
    python3 -c 'import sqlite3, sys
found = sqlite3.connect("file:" + sys.argv[1] + "?immutable=1", uri=True).execute("pragma integrity_check").fetchone()
sys.exit(found != ("ok",))' "$1" < /dev/null
  fi
}

dump_postgres() { # dump_postgres CONTAINER USER DATABASE TARGET
  docker exec "$1" pg_dump --format=custom --no-acl --no-owner -U "$2" "$3" < /dev/null > "$4" && [ -s "$4" ] && whole_postgres "$1" "$4"
}
whole_postgres() { # whole_postgres CONTAINER FILE
  docker exec -i "$1" pg_restore --list < "$2" > /dev/null
}
postgres_mb() { # postgres_mb CONTAINER USER DATABASE
  docker exec "$1" psql -U "$2" -d "$3" -qtAc 'select ceil(pg_database_size(current_database()) / 1048576.0)' < /dev/null
}
# Prints the size of a database of the plan in MB.
dump_mb() { # dump_mb KIND SOURCE USER DATABASE
  case "$1" in
    sqlite) if [ -f "$(place_of "$2")" ]; then du -cm "$(place_of "$2")"* | awk 'END {print $1}'; else echo 0; fi ;;
    postgres) postgres_mb "$2" "$3" "$4" ;;
  esac
}
# All of it or nothing. Whoever is still connected, a restore that was cut off for example, would hold what it replaces.
restore_postgres() { # restore_postgres CONTAINER USER DATABASE FILE
  docker exec "$1" psql -U "$2" -d "$3" -qtAc \
    'select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()' < /dev/null &&
    docker exec -i "$1" pg_restore --clean --if-exists --exit-on-error --single-transaction --no-acl --no-owner -U "$2" -d "$3" < "$4"
}

# ---- restored data takes the place of the running ----
# `swap/items` begins with `to job` and says for each path its home, its name there, and whether it was there on either side
# before anything was moved: with that a swap that was cut off goes on, or back, from wherever it stopped. `swap/moved`: all
# of it is in place, and what is left is to tidy up. `swap/in-place`: the restore whose data runs.

# Renames what is at its place away, and what is beside into its place. Also right when it is done halfway or twice.
item_in() { # item_in FROM WAS IS HOME NAME
  if [ "$2" = was ] && [ ! -e "$4/.aside/$5" ]; then
    mkdir -p "$(dirname "$4/.aside/$5")" && mv -T "$4/$5" "$4/.aside/$5" || return 1
  fi
  if [ "$3" = is ] && [ -e "$4/$1/$5" ]; then
    mkdir -p "$(dirname "$4/$5")" && mv -T "$4/$1/$5" "$4/$5" || return 1
  fi
}
item_back() { # item_back FROM WAS IS HOME NAME
  if [ "$3" = is ] && [ ! -e "$4/$1/$5" ] && [ -e "$4/$5" ]; then
    mkdir -p "$(dirname "$4/$1/$5")" && mv -T "$4/$5" "$4/$1/$5" || return 1
  fi
  if [ "$2" = was ] && [ -e "$4/.aside/$5" ]; then
    mkdir -p "$(dirname "$4/$5")" && mv -T "$4/.aside/$5" "$4/$5" || return 1
  fi
}
each_item() { # each_item in|back FROM
  tail -n +2 "$swaps/items" > "$swaps/list"
  while read -r was is home name; do "item_$1" "$2" "$was" "$is" "$home" "$name" || return 1; done < "$swaps/list"
}

# Everything but the services through which databases are restored, and what the stack started itself. A start by the
# system after a power failure would find half of it.
stop_writers() {
  remove_unit
  keeps=" $(planned keep | tr '\n' ' ') "
  writers=$(compose config --services | while read -r service; do
    case "$keeps" in *" $service "*) ;; *) echo "$service" ;; esac
  done)
  # shellcheck disable=SC2086
  [ -z "$writers" ] || compose stop -t 30 $writers || return 1
  running=$(started_containers | sort -u | while read -r id; do docker ps -q --no-trunc --filter "id=$id"; done)
  [ -n "$running" ] || return 0
  printf '%s\n' "$running" >> "$swaps/stopped" && sync "$swaps/stopped" || return 1
  # shellcheck disable=SC2086
  docker stop -t 30 $running
}

# As after a restart. Where DNS has never been right yet, the router waits as it did.
start_writers() {
  if [ -e "$state/routed" ] || [ -n "$(router_there)" ]; then
    start_again
    others_again
    install_unit
    router_steps yes
  else
    host_ready
    pull_missing
    # shellcheck disable=SC2046
    up --force-recreate $(open_services)
    others_again
    [ -n "$(gate)" ] || install_unit
  fi
}
router_there() {
  for service in $(gate); do docker ps -aq --filter "label=com.docker.compose.project=$project" --filter "label=com.docker.compose.service=$service"; done
}
others_again() {
  [ -s "$swaps/stopped" ] || return 0
  sort -u "$swaps/stopped" | while read -r id; do docker start "$id" || true; done
  rm -f "$swaps/stopped"
}

# keep_up: the services through which databases are restored
keep_up() {
  keeps=$(planned keep | tr '\n' ' ')
  # shellcheck disable=SC2086
  [ -z "$keeps" ] || up --no-deps $keeps
}

# A swap that was cut off and that nobody goes on with is taken back: what ran before is whole again, and stopped.
swap_undone() {
  [ -s "$swaps/items" ] || return 0
  plan=$swaps/plan
  read -r to _ < "$swaps/items"
  stop_writers && keep_up || return 1
  if [ -e "$swaps/moved" ]; then swap_tidied; else take_back; fi || return 1
  plan=$copies/plan
}

side_of() { if [ "$1" = restored ]; then echo .restored; else echo .before; fi; }

take_back() {
  from=$(side_of "$to")
  planned dump > "$swaps/dumps"
  while read -r kind name container user database; do
    [ "$kind" = postgres ] && [ -e "$swaps/database-$name" ] || continue
    restore_postgres "$container" "$user" "$database" "$folder/.aside/.dumps/$name" || return 1
    rm -f "$swaps/database-$name"
  done < "$swaps/dumps"
  each_item back "$from" || return 1
  rm -f "$swaps/items"
  beside_gone .aside
}

# What was moved away becomes the data from before; that of an earlier restore goes only now. After the way back neither is
# of use any more.
swap_tidied() {
  read -r to job < "$swaps/items"
  if [ "$to" = restored ]; then
    note "$swaps/in-place" "$job" || return 1
    homes > "$swaps/list"
    while read -r home; do
      if [ -e "$home/.aside/.job" ]; then
        rm -rf "$home/.before"
        mv -T "$home/.aside" "$home/.before" || return 1
      elif [ "$(cat "$home/.before/.job" 2> /dev/null || true)" != "$job" ]; then
        rm -rf "$home/.before"
      fi
    done < "$swaps/list"
  else
    rm -f "$swaps/in-place"
    beside_gone .aside
    beside_gone .before
  fi
  beside_gone .restored
  rm -f "$swaps/items" "$swaps"/database-*
  sync "$swaps"
  rm -f "$swaps/moved"
}

# ---- this script ----
