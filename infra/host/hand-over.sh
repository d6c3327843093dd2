# shellcheck shell=sh disable=SC2154 # follows common.sh, stack.sh and copy.sh
# The owner takes over what runs here. Nothing of it is stopped or removed: what copies and restores have left is tidied up,
# and a note says how to continue. remove-access removes our folders and our key.
[ -d "$folder" ] || answer true DONE
rm -f "$state/reserve"
if has docker; then
  need_docker
  copier_gone
  start_stopped
  if [ -s "$swaps/items" ]; then
    swap_undone || answer false SWAP_FAILED
    (start_writers) 3> /dev/null || true
  fi
  beside_gone .restored
fi

at_boot() {
  [ -e "/etc/systemd/system/$unit" ] || return 0
  printf '\n%s\n' "The unit \`$unit\` starts everything when the server boots. \`systemctl disable $unit\` turns that off."
}
own_folders() {
  [ -n "$(taken folder)" ] || return 0
  printf '\nFolders of the software outside of this one:\n\n'
  taken folder | sed 's/^/- /'
}
firewall_rules() {
  [ -s "$state/firewall" ] || return 0
  printf '\nRules that we added to your firewall because the software needs them:\n\n'
  sed 's/^/- /' "$state/firewall"
}

handover_note() {
  cat << NOTE && at_boot && own_folders && firewall_rules
# Handed over on $(date -u +%F)

This software is yours to run now. We stopped nothing, and removed only our key and our own files. We no longer take
backups, monitor it or restart it.

Run these commands as root:

    cd $folder
    docker compose -p $project ps                 # what is running
    docker compose -p $project logs --tail 100    # what it says
    docker compose -p $project up -d              # start everything
    docker compose -p $project restart            # restart everything
    docker compose -p $project down               # stop everything, data stays

To update, change the versions in \`docker-compose.yml\`, then run \`docker compose -p $project pull\` and \`up -d\`.

Settings and passwords are in \`.env\`. Back up this folder and the volumes (\`docker volume ls\` shows those that begin
with \`${project}_\`). Folders named \`.before\` contain the data from before a restore and can be deleted.
NOTE
}

# a full disk does not keep us here
if handover_note > "$folder/HANDOVER.txt.part"; then
  chmod 644 "$folder/HANDOVER.txt.part"
  mv -f "$folder/HANDOVER.txt.part" "$folder/HANDOVER.txt"
else
  rm -f "$folder/HANDOVER.txt.part"
fi
answer true DONE
