import { type ConnectTransport, PublicRoute, publicConnectTransport, zoneLookup, type ZoneLookup } from '@moorage/dns';
import type { ApiSettings } from '../settings';

/** Requests about zones of customers, which tests replace. */
export abstract class ZoneRequests {
  abstract readonly lookUp: ZoneLookup;
  abstract readonly connect: ConnectTransport;
}

export const zoneRequests = ({ dns: { resolvers, requests } }: ApiSettings): ZoneRequests =>
  requests ?? {
    lookUp: zoneLookup(resolvers),
    connect: publicConnectTransport(resolvers, new PublicRoute([])),
  };
