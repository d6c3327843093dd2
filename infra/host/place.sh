# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# Puts what was uploaded into {from} in its place. Only here, under the lock and behind the number of the run, do uploads
# become files of the deployment: a worker that was overtaken in the middle of one changes nothing. `list` says for each
# number its mode and path.
umask 022
from=$(arg from)
case "$from" in
  *..*) answer false BAD_ARGUMENT ;;
  "$state/incoming-$run_number" | /*/.moorage-*) ;;
  *) answer false BAD_ARGUMENT ;;
esac

# A file is whole on the disk before it takes the place of another: a power failure leaves the old one or the new one.
put() { # put NUMBER MODE PATH
  mkdir -p "${3%/*}" &&
    install -m "$2" "$from/$1" "$3.part" &&
    sync "$3.part" &&
    mv -f "$3.part" "$3" && return 0
  rm -f "$3.part"
  return 1
}

[ -s "$from/list" ] || answer false NOTHING_CAME
while read -r number mode path; do
  case "$path" in
    *..*) answer false BAD_ARGUMENT ;;
    "$folder"/* | "$state"/*) ;;
    *) answer false BAD_ARGUMENT ;;
  esac
  case "$path" in
    */)
      mkdir -p "$path" || answer false DISK_FULL
      chmod "$mode" "$path" ;;
    *) put "$number" "$mode" "$path" || answer false DISK_FULL ;;
  esac
done < "$from/list"
rm -rf "$from"
for earlier in "$state"/incoming-*; do
  number=${earlier##*-}
  case "$number" in '' | *[!0-9]*) continue ;; esac
  [ "$number" -gt "$run_number" ] || rm -rf "$earlier"
done
case "$from" in
  /*/.moorage-*) find "${from%/*}" -maxdepth 1 -name '.moorage-*' -mmin +60 -exec rm -rf {} + ;;
esac
answer true DONE
