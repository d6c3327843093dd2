import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { accessLink, guardAddress } from '@moorage/domain';
import type { DeploymentRow } from '@moorage/database';
import { Clock, withOwnSignal } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ProvisionerOptions } from '../provisioner-options';
import { Dialer } from '../ssh/types';

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const ANSWER_MS = 10_000;
const SERVER_ERROR = 500;

export type Monitored = Pick<
  DeploymentRow,
  'domain' | 'admin_subdomain' | 'instance_ip' | 'vps_ip_address' | 'server_type'
>;

/**
 * Requests the first page of a deployment as a browser would, but directly at its server's address instead of resolving
 * the name.
 */
@Injectable()
export class ResponseCheck {
  constructor(
    private readonly dialer: Dialer,
    private readonly clock: Clock,
    private readonly options: ProvisionerOptions,
  ) {}

  /**
   * Returns the milliseconds until a response below 500, including a login or a redirect, which is not followed. Returns
   * null if there is none within ten seconds. Does not read the body. Never throws for the server's behaviour.
   */
  async responseMs(deployment: Monitored, signal: AbortSignal): Promise<number | null> {
    const link = accessLink(deployment);
    const address = deployment.instance_ip ?? deployment.vps_ip_address;
    if (link === null || address === null) return null;
    // The address of a new server comes from the provider, but that of an own server comes from its owner and may be
    // any address.
    if (deployment.server_type === 'vps' && !guardAddress(address, this.options.vpsAllowedCidrs).ok) return null;
    const { protocol, hostname, host } = new URL(link);
    const isTls = protocol === 'https:';
    const began = this.clock.localNow();
    try {
      const status = await withOwnSignal(signal, async (over) => {
        void this.clock.sleep(ANSWER_MS, over.signal).then(() => over.abort());
        const there = await this.dialer.dial(address, isTls ? HTTPS_PORT : HTTP_PORT);
        const options = {
          ...there,
          agent: false as const,
          path: '/',
          headers: { host, 'user-agent': 'moorage-probe', connection: 'close' },
          signal: over.signal,
        };
        // Certificates are checked separately, and no secrets are sent.
        return statusOf(
          isTls ? requestHttps({ ...options, servername: hostname, rejectUnauthorized: false }) : requestHttp(options),
        );
      });
      return status < SERVER_ERROR ? Math.max(0, Math.round(this.clock.localNow() - began)) : null;
    } catch {
      return null;
    }
  }
}

function statusOf(requested: ClientRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    requested.once('response', (response) => {
      resolve(response.statusCode ?? SERVER_ERROR);
      response.on('error', () => undefined);
      requested.destroy();
    });
    requested.on('error', reject);
    requested.once('close', () => reject(new Error('closed')));
    requested.end();
  });
}
