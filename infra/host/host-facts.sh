# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# Only reads. It is sent with the run number 0, so that it neither waits for a run nor holds one up.
need_docker
need_stack

# CPU time since the boot in ticks: user, nice, system, idle, iowait, irq, softirq, steal. Idle and iowait are idle.
cpu_facts() {
  awk '
    $1 == "cpu" { for (i = 2; i <= 9; i++) total += $i; idle = $5 + $6 }
    $1 ~ /^cpu[0-9]+$/ { cpus++ }
    END { printf "\"cpus\":%d,\"cpu_total\":%.0f,\"cpu_idle\":%.0f", cpus, total, idle }' /proc/stat
}

memory_facts() {
  awk '
    $1 == "MemTotal:" { total = $2 }
    $1 == "MemAvailable:" { available = $2 }
    END { printf "\"memory_mb\":%d,\"memory_used_mb\":%d", total / 1024, (total - available) / 1024 }' /proc/meminfo
}

# The fullest of the file systems with our folder and with the images. What is reserved for root counts as neither.
disk_facts() {
  df -Pk "$folder" "$root" 2> /dev/null | awk '
    NR > 1 && $3 + $4 > 0 && $3 / ($3 + $4) >= share { share = $3 / ($3 + $4); used = $3; size = $3 + $4 }
    END { printf "\"disk_mb\":%d,\"disk_used_mb\":%d", size / 1024, used / 1024 }'
}

logs_mb() {
  size=$(timeout 10 du -sk "$root/containers" 2> /dev/null | awk '{ print int($1 / 1024) }')
  echo "${size:-0}"
}

# Prints since when security updates wait for a reboot, and their packages. Debian and Ubuntu write these files.
reboot_fact() {
  if [ ! -e /var/run/reboot-required ]; then
    echo '"reboot":null'
    return
  fi
  packages=$(grep -xE '[a-z0-9.+-]{1,80}' /var/run/reboot-required.pkgs 2> /dev/null | sort -u | head -n 10 | sed 's/.*/"&"/' | paste -sd , -)
  printf '"reboot":{"since":"%s","packages":[%s]}' "$(date -u -r /var/run/reboot-required +%FT%TZ)" "$packages"
}

container() { # container NAME STATE HEALTH RESTARTS EXIT STAYS STARTED MEMORY
  printf '%s{"name":%s,"state":%s,"health":%s,"restarts":%d,"exit_code":%d,"stays":%s,"started_at":%s,"memory_mb":%s}' \
    "$comma" "$(text "$1" 80)" "$(text "$2" 20)" "$(text "$3" 20)" "$4" "$5" "$6" "$7" "$8"
  comma=,
}

containers_fact() {
  comma=
  printf '"containers":['
  while read -r name state health restarts code policy started id; do
    [ -n "$id" ] || continue
    case "$policy" in always | unless-stopped) stays=true ;; *) stays=false ;; esac
    case "$started" in 0001-*) started=null ;; *) started=$(text "$started" 40) ;; esac
    memory=null
    [ "$state" != running ] || memory=$(memory_bytes "$id")
    [ "$memory" = null ] || memory=$((memory / 1048576))
    container "$name" "$state" "$health" "$restarts" "$code" "$stays" "$started" "$memory"
  done << LINES
$lines
LINES
  for name in $(compose config --services | head -n 60); do
    printf '%s\n' "$lines" | grep -q "^$name " || container "$name" missing none 0 0 true null null
  done
  printf ']'
}

# One line a container: service, state, health, restarts, exit code, restart policy, start of the process, id. A field that
# Docker's own type lacks, such as `.Id`, would make every container without a health check an error. Docker not answering
# must not look like missing containers.
ids=$(containers) || answer false DOCKER_DOWN
lines=
if [ -n "$ids" ]; then
  # shellcheck disable=SC2086
  lines=$(docker inspect -f '{{index .Config.Labels "com.docker.compose.service"}} {{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}} {{.RestartCount}} {{.State.ExitCode}} {{or .HostConfig.RestartPolicy.Name "no"}} {{.State.StartedAt}} {{.ID}}' $ids | sort | head -n 60)
  [ -n "$lines" ] || answer false DOCKER_DOWN
fi
root=$(timeout 20 docker info -f '{{.DockerRootDir}}' 2> /dev/null || true)
root=${root:-/var/lib/docker}
load=$(cut -d ' ' -f 2 /proc/loadavg)
uptime=$(cut -d . -f 1 /proc/uptime)
answer true DONE "$(cpu_facts),\"load\":$load,$(memory_facts),$(disk_facts),\"logs_mb\":$(logs_mb),$(reboot_fact),\"uptime_s\":$uptime,$(containers_fact)"
