export * from './cloudflare-records';
export * from './digitalocean-records';
export * from './domain-connect';
export * from './hetzner-records';
export * from './public-route';
export * from './record-api';
export { type FoundZone, zoneLookup, type ZoneLookup } from './zone-lookup';
