#!/bin/sh
# Runs a command on Coolify's own server, in the same way as Coolify.
exec ssh -q -i /var/www/html/storage/app/ssh/keys/id.root@host.docker.internal -o StrictHostKeyChecking=no \
  -o UserKnownHostsFile=/dev/null -o BatchMode=yes -o ConnectTimeout=10 root@host.docker.internal "$@"
