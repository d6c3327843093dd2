# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
need_stack
service=$(arg service)
case "$service" in '' | -* | *[!A-Za-z0-9._-]*) answer false BAD_ARGUMENT ;; esac
compose config --services | grep -qxF -e "$service" || answer false NO_CONTAINER "$(services_fact)"

# Containers in the network of the restarted one, with the start of their processes. They lose the network with the restart.
dependents() {
  id=$(compose ps -aq "$service" | head -n 1)
  [ -n "$id" ] || return 0
  for other in $(containers); do
    docker inspect -f '{{.HostConfig.NetworkMode}} {{index .Config.Labels "com.docker.compose.service"}} {{.State.StartedAt}}' "$other" || true
  done | sed -n "s/^container:$id //p"
}

before=$(dependents)
compose restart -t 20 "$service" || answer false NOT_RESTARTED "$(services_fact)"
# Newer versions of Compose have restarted them already.
after=$(dependents)
with=$(printf '%s\n' "$after" | while read -r name started; do
  [ -n "$name" ] || continue
  ! printf '%s\n' "$before" | grep -qxF -e "$name $started" || echo "$name"
done)
# shellcheck disable=SC2086
[ -z "$with" ] || compose restart -t 20 $with || answer false NOT_RESTARTED "$(services_fact)"
answer true DONE "$(services_fact)"
