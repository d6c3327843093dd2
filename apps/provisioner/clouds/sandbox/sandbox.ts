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
import { OwnServers } from './own-servers';
import { SandboxOptions } from './sandbox-options';
import { SandboxCloud } from './sandbox.cloud';

/**
 * The sandbox (decisions 33), one simulated cloud behind all provider names. Its servers are real SSH servers on
 * loopback with a simulated docker, and it has its own DNS and certificate authority. All state is in the database, so
 * several processes share it and a killed process loses nothing.
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
    const ownServers = new OwnServers(db, clock);
    this.network = new SandboxNetwork(new Hosts(db, clock), this.names, this.authority, ownServers, copies);
  }

  /** Maps addresses of the sandbox to a listener of this process, and returns all others unchanged. */
  dial(address: string, port: number): Promise<{ readonly host: string; readonly port: number }> {
    return this.network.dial(address, port);
  }

  /** Injects a fault into the next `times` calls of this kind. `any` means every provider. */
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
