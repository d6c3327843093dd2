import { findInstallation } from '@moorage/database';
import { CloudflareRecords, DigitalOceanRecords } from '@moorage/dns';
import { platformOf, ServiceBase } from '@moorage/runtime';
import { Clock, Db, Random } from '@moorage/server';
import { Module } from '@nestjs/common';
import { MemoryPlatformDns } from './memory-platform-dns';
import { markOf, PlatformDns } from './platform-dns';
import { PlatformRecordsService } from './platform-records.service';
import { ApiPlatformDns } from './api-platform-dns';
import { Rfc2136PlatformDns } from './rfc2136-dns';
import { SweepPlatformRecords } from './sweep-platform-records.use-case';

const DNS_PORT = 53;

/** Opens the adapter that PLATFORM_DNS names. */
function openPlatformDns({ settings }: ServiceBase, db: Db, random: Random, clock: Clock): PlatformDns {
  const setup = platformOf(settings);
  const mark = async (): Promise<string> => {
    const installation = await db.tx('platform-dns.mark', (tx) => findInstallation(tx));
    if (installation === null) throw new Error('the database is not initialised');
    return markOf(installation.key);
  };
  const { zone = '', dns = 'simulated' } = setup ?? {};
  const account = { zone, token: settings.PLATFORM_DNS_TOKEN ?? '', baseUrl: settings.PLATFORM_DNS_BASE_URL };
  switch (dns) {
    case 'simulated':
      return new MemoryPlatformDns();
    case 'cloudflare':
      return new ApiPlatformDns(new CloudflareRecords(account, { clock }), mark);
    case 'digitalocean':
      return new ApiPlatformDns(new DigitalOceanRecords(account, { clock }), mark);
    case 'rfc2136': {
      const [, host = '', port] = /^\[?(.+?)\]?(?::(\d+))?$/.exec(settings.PLATFORM_DNS_SERVER ?? '') ?? [];
      const [name = '', secret = ''] = (settings.PLATFORM_DNS_KEY ?? '').split(':');
      const key = { name, secret: Buffer.from(secret, 'base64') };
      return new Rfc2136PlatformDns({ zone, host, port: Number(port ?? DNS_PORT), key }, mark, { random, clock });
    }
  }
}

/** DNS records of the names below the platform domain. */
@Module({
  providers: [
    { provide: PlatformDns, inject: [ServiceBase, Db, Random, Clock], useFactory: openPlatformDns },
    PlatformRecordsService,
    SweepPlatformRecords,
  ],
  exports: [PlatformDns, PlatformRecordsService, SweepPlatformRecords],
})
export class PlatformDnsModule {}
