#!/bin/sh
# Stand-in for `php artisan tinker` with the two commands that the package uses.
set -eu
case "$*" in
  *StartProxy*) exec start-proxy ;;
  *setupDynamicProxyConfiguration*)
    host=${FQDN#https://}
    exec on-host 'cat > /data/coolify/proxy/dynamic/coolify.yaml' << YAML
http:
  middlewares: { redirect-to-https: { redirectscheme: { scheme: https } } }
  routers:
    coolify-http: { rule: 'Host(\`$host\`)', entryPoints: [http], middlewares: [redirect-to-https], service: coolify }
    coolify-https: { rule: 'Host(\`$host\`)', entryPoints: [https], service: coolify, tls: { certresolver: letsencrypt } }
  services: { coolify: { loadBalancer: { servers: [{ url: 'http://coolify:8080' }] } } }
YAML
    ;;
  *) echo "php stand-in: $*" >&2; exit 64 ;;
esac
