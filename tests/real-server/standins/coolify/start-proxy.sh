#!/bin/sh
# A shortened version of the Compose file that Coolify writes for its proxy. It also publishes 8080, and passes its settings as arguments.
exec on-host 'cat > /data/coolify/proxy/docker-compose.yml && cd /data/coolify/proxy && docker compose up -d' << 'YAML'
name: coolify-proxy
networks: { coolify: { external: true } }
services:
  traefik:
    container_name: coolify-proxy
    image: traefik:v3.6
    restart: unless-stopped
    networks: [coolify]
    ports: ['80:80', '443:443', '443:443/udp', '8080:8080']
    healthcheck: { test: 'wget -qO- http://localhost:80/ping || exit 1', interval: 4s, timeout: 2s, retries: 5 }
    volumes: ['/var/run/docker.sock:/var/run/docker.sock:ro', '/data/coolify/proxy/:/traefik']
    command: ['--ping=true', '--ping.entrypoint=http', '--entrypoints.http.address=:80', '--api.insecure=true']
    labels: [coolify.managed=true, coolify.proxy=true]
YAML
