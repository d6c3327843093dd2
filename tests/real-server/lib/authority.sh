# Pauses and resumes the certificate authority.

authority() {
  local pid; pid=$(running_pid authority) || fail "The authority is not running."
  case "${1:-}" in
    pause)  kill -STOP "$pid" ;;
    resume) kill -CONT "$pid" ;;
    *)      usage ;;
  esac
}
