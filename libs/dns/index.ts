export * from './cloudflare-records';
export * from './digitalocean-records';
export * from './hetzner-records';
export * from './record-api';
export * from './zone-lookup';
