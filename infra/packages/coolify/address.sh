# Tells Coolify its address: it then writes the proxy's rules itself, and only then a certificate is asked for. Coolify starts
# the proxy over SSH soon after its first start; where it did not, it is asked to.
set -eu
again=${1:-no}
data=/data/coolify
fqdn=$(sed -n 's/.*"fqdn": *"\([^"]*\)".*/\1/p' .moorage/address.json)
[ -n "$fqdn" ]

tinker() { docker exec -e FQDN="$fqdn" coolify php artisan tinker --execute="$1"; }
# shellcheck disable=SC2016
tinker '$s = App\Models\InstanceSettings::find(0); $s->fqdn = getenv("FQDN"); $s->save(); App\Models\Server::find(0)->setupDynamicProxyConfiguration();'
grep -qF "${fqdn#https://}" "$data/proxy/dynamic/coolify.yaml"

health() { docker inspect -f '{{.State.Health.Status}}' coolify-proxy 2> /dev/null || true; }
wait_for_proxy() { # wait_for_proxy SECONDS
  left=$1
  while [ "$left" -gt 0 ] && [ "$(health)" != healthy ]; do
    left=$((left - 2))
    sleep 2
  done
  [ "$(health)" = healthy ]
}

# A store that others can read is refused by the proxy; one that was cut off is put aside. A whole one is never thrown away.
store=$data/proxy/acme.json
if [ -s "$store" ]; then
  chmod 600 "$store"
  case "$(head -c 1 "$store")$(tr -d '[:space:]' < "$store" | tail -c 1)" in
    '{}') ;;
    *) mv -f "$store" "$store.broken" ;;
  esac
fi
if [ "$again" = yes ] && [ -s "$data/proxy/docker-compose.yml" ]; then
  (cd "$data/proxy" && docker compose up -d --force-recreate)
fi
wait_for_proxy 40 && exit 0
# shellcheck disable=SC2016
tinker 'App\Actions\Proxy\StartProxy::run(App\Models\Server::find(0), async: false, force: true);'
wait_for_proxy 30
