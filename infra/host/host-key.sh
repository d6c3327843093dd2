# shellcheck shell=sh disable=SC2154 # follows common.sh and stack.sh
# The key a new server booted with travelled through the provider. It is replaced by one that was made on the server:
# `prepare` makes it and says its fingerprint, and only when that is written down `install` puts it in place.
next=$state/host-key
live=/etc/ssh/ssh_host_ed25519_key

fingerprint() { ssh-keygen -lf "$1.pub" | awk '{print $2}'; }

if [ -e "$state/host-key-installed" ]; then
  answer true DONE "\"host_key_sha256\":$(text "$(fingerprint "$live")" 60)"
fi
if [ ! -s "$next.pub" ]; then
  rm -f "$next"
  ssh-keygen -q -t ed25519 -N '' -C "$ref" -f "$next" < /dev/null || answer false HOST_KEY_FAILED
fi
mark=$(fingerprint "$next")
if [ "$(arg act)" = install ]; then
  install -m 644 "$next.pub" "$live.pub.part"
  install -m 600 "$next" "$live.part"
  mv -f "$live.pub.part" "$live.pub"
  mv -f "$live.part" "$live"
  sshd -t || answer false HOST_KEY_FAILED
  systemctl reload ssh 2> /dev/null || systemctl reload sshd || answer false HOST_KEY_FAILED
  : > "$state/host-key-installed"
  rm -f "$next" "$next.pub"
fi
answer true DONE "\"host_key_sha256\":$(text "$mark" 60)"
