# shellcheck shell=sh disable=SC2154,SC2317,SC2329 # follows common.sh
# ---- the stack of a deployment: its files, its containers ----
folder=/opt/moorage/$ref
project=moorage-$ref
unit=moorage-$ref.service

# Everything a line of the stack's facts says after its first word.
facts_of() {
  [ ! -f "$folder/.moorage/stack" ] || sed -n "s/^$1 //p" "$folder/.moorage/stack"
}

need_docker() {
  has docker || answer false DOCKER_DOWN
  timeout 20 docker version --format '{{.Server.Version}}' > /dev/null 2>&1 || answer false DOCKER_DOWN
}

need_stack() {
  for needed in .moorage/stack docker-compose.yml; do
    [ -s "$folder/$needed" ] || answer false NO_STACK
  done
  [ -f "$folder/.env" ] || answer false NO_STACK
}

compose() {
  docker compose --project-directory "$folder" -f "$folder/docker-compose.yml" --env-file "$folder/.env" -p "$project" "$@"
}

gate() { facts_of gate; }

# Services that do not wait for the ACME gate.
open_services() {
  compose config --services | while read -r service; do
    case " $(gate) " in *" $service "*) ;; *) echo "$service" ;; esac
  done
}

# Only what is missing: a server without internet that has the images works. What we pulled, a removal takes away again.
pull_missing() { # pull_missing [IMAGES]: those of the stack, or these, one a line
  { if [ -n "${1:-}" ]; then printf '%s\n' "$1"; else compose config --images | sort -u; fi; } | while read -r image; do
    docker image inspect "$image" > /dev/null 2>&1 && continue
    echo "$image" >> "$state/images" || exit 1
    docker pull -q "$image" 2> "$state/said" || exit 1
  done && return 0
  cat "$state/said" >&2 || true
  why=$(why_not)
  [ "$why" != NOT_HEALTHY ] || why=PULL_FAILED
  answer false "$why"
}

# up SERVICE... [OPTION...]: healthy, or an answer that says why not.
up() {
  printf '\n' > "$state/said" || answer false DISK_FULL "$(services_fact)"
  if ! compose up -d --no-build --wait --wait-timeout 270 "$@" 2> "$state/said"; then
    cat "$state/said" >&2
    why=$(why_not)
    rm -f "$state/said"
    answer false "$why" "$(services_fact)"
  fi
  rm -f "$state/said"
}

why_not() {
  if grep -qi 'no space left on device' "$state/said"; then echo DISK_FULL
  elif grep -qiE 'port is already allocated|address already in use' "$state/said"; then echo PORT_TAKEN
  elif grep -qi 'container name .* is already in use' "$state/said"; then echo NAME_TAKEN
  else echo NOT_HEALTHY; fi
}

containers() {
  docker ps -aq --no-trunc --filter "label=com.docker.compose.project=$project"
}

# One line a container: service, state, health, restarts.
service_states() {
  for id in $(containers); do
    docker inspect -f '{{index .Config.Labels "com.docker.compose.service"}} {{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}} {{.RestartCount}}' "$id" || true
  done | sort
}

services_fact() {
  printf '"services":['
  service_states | {
    comma=
    while read -r name status health restarts; do
      printf '%s{"name":%s,"state":%s,"health":%s,"restarts":%s}' "$comma" "$(text "$name" 80)" "$(text "$status" 20)" "$(text "$health" 20)" "${restarts:-0}"
      comma=,
    done
  }
  printf ']'
}

# Bytes that a running container uses, without the cache that the kernel can drop, or null. Both versions of cgroups and both
# of Docker's drivers. A container can end while its files are read.
memory_bytes() { # memory_bytes ID
  used=
  for group in "/sys/fs/cgroup/system.slice/docker-$1.scope" "/sys/fs/cgroup/docker/$1" \
    "/sys/fs/cgroup/memory/docker/$1" "/sys/fs/cgroup/memory/system.slice/docker-$1.scope"; do
    if [ -r "$group/memory.current" ]; then file=memory.current cache=inactive_file
    elif [ -r "$group/memory.usage_in_bytes" ]; then file=memory.usage_in_bytes cache=total_inactive_file
    else continue; fi
    used=$(awk -v cache="$cache" '
      NF == 1 { used = $1 }
      $1 == cache { dropped = $2 }
      END { printf "%.0f", (used > dropped ? used - dropped : 0) }' "$group/$file" "$group/memory.stat" 2> /dev/null) || used=
    break
  done
  echo "${used:-null}"
}

# After a reboot a container in another one's network does not come back by itself.
install_unit() {
  [ -d /run/systemd/system ] || return 0
  cat > "/etc/systemd/system/$unit.part" << UNIT
[Unit]
Description=Moorage deployment $ref
Requires=docker.service
After=docker.service network-online.target
Wants=network-online.target

[Service]
Type=oneshot
RemainAfterExit=yes
WorkingDirectory=$folder
ExecStart=$(command -v docker) compose -p $project up -d --no-build
TimeoutStartSec=600

[Install]
WantedBy=multi-user.target
UNIT
  chmod 644 "/etc/systemd/system/$unit.part"
  mv -f "/etc/systemd/system/$unit.part" "/etc/systemd/system/$unit"
  systemctl daemon-reload
  systemctl enable "$unit"
}

remove_unit() {
  rm -f "/etc/systemd/system/$unit.part"
  [ -e "/etc/systemd/system/$unit" ] || return 0
  if [ -d /run/systemd/system ]; then
    systemctl disable "$unit" || true
    systemctl stop --no-block "$unit" || true
  fi
  rm -f "/etc/systemd/system/$unit" "/etc/systemd/system/multi-user.target.wants/$unit"
  [ ! -d /run/systemd/system ] || systemctl daemon-reload
}

# ---- scripts of the package, run in the deployment's folder ----
# Only we answer, so our standard output is closed to them.
step_of_package() { # step_of_package PROGRAM [WORD]
  (cd "$folder" && sh ".moorage/$1" "${2:-}") < /dev/null 3>&-
}
step_fact() { printf '"step":%s,' "$(text "$failed" 80)"; }

# Once after the first start. A script that ends with 64 says that trying again is of no use.
first_steps() {
  why=
  while read -r need name program; do
    [ -n "$name" ] || continue
    status=0
    step_of_package "$program" || status=$?
    [ "$status" != 0 ] || continue
    echo "first step $name failed ($need)"
    [ "$need" != optional ] || continue
    failed=$name
    why=FIRST_STEP_FAILED
    [ "$status" != 64 ] || why=FIRST_STEP_REFUSED
    return 1
  done << STEPS
$(facts_of step)
STEPS
}

# When DNS is right and after a restart; `yes`: the router is to be made anew. From then on the package answers on its names.
router_steps() { # router_steps yes|no
  touch "$state/routed" || answer false DISK_FULL
  while read -r name program; do
    [ -n "$name" ] || continue
    step_of_package "$program" "$1" && continue
    echo "router step $name failed"
    failed=$name
    answer false ROUTER_STEP_FAILED "$(step_fact)$(services_fact)"
  done << STEPS
$(facts_of routing)
STEPS
}

# The whole stack again, its router last.
start_again() {
  mend_certificates
  host_ready
  pull_missing
  router=$(gate)
  if [ -z "$router" ]; then
    up --force-recreate
  else
    # shellcheck disable=SC2086
    compose stop -t 20 $router
    # shellcheck disable=SC2046
    up $(open_services)
    # shellcheck disable=SC2086
    up --force-recreate --no-deps $router
  fi
}

# A certificate store that others can read is refused by the router; one that was cut off is put aside. A whole one is
# never thrown away: an authority gives the same certificate only a few times a week.
mend_certificates() {
  store=$folder/config/letsencrypt/acme.json
  [ -s "$store" ] || return 0
  chmod 600 "$store"
  case "$(head -c 1 "$store")$(tr -d '[:space:]' < "$store" | tail -c 1)" in
    '{}') ;;
    *) mv -f "$store" "$store.broken" ;;
  esac
}

# ---- what the package takes of the host outside of our folder: noted before it is taken, so that a removal finds it ----
took() { # took KIND WHAT
  [ ! -f "$state/taken" ] || ! grep -qxF "$1 $2" "$state/taken" || return 0
  { echo "$1 $2" >> "$state/taken" && sync "$state/taken"; } || answer false DISK_FULL
}
taken() { # taken KIND
  [ ! -f "$state/taken" ] || sed -n "s/^$1 //p" "$state/taken"
}

# Makes the folders and the key, and lets the package put there what has to lie there. May be repeated.
host_ready() {
  while read -r kind what mode owner; do
    case "$kind" in
      folder)
        if [ -e "$what" ] && ! taken folder | grep -qxF "$what"; then answer false FOLDER_TAKEN; fi
        took folder "$what"
        { mkdir -p "$what" && chmod "$mode" "$what" && chown "$owner:0" "$what"; } || answer false DISK_FULL ;;
      login) own_login "$what" "$mode" || answer false ACCESS_FAILED ;;
      container | label) took "$kind" "$what" ;;
    esac
  done << NEEDS
$(facts_of host)
NEEDS
  while read -r name program; do
    [ -n "$name" ] || continue
    step_of_package "$program" && continue
    echo "preparing $name failed"
    failed=$name
    answer false PREPARE_FAILED "$(step_fact)$(services_fact)"
  done << STEPS
$(facts_of prepare)
STEPS
}

# A stack that manages its own server logs in there as root, and from its containers only.
own_login() { # own_login KEYFILE OWNER
  if [ ! -s "$1" ]; then
    has ssh-keygen || return 1
    mkdir -p "${1%/*}"
    rm -f "$1.part" "$1.part.pub"
    ssh-keygen -q -t ed25519 -N '' -C "moorage-$ref-self" -f "$1.part" || return 1
    mv -f "$1.part.pub" "$1.pub" && mv -f "$1.part" "$1" || return 1
  fi
  chown "$2:0" "$1" "$1.pub" && chmod 600 "$1" || return 1
  authorise "from=\"10.0.0.0/8,172.16.0.0/12,192.168.0.0/16\" $(cat "$1.pub")"
}

# Containers that the stack started itself.
started_containers() {
  taken container | while read -r name; do docker ps -aq --no-trunc --filter "name=^/$name\$"; done
  taken label | while read -r label; do docker ps -aq --no-trunc --filter "label=$label"; done
}

# ---- keys that open the server: only lines that were not there before are noted, and only those are taken away ----
root_keys() { echo "$(getent passwd root | cut -d : -f 6)/.ssh/authorized_keys"; }

# holds_key KEY: a line in which the key stands as a word of its own
holds_key() { awk -v key="$1" '{for (i = 1; i <= NF; i++) if ($i == key) found = 1} END {exit !found}'; }

# A copy without the line takes the file's place in one go, with its owner and mode; an empty file that only we wrote goes.
line_gone() { # line_gone FILE KEY
  [ -f "$1" ] || return 0
  holds_key "$2" < "$1" || return 0
  file=$(readlink -f "$1")
  lines=$(awk -v key="$2" '{for (i = 1; i <= NF; i++) if ($i == key) next; n++} END {print n + 0}' "$file")
  if cp -p "$file" "$file.moorage"; then
    awk -v key="$2" '{for (i = 1; i <= NF; i++) if ($i == key) next; print}' "$file" > "$file.moorage" || true
    sync "$file.moorage" || true
  fi
  # on a full disk the copy may be short: better our key stays than that its owner's goes
  if [ "$(awk 'END {print NR}' "$file.moorage" 2> /dev/null)" != "$lines" ]; then
    rm -f "$file.moorage"
    return 0
  fi
  mv -f "$file.moorage" "$file"
  [ ! -s "$file" ] || return 0
  rm -f "$1"
  rmdir "${1%/*}" 2> /dev/null || true
}

# A key of the stack's own. Noted before it is added, so that a removal finds it however far this came.
authorise() { # authorise LINE
  keys=$(root_keys)
  key=$(printf '%s\n' "$1" | awk '{for (i = 1; i <= NF; i++) if ($i ~ /^AAAA/) {print $i; exit}}')
  [ "${#key}" -ge 40 ] || return 1
  if [ -f "$keys" ] && holds_key "$key" < "$keys"; then return 0; fi
  echo "$key" >> "$state/authorised" && sync "$state/authorised" || return 1
  [ -d "${keys%/*}" ] || mkdir -m 700 "${keys%/*}" || return 1
  file=$keys
  if [ -e "$keys" ]; then
    file=$(readlink -f "$keys")
    cp -p "$file" "$file.moorage" || return 1
  else
    : > "$file.moorage"
    chmod 600 "$file.moorage"
  fi
  # a last line without an end would swallow ours
  if [ -s "$file.moorage" ] && [ -n "$(tail -c 1 "$file.moorage")" ]; then echo >> "$file.moorage" || return 1; fi
  printf '%s\n' "$1" >> "$file.moorage" && sync "$file.moorage" && mv -f "$file.moorage" "$file"
}

keys_gone() {
  [ -f "$state/authorised" ] || return 0
  keys=$(root_keys)
  while read -r key; do
    [ -n "$key" ] || continue
    line_gone "$keys" "$key"
    if [ -f "$keys" ] && holds_key "$key" < "$keys"; then return 0; fi
  done < "$state/authorised"
  rm -f "$state/authorised"
}

# ---- the customer's keys: a block of lines of the login user, between two marks; only the block is ours ----
login_home() { getent passwd "${SUDO_USER:-root}" | cut -d : -f 6; }
login_keys() { echo "$(login_home)/.ssh/authorized_keys"; }
block_begin="# moorage $ref customer keys"
block_end="# moorage $ref end of customer keys"

# Older scripts added a single line to the keys of root, and noted its key as the key of the stack's own login is noted.
single_keys() {
  [ -f "$state/authorised" ] || return 0
  while read -r key; do
    awk -v key="$key" -v self="moorage-$ref-self" '
      { held = own = 0; for (i = 1; i <= NF; i++) { if ($i == key) held = 1; if ($i == self) own = 1 } }
      held && own { found = 1 }
      END { exit !found }' "$(root_keys)" || printf '%s\n' "$key"
  done < "$state/authorised"
}

# The lines of a file without the block. If its end is missing, only lines with keys that we wrote go.
others() { # others FILE
  awk -v first="$block_begin" -v last="$block_end" -v noted="$state/block" '
    BEGIN { while ((getline key < noted) > 0) ours[key] = 1 }
    function flush(  i, j, n, words) {
      for (i = 1; i <= held; i++) {
        n = split(lines[i], words)
        for (j = 1; j <= n; j++) if (words[j] in ours) break
        if (j > n) print lines[i]
      }
      held = 0
    }
    $0 == first { flush(); inside = 1; next }
    $0 == last { held = 0; inside = 0; next }
    inside { lines[++held] = $0; next }
    { print }
    END { flush() }' "$1"
}

# Puts the block with these lines into the file, or takes it out. A copy takes the file's place in one go, with its owner.
block() { # block FILE [LINES]
  keys=$1
  home=${keys%/.ssh/*}
  [ -e "$keys" ] || [ -n "${2:-}" ] || return 0
  [ -d "${keys%/*}" ] || { mkdir -m 700 "${keys%/*}" && chown "$(stat -c %u:%g "$home")" "${keys%/*}"; } || return 1
  file=$keys
  [ ! -e "$keys" ] || file=$(readlink -f "$keys")
  next=$file.moorage
  rm -f "$next"
  if [ -e "$file" ]; then cp -p "$file" "$next"; else printf '' > "$next" && chown "$(stat -c %u:%g "$home")" "$next"; fi || return 1
  chmod 600 "$next" || return 1
  kept=0
  if [ -e "$file" ]; then
    kept=$(others "$file" | awk 'END {print NR}')
    others "$file" > "$next" || { rm -f "$next"; return 1; }
  fi
  wanted=$kept
  if [ -n "${2:-}" ]; then
    wanted=$((kept + 2 + $(printf '%s\n' "$2" | awk 'END {print NR}')))
    printf '%s\n' "$block_begin" "$2" "$block_end" >> "$next" || { rm -f "$next"; return 1; }
  fi
  # on a full disk the copy may be short: better a key too many than the owner's lost
  sync "$next" || true
  if [ "$(awk 'END {print NR}' "$next" 2> /dev/null)" != "$wanted" ]; then
    rm -f "$next"
    return 1
  fi
  mv -f "$next" "$file" || return 1
  [ ! -s "$file" ] || return 0
  rm -f "$keys"
  rmdir "${keys%/*}" 2> /dev/null || true
}

# Takes out one line with this key that is not in the block, and what was noted of it.
single_gone() { # single_gone FILE KEY
  if [ -f "$1" ] && others "$1" | holds_key "$2"; then
    file=$(readlink -f "$1")
    cp -p "$file" "$file.moorage" || return 1
    awk -v key="$2" -v first="$block_begin" -v last="$block_end" '
      $0 == first { inside = 1 }
      $0 == last { inside = 0 }
      !inside && !gone { for (i = 1; i <= NF; i++) if ($i == key) { gone = 1; next } }
      { print }' "$file" > "$file.moorage" && sync "$file.moorage" || { rm -f "$file.moorage"; return 1; }
    if [ "$(awk 'END {print NR}' "$file.moorage")" != "$(awk 'END {print NR - 1}' "$file")" ]; then
      rm -f "$file.moorage"
      return 1
    fi
    mv -f "$file.moorage" "$file" || return 1
  fi
  awk -v key="$2" '$0 != key' "$state/authorised" > "$state/authorised.part" &&
    sync "$state/authorised.part" && mv -f "$state/authorised.part" "$state/authorised" || return 1
  [ -s "$state/authorised" ] || rm -f "$state/authorised"
}

block_gone() {
  [ -e "$state/block" ] || return 0
  block "$(login_keys)" && rm -f "$state/block" || true
}

# ---- firewall: only rules that were not there before are noted, and only those are taken away ----
active_firewall() {
  if has ufw && ufw status 2> /dev/null | grep -q '^Status: active'; then echo ufw
  elif has firewall-cmd && firewall-cmd --state > /dev/null 2>&1; then echo firewalld; fi
}

open_ports() { # open_ports PORT/PROTO...
  kind=$(active_firewall)
  [ -n "$kind" ] || return 0
  for rule in "$@"; do
    case "$kind" in
      ufw)
        ! ufw show added 2> /dev/null | grep -qE "^ufw allow $rule( |\$)" || continue
        echo "ufw $rule" >> "$state/firewall"
        ufw allow "$rule" ;;
      firewalld)
        ! firewall-cmd --quiet --query-port="$rule" || continue
        echo "firewalld $rule" >> "$state/firewall"
        firewall-cmd --permanent --add-port="$rule"
        firewall-cmd --add-port="$rule" ;;
    esac
  done
}

close_ports() {
  [ -f "$state/firewall" ] || return 0
  while read -r kind rule; do
    case "$kind" in
      ufw) ! has ufw || ufw --force delete allow "$rule" || true ;;
      firewalld)
        ! has firewall-cmd || firewall-cmd --permanent --remove-port="$rule" || true
        ! has firewall-cmd || firewall-cmd --remove-port="$rule" || true ;;
    esac
  done < "$state/firewall"
  rm -f "$state/firewall"
}

