# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# Reads only, with run number 0, so it takes no lock and delays no run. Sends the newest lines of all containers since an
# instant, or the newest of the last days that contain a text, and the state of each container as Docker reports it.
need_docker
need_stack
most=$(arg lines)
since=$(arg since)
case "$most" in '' | *[!0-9]*) answer false BAD_ARGUMENT ;; esac
case "$since" in '' | *[!0-9TZ:.-]*) answer false BAD_ARGUMENT ;; esac
# base64url, because an argument contains no blanks and quotes
wanted=$(arg contains)
if [ -n "$wanted" ]; then
  wanted=$(printf '%s' "$wanted" | tr '_-' '/+' | awk '{while (length($0) % 4) $0 = $0 "="; print}' | base64 -d) ||
    answer false BAD_ARGUMENT
  [ -n "$wanted" ] || answer false BAD_ARGUMENT
fi
containers_max=40
# What is sent stays below the 64 KiB that the caller stores.
bytes_max=36000

# One line a container: id, name, state, health, restarts, start, and whether it is a service of the compose file.
containers_of_stack() {
  { containers; started_containers; } | awk '!seen[$0]++' | head -n "$containers_max" | while read -r id; do
    timeout 20 docker inspect -f "{{.ID}} {{if eq (print (index .Config.Labels \"com.docker.compose.project\")) \"$project\"}}{{index .Config.Labels \"com.docker.compose.service\"}}{{else}}{{.Name}}{{end}} {{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}} {{.RestartCount}} {{.State.StartedAt}} {{if eq (print (index .Config.Labels \"com.docker.compose.project\")) \"$project\"}}true{{else}}false{{end}}" "$id" < /dev/null || true
  done | sed 's# /# #' | sort -k 2,2
}

containers_fact() {
  printf '"containers":['
  comma=
  while read -r id name status health restarts started own; do
    [ -n "$id" ] || continue
    printf '%s{"name":%s,"state":%s,"health":%s,"restarts":%s,"started_at":%s,"memory_bytes":%s,"declared":%s}' "$comma" \
      "$(text "$name" 80)" "$(text "$status" 20)" "$(text "$health" 20)" "${restarts:-0}" "$(text "$started" 40)" \
      "$(memory_bytes "$id")" "${own:-false}"
    comma=,
  done << FOUND
$found
FOUND
  printf ']'
}

# Prints the newest lines as `time name text`, or as `time name! text` if a line was cut, and `left_out` with the number of
# the other lines. Endless lines are cut before anything reads them as a whole. Anything that does not begin with a time is
# not a line of a container. Only the text is searched, not the time.
lines_of() { # lines_of ID NAME
  if [ -n "$wanted" ]; then
    timeout 45 docker logs --timestamps --since "$since" "$1"
  else
    timeout 20 docker logs --timestamps --since "$since" --tail "$most" "$1"
  fi 2>&1 < /dev/null | cut -b 1-4100 | tr -d '\000' | wanted=$wanted awk -v name="$2" -v most="$most" '
    BEGIN { wanted = tolower(ENVIRON["wanted"]) }
    /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9:.]+Z( |$)/ {
      space = index($0, " ")
      time = space ? substr($0, 1, space - 1) : $0
      line = space ? substr($0, space + 1) : ""
      if (wanted != "" && !index(tolower(line), wanted)) next
      lines[++all] = length(line) > 4000 ? time " " name "! " substr(line, 1, 4000) : time " " name " " line
      if (all > most) delete lines[all - most]
    }
    END {
      if (all > most) print "left_out", all - most
      for (n = all > most ? all - most + 1 : 1; n <= all; n++) print lines[n]
    }'
}

all_lines() {
  while read -r id name rest; do
    [ -z "$id" ] || lines_of "$id" "$name" || true
  done << FOUND | sort -s -k 1,1
$found
FOUND
}

# The newest lines that fit. The first line is how many were left out.
bounded() {
  awk -v most="$most" -v bytes_max="$bytes_max" '
    $1 == "left_out" { left_out += $2; next }
    { lines[++all] = $0; if (all > most) delete lines[all - most] }
    END {
      first = all + 1
      for (n = all; n > 0 && n > all - most; n--) {
        bytes += length(lines[n]) + 1
        if (bytes > bytes_max) break
        first = n
      }
      print left_out + first - 1
      for (n = first; n <= all; n++) print lines[n]
    }'
}

found=$(containers_of_stack)
if [ -z "$found" ]; then answer true DONE "\"containers\":[],\"left_out\":0,\"lines\":\"\""; fi
sent=$(all_lines | bounded | base64 | tr -d '\n')
left_out=$(printf '%s' "$sent" | base64 -d | head -n 1)
answer true DONE "$(containers_fact),\"left_out\":${left_out:-0},\"lines\":\"$sent\""
