# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
need_docker
router=$(facts_of router)
line=
if [ -n "$router" ]; then
  line=$(docker logs --since 40m "$router" 2>&1 | grep -iE 'unable to obtain ACME|acme: error|urn:ietf:params:acme' | tail -n 1 || true)
fi
[ -n "$line" ] || answer true DONE '"acme_error":null'
# the router's log is one JSON object a line; its "error" is what the authority said
said=$(printf '%s' "$line" | sed -n 's/.*"error":"\(\([^"\\]\|\\.\)*\)".*/\1/p' | sed 's/\\n/ /g; s/\\"/"/g')
answer true DONE "\"acme_error\":$(text "${said:-$line}" 400)"
