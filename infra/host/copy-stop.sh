# shellcheck shell=sh disable=SC2154 # follows common.sh, stack.sh and copy.sh
need_docker
job=$(arg job)
start_stopped
there=$(job_there)
case "$there" in
  '' | "$job "*)
    act=backup
    # what another job restored beside, or what is being put in place, is not this one's
    [ "$(cat "$folder/.restored/.job" 2> /dev/null || true)" != "$job" ] || [ -s "$swaps/items" ] || act=restore
    [ "$(docker inspect -f '{{index .Config.Labels "moorage.act"}}' "$copier" 2> /dev/null || true)" != restore ] || act=restore
    job_gone "$act" ;;
esac
[ "$(head -n 1 "$copies/ended" 2> /dev/null || true)" != "$job" ] || rm -f "$copies/ended"
answer true DONE
