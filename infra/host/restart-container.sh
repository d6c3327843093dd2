# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
need_stack
service=$(arg service)
case "$service" in '' | -* | *[!A-Za-z0-9._-]*) answer false BAD_ARGUMENT ;; esac
compose config --services | grep -qxF -e "$service" || answer false NO_CONTAINER "$(services_fact)"
# A container in the network of this one loses it with the restart, so it is restarted too.
id=$(compose ps -aq "$service" | head -n 1)
with=
for other in $(containers); do
  mode=$(docker inspect -f '{{.HostConfig.NetworkMode}}' "$other" || true)
  [ -n "$id" ] && [ "$mode" = "container:$id" ] || continue
  with="$with $(docker inspect -f '{{index .Config.Labels "com.docker.compose.service"}}' "$other" || true)"
done
compose restart -t 20 "$service" || answer false NOT_RESTARTED "$(services_fact)"
# shellcheck disable=SC2086
[ -z "$with" ] || compose restart -t 20 $with || answer false NOT_RESTARTED "$(services_fact)"
answer true DONE "$(services_fact)"
