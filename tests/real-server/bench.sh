#!/usr/bin/env bash
# A real server on loopback, with DNS and a certificate authority, for tests of real deployments.
# README.md in this folder describes what is real and what is a stand-in.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib/settings.sh"

usage() {
  cat >&2 <<'TEXT'
bench.sh install              install and build what is missing (the builds go into a cache folder)
bench.sh up                   start everything; prints one JSON object (the same one when already up)
bench.sh info                 print that JSON object again
bench.sh exec COMMAND...      run a command on the server, as its owner at the console would
bench.sh dns set NAME IP...   answer these addresses (A or AAAA) for NAME from now on
bench.sh dns clear [NAME]     forget NAME, or every name
bench.sh authority pause      let the certificate authority accept connections without a response
bench.sh authority resume     let it respond again
bench.sh images               import what the larger packages run: real parts and stand-ins
bench.sh install-for-backups  the same as install, with restic and its server
bench.sh restic               import the image with restic; prints the paths of both programs
bench.sh backup-programs      print the paths of both programs
bench.sh snapshot             list what exists on the server, sorted, to compare before and after
bench.sh down                 stop everything and remove what `up` made
TEXT
  exit 2
}

command=${1:-}
[ $# -eq 0 ] || shift
case "$command" in
  install)  . "$here/lib/install.sh";  one_at_a_time; install_all ;;
  up)       . "$here/lib/up.sh";       one_at_a_time; up ;;
  down)     . "$here/lib/down.sh";     one_at_a_time; down ;;
  info)     find_bench; cat "$BENCH_DIR/bench.json" ;;
  exec)     find_bench; on_server "$@" ;;
  dns)      find_bench; . "$here/lib/dns.sh"; dns "$@" ;;
  authority) find_bench; . "$here/lib/authority.sh"; authority "$@" ;;
  images)   find_bench; . "$here/lib/images.sh"; import_package_images ;;
  install-for-backups) . "$here/lib/install.sh"; one_at_a_time; install_for_backups ;;
  backup-programs) printf '%s\n' "$RESTIC_BIN" "$REST_SERVER_BIN" ;;
  restic)   find_bench; . "$here/lib/images.sh"; import_restic_image; printf '%s\n' "$RESTIC_BIN" "$REST_SERVER_BIN" ;;
  snapshot) find_bench; . "$here/lib/snapshot.sh"; snapshot ;;
  *)        usage ;;
esac
