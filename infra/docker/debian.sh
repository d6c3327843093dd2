# shellcheck shell=bash
# Packages of Debian, for scripts that need some. Whoever reads this in brings `say` and `fail`.

install_packages() { # install_packages PACKAGE...
  local missing=() package
  for package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${missing[*]}"
  keep_services_off
  local apt=(timeout 900 apt-get -q -o DPkg::Lock::Timeout=600)
  "${apt[@]}" update >&2 || fail "apt-get could not refresh its lists within 15 minutes."
  DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2 ||
    fail "apt-get could not install ${missing[*]}."
}

# Debian starts a daemon as it installs it; a second sshd and dockerd on all interfaces is not wanted.
keep_services_off() {
  [ ! -e /usr/sbin/policy-rc.d ] || return 0
  printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
  chmod 755 /usr/sbin/policy-rc.d
  trap 'rm -f /usr/sbin/policy-rc.d' EXIT
}
