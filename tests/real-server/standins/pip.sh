#!/bin/sh
# Stand-in for pip. It checks that every line of the list is pinned, and installs nothing.
set -eu
while [ $# -gt 0 ]; do
  case "$1" in
    --target) mkdir -p "$2"; shift ;;
    -r) ! grep -vE '^(#.*|[A-Za-z0-9_.-]+==[0-9A-Za-z.]+)$' "$2"; shift ;;
  esac
  shift
done
