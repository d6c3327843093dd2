# The stand-in images, under the catalogue's names. Each is a folder turned into an image with `docker import`.

import_images() {
  local work; work=$(mktemp -d "$BENCH_DIR/private/images.XXXXXX")
  alpine_image "$work/alpine"
  pangolin_image "$work/pangolin"
  gerbil_image "$work/gerbil"
  traefik_image "$work/traefik"
  rm -rf "$work"
}

base() { # a busybox system, as in a small distribution
  mkdir -p "$1"/{bin,etc,tmp,root,usr/bin,usr/local/bin,var}
  chmod 1777 "$1/tmp"
  cp /bin/busybox "$1/bin/busybox"
  local applet
  for applet in $(/bin/busybox --list); do [ "$applet" = busybox ] || ln -s busybox "$1/bin/$applet"; done
  echo 'root:x:0:0:root:/root:/bin/sh' > "$1/etc/passwd"
  echo 'root:x:0:' > "$1/etc/group"
}

alpine_image() {
  base "$1"
  import "$1" "$ALPINE_IMAGE" 'CMD ["/bin/sh"]'
}

# curl is in the real image and its health check calls it: the machine's own curl, with the libraries it names.
pangolin_image() {
  base "$1"
  install -m 755 "$(pangolin_bin)" "$1/usr/local/bin/pangolin"
  cp /usr/bin/curl "$1/usr/bin/curl"
  local library
  for library in $(ldd /usr/bin/curl | grep -o '/[^ ]*'); do install -D -m 755 "$library" "$1$library"; done
  import "$1" "$PANGOLIN_IMAGE" 'WORKDIR /app' 'CMD ["/usr/local/bin/pangolin"]'
}

gerbil_image() {
  base "$1"
  install -m 755 "$here/standins/gerbil.sh" "$1/usr/local/bin/gerbil"
  import "$1" "$GERBIL_IMAGE" 'ENTRYPOINT ["/usr/local/bin/gerbil"]'
}

# The real program. Its image carries the authority that vouches for the bench's ACME directory, so that
# a stack needs no other change than its ACME_DIRECTORY_URL.
traefik_image() {
  base "$1"
  install -m 755 "$TRAEFIK_BIN" "$1/usr/local/bin/traefik"
  install -D -m 644 "$BENCH_DIR/public/acme-directory-ca.pem" "$1/etc/bench/acme-directory-ca.pem"
  import "$1" "$TRAEFIK_IMAGE" 'ENV LEGO_CA_CERTIFICATES=/etc/bench/acme-directory-ca.pem' 'ENTRYPOINT ["/usr/local/bin/traefik"]'
}

import() { # import FOLDER IMAGE CHANGE...
  local folder=$1 image=$2 changes=() change; shift 2
  for change in 'ENV PATH=/usr/local/bin:/usr/bin:/bin' "$@"; do changes+=(--change "$change"); done
  tar -C "$folder" --numeric-owner --owner=0 --group=0 -c . | on_server docker import "${changes[@]}" - "$image" > /dev/null
}
