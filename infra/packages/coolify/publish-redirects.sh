# Puts the redirects of further domains where Coolify's proxy reads its rules. It reads them again without a restart.
set -eu
target=/data/coolify/proxy/dynamic/further-domains.yml
install -o 9999 -g 0 -m 600 proxy/dynamic/further-domains.yml "$target.part"
mv -f "$target.part" "$target"
