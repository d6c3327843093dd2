# Builds the parts of a host once (a Debian root, and a site with the packages for installing Docker).

# Part of the cache key, so another list of packages creates another root.
INCLUDE=systemd,systemd-sysv,dbus,openssh-server,iproute2,procps,curl,ca-certificates,gnupg,iptables,kmod,adduser,tini,libdevmapper1.02.1,libseccomp2,jq,mawk
MADE=$CACHE/host-faults-$(sha256sum < "$folder/build-host.sh" | cut -c1-12)
BENCH_ROOT=$MADE/root
SITE=$MADE/site
SITE_HOSTS=(download.docker.com registry-1.docker.io acme-v02.api.letsencrypt.org plugins.traefik.io)

make() {
  install_host_packages
  command -v go >/dev/null || fail "Go is not installed; Docker Compose is built with it (1.25 or newer)."
  build_compose
  build_stand_ins
  [ -f "$MADE/whole" ] || make_root_and_site
}

install_host_packages() {
  install_packages mmdebstrap dpkg-dev apt-utils gpg busybox-static openssh-client iproute2 procps util-linux curl jq openssl \
    ca-certificates
}

make_root_and_site() {
  rm -rf "$MADE"
  mkdir -p "$MADE/debs" "$SITE"
  say "making a Debian root (a minute, the first time only)"
  mmdebstrap --quiet --variant=minbase --include="$INCLUDE" bookworm "$BENCH_ROOT" >&2
  : > "$BENCH_ROOT/etc/apt/sources.list"
  (cd "$MADE/debs" && apt-get -q download docker.io containerd runc >&2)
  docker_packages
  repository
  touch "$MADE/whole"
}

# Debian's Docker under the package names of Docker's own repository. One of the packages pauses in the middle of its
# installation for as long as the test requires.
docker_packages() {
  local work=$MADE/work pool=$SITE/linux/debian/pool
  mkdir -p "$work" "$pool"
  local name
  for name in docker.io containerd runc; do dpkg-deb -x "$MADE/debs/$name"_*.deb "$work/$name"; done
  dpkg-deb -e "$MADE/debs"/docker.io_*.deb "$work/docker.io.control"
  mkdir -p "$work/containerd.io" "$work/docker-ce-cli/usr/bin" "$work/docker-buildx-plugin" "$work/docker-compose-plugin"
  cp -a "$work/containerd/." "$work/runc/." "$work/containerd.io"
  mv "$work/docker.io" "$work/docker-ce"
  rm -rf "$work/docker-ce/etc/default"   # the test server configures Docker to stay off this machine's network
  mv "$work/docker-ce/usr/bin/docker" "$work/docker-ce-cli/usr/bin/docker"
  control containerd.io 'libc6, libseccomp2'
  control docker-ce-cli 'libc6'
  control docker-ce 'containerd.io, docker-ce-cli, iptables, adduser, tini, libdevmapper1.02.1, libsystemd0'
  control docker-buildx-plugin 'libc6'
  control docker-compose-plugin 'libc6'
  cat > "$work/containerd.io/DEBIAN/postinst" <<'POSTINST'
#!/bin/sh
set -e
while [ -e /run/bench/hold-packages ]; do sleep 0.2; done
[ ! -d /run/systemd/system ] || { systemctl daemon-reload; systemctl start containerd; }
POSTINST
  cat > "$work/docker-ce/DEBIAN/postinst" <<'POSTINST'
#!/bin/sh
set -e
getent group docker > /dev/null || addgroup --system docker
[ ! -d /run/systemd/system ] || { systemctl daemon-reload; systemctl start docker; }
while [ -e /run/bench/hold-docker ]; do sleep 0.2; done
POSTINST
  chmod 755 "$work"/*/DEBIAN/postinst
  for name in containerd.io docker-ce-cli docker-ce docker-buildx-plugin docker-compose-plugin; do
    dpkg-deb --root-owner-group -Zgzip -z1 -b "$work/$name" "$pool/$name.deb" > /dev/null
  done
  rm -rf "$work" "$MADE/debs"
}

control() { # control PACKAGE DEPENDS
  mkdir -p "$MADE/work/$1/DEBIAN"
  printf 'Package: %s\nVersion: 1\nArchitecture: %s\nMaintainer: test <test@example.test>\nDescription: for a test\nDepends: %s\n' \
    "$1" "$(dpkg --print-architecture)" "$2" > "$MADE/work/$1/DEBIAN/control"
}

repository() {
  local base=$SITE/linux/debian home=$MADE/gnupg arch; arch=$(dpkg --print-architecture)
  local dist=$base/dists/bookworm
  mkdir -p "$dist/stable/binary-$arch"; mkdir -p -m 700 "$home"
  (cd "$base" && apt-ftparchive packages pool > "dists/bookworm/stable/binary-$arch/Packages")
  (cd "$dist" && apt-ftparchive -o APT::FTPArchive::Release::Suite=bookworm -o APT::FTPArchive::Release::Codename=bookworm \
    -o APT::FTPArchive::Release::Components=stable -o "APT::FTPArchive::Release::Architectures=$arch" release . > Release.new && mv Release.new Release)
  gpg --homedir "$home" --batch --quiet --passphrase '' --quick-generate-key test@example.test rsa2048 sign never
  gpg --homedir "$home" --batch --quiet --clearsign -o "$dist/InRelease" "$dist/Release"
  gpg --homedir "$home" --batch --quiet --armor --export > "$base/gpg"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=host-faults" \
    -addext "subjectAltName=$(printf 'DNS:%s,' "${SITE_HOSTS[@]}" | sed 's/,$//')" \
    -keyout "$MADE/site.key" -out "$MADE/site.pem" 2> /dev/null
}
