#!/bin/sh
# Stand-in for Python. NLWeb's server responds, and its health check sends requests. It runs no program.
case "$*" in
  '-m nlweb_network.server') exec parts 8000 ;;
  -c*) exec timeout 5 wget -q -O /dev/null http://127.0.0.1:8000/health ;;
  *) echo "python stand-in: $*" >&2; exit 64 ;;
esac
