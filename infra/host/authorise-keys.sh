# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# All keys with which the customer may log in, one per line, as a file. They are sent once the deployment is charged, not
# earlier. An empty file removes the block.
[ -e "$state/customer-keys" ] || answer false NO_STACK
lines=$(awk NF "$state/customer-keys")
keys_of() { awk '{for (i = 1; i <= NF; i++) if ($i ~ /^AAAA/) {print $i; next}}' "$state/customer-keys"; }
keys_of > "$state/block.part" || answer false ACCESS_FAILED
[ "$(awk NF "$state/customer-keys" | awk 'END {print NR}')" = "$(awk 'END {print NR}' "$state/block.part")" ] ||
  answer false ACCESS_FAILED

# Old and new keys stay noted until the new block is in place, so that a removal finds it however far this came.
{ cat "$state/block.part" >> "$state/block" && sync "$state/block"; } || answer false ACCESS_FAILED
block "$(login_keys)" "$lines" || answer false ACCESS_FAILED
# The line of an older script is removed last, so that nobody is locked out in between.
for key in $(single_keys); do
  single_gone "$(root_keys)" "$key" || answer false ACCESS_FAILED
done
{ sync "$state/block.part" && mv -f "$state/block.part" "$state/block"; } || answer false ACCESS_FAILED
[ -s "$state/block" ] || rm -f "$state/block"
rm -f "$state/customer-keys"
answer true DONE
