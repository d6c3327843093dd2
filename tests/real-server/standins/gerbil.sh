#!/bin/sh
# Stand-in for gerbil. It holds the shared network namespace and its ports, and writes a key. It creates no tunnel.
for argument; do
  case "$argument" in --generateAndSaveKeyTo=*) key_file=${argument#*=} ;; esac
done
key_file=${key_file:-/var/config/key}
[ -s "$key_file" ] || (umask 077; head -c 32 /dev/urandom | base64 > "$key_file")
trap 'exit 0' TERM INT
echo "gerbil stand-in: key at $key_file; WireGuard interface wg0 created in name only, no tunnel works here"
while :; do sleep 3600 & wait $!; done
