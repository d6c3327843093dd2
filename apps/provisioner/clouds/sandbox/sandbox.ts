import type { CloudName } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Dialer } from '../../ssh/types';
import { type Clouds, cloudsOf } from '../cloud';
import { SandboxAuthority } from './authority';
import { type FaultMode, plantFault, type SandboxCall } from './faults';
import { Hosts } from './host-state';
import { SandboxNames } from './names';
import { SandboxNetwork } from './network';
import { SandboxOptions } from './sandbox-options';
import { SandboxCloud } from './sandbox.cloud';

/**
 * The sandbox (decisions 33): one simulated cloud behind all names, whose servers are real SSH servers on loopback with
 * a simulated docker, a DNS and an authority of their own. Everything it knows is in the database, so several processes share
 * it and a killed one loses nothing.
 */
@Injectable()
export class Sandbox implements Dialer, OnApplicationShutdown {
  readonly clouds: Clouds;
  readonly names: SandboxNames;
  readonly authority: SandboxAuthority;
  private readonly network: SandboxNetwork;

  constructor(
    private readonly db: Db,
    clock: Clock,
    { boot_ms, copies }: SandboxOptions,
  ) {
    this.clouds = cloudsOf((name) => new SandboxCloud(name, { db, clock, boot_ms }));
    this.names = new SandboxNames(db, clock);
    this.authority = new SandboxAuthority(db, clock);
    this.network = new SandboxNetwork(new Hosts(db, clock), this.names, this.authority, copies);
  }

  /** Addresses of the sandbox lead to a listener of this process, all others to themselves. */
  dial(address: string, port: number): Promise<{ readonly host: string; readonly port: number }> {
    return this.network.dial(address, port);
  }

  /** The next `times` calls of this kind go wrong so; `any`: at every provider. */
  fault(provider: CloudName | 'any', call: SandboxCall, mode: FaultMode, times: number): Promise<void> {
    return plantFault(this.db, { provider, call, mode, times });
  }

  close(): Promise<void> {
    return this.network.close();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
