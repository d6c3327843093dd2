# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
router=$(facts_of router)
lines=
if [ -n "$router" ]; then
  lines=$(docker logs --since 40m "$router" 2>&1 | grep -iE 'unable to obtain ACME|acme: error|urn:ietf:params:acme' | tail -n 12 || true)
fi
# the router's log is one JSON object a line; its "error" is what the authority said
said=$(printf '%s\n' "$lines" | while IFS= read -r line; do
  [ -n "$line" ] || continue
  error=$(printf '%s' "$line" | sed -n 's/.*"error":"\(\([^"\\]\|\\.\)*\)".*/\1/p' | sed 's/\\n/ /g; s/\\"/"/g')
  printf '%s,' "$(text "${error:-$line}" 400)"
done)
answer true DONE "\"acme_errors\":[${said%,}]"
