# shellcheck shell=sh disable=SC2154 # follows the steps of a script
# When the connection ends, whatever still prints would be ended with it: what is printed goes through a process that stays.
carry() {
  trap '' PIPE
  cat >&2 || cat > /dev/null
}

set +e
code=$(
  {
    {
      (
        set -e
        trap ended EXIT
        steps
      ) 2>&1 4>&-
      echo $? >&4
    } | carry 3>&- 4>&- 9>&-
  } 4>&1 1>&2
)
trap - EXIT
[ "$code" != 0 ] || exit 0
# ended by a signal, it could not answer
[ "${code:-200}" -lt 128 ] || printf '{"ok":false,"code":"SCRIPT_FAILED"}\n' >&3
exit 1
