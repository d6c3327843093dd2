import type { ServerFailure } from '@moorage/provisioner/clouds/cloud';
import type { SuiteCall, SuiteFault } from '../../suites/cloud.suite';

/** A server as stored by a provider. */
export interface FakeServer {
  readonly id: string;
  readonly name: string;
  readonly region: string;
  type: string;
  /** cloud-init as plain text. */
  readonly userData: string;
  /** Labels, or flat tags as keys with an empty value. */
  readonly labels: Readonly<Record<string, string>>;
  address: string;
  /** Milliseconds since 1970, like all instants here. */
  readonly createdAt: number;
}

export interface FleetOptions {
  readonly now: () => number;
  readonly bootMs: number;
  /** Third number of the servers' addresses. Fakes in the same test have different numbers. */
  readonly net?: number;
  /** Returns a server id in the provider's format. */
  readonly idOf?: (count: number) => string;
  /** Called before the provider responds, when the machine of a server appears or disappears. */
  readonly created?: (server: FakeServer) => Promise<void>;
  readonly gone?: (server: FakeServer) => Promise<void>;
  /** Called when a restart gave a server another address. `from` is the previous one. */
  readonly readdressed?: (server: FakeServer, from: string) => void;
}

export type Condition =
  | { readonly state: 'booting' | 'running' | 'stopped' }
  | { readonly state: 'failed'; readonly kind: ServerFailure['kind'] };

interface Stored {
  readonly server: FakeServer;
  readonly fault: SuiteFault | null;
  gone: boolean;
  /** Whether it was started or stopped last, and when. Null until then. */
  power: { readonly isOn: boolean; readonly since: number } | null;
}

const LISTED_LATE_MS = 30_000;
/** Number of the first address that a server gets at a restart. */
const MOVED_FROM = 10_000;
const FAILS = /^fails_(capacity|quota|refused|other)$/;

/** Servers and injected faults of one fake provider, shared by all fakes. */
export class Fleet {
  private readonly stored: Stored[] = [];
  private moved = 0;
  private readonly planted: { readonly call: SuiteCall; readonly fault: SuiteFault; times: number }[] = [];

  constructor(private readonly options: FleetOptions) {}

  /** Injects a fault into the next `times` calls. */
  plant(call: SuiteCall, fault: SuiteFault, times: number): void {
    this.planted.push({ call, fault, times });
  }

  /** Returns the fault of this call and reduces its count. */
  take(call: SuiteCall): SuiteFault | null {
    const planted = this.planted.find((one) => one.call === call && one.times > 0);
    if (planted === undefined) return null;
    planted.times -= 1;
    return planted.fault;
  }

  async make(order: Omit<FakeServer, 'id' | 'address' | 'createdAt'>, fault: SuiteFault | null): Promise<FakeServer> {
    const count = this.stored.length + 1;
    const { idOf = String, now } = this.options;
    const server: FakeServer = {
      ...order,
      id: idOf(count),
      address: this.addressAt(count),
      createdAt: now(),
    };
    this.stored.push({ server, fault, gone: false, power: null });
    await this.options.created?.(server);
    return server;
  }

  async remove(id: string, fault: SuiteFault | null): Promise<void> {
    const found = this.stored.find((one) => one.server.id === id && !one.gone);
    if (found === undefined || fault === 'not_removed') return;
    found.gone = true;
    await this.options.gone?.(found.server);
  }

  stop(server: FakeServer): void {
    this.switch(server, false);
  }

  /** Starts a server, which boots again. At some providers it gets another address. */
  start(server: FakeServer, { readdress = false }: { readonly readdress?: boolean } = {}): void {
    this.switch(server, true);
    if (!readdress) return;
    const from = server.address;
    server.address = this.addressAt(MOVED_FROM + ++this.moved);
    this.options.readdressed?.(server, from);
  }

  private switch(server: FakeServer, isOn: boolean): void {
    const found = this.stored.find((one) => one.server === server);
    if (found !== undefined) found.power = { isOn, since: this.options.now() };
  }

  private addressAt(count: number): string {
    return `198.19.${(this.options.net ?? 0) + Math.floor(count / 250)}.${1 + (count % 250)}`;
  }

  /** Returns how many servers of this name were ever created. */
  createdFor(name: string): number {
    return this.stored.filter(({ server }) => server.name === name).length;
  }

  /** Returns all live servers, oldest first. */
  living(): FakeServer[] {
    this.vanish();
    return this.stored.filter(({ gone }) => !gone).map(({ server }) => server);
  }

  /** Returns a server by id, subject to the fault of this call. */
  get(id: string, fault: SuiteFault | null): FakeServer | null {
    if (fault === 'empty') return null;
    return this.living().find((server) => server.id === id) ?? null;
  }

  /** Returns the servers in a list, subject to the fault of this call. */
  listed(wanted: (server: FakeServer) => boolean, fault: SuiteFault | null): FakeServer[] {
    if (fault === 'empty') return [];
    const shown = this.living().filter(
      (server) => wanted(server) && !this.isLate(server, 'listed_late', LISTED_LATE_MS),
    );
    return shown.filter((_, index) => fault !== 'partial' || index % 2 === 0);
  }

  conditionOf(server: FakeServer): Condition {
    const { now, bootMs } = this.options;
    const power = this.stored.find((one) => one.server === server)?.power ?? null;
    if (power?.isOn === false) return { state: 'stopped' };
    if (now() < (power?.since ?? server.createdAt) + bootMs) return { state: 'booting' };
    if (power !== null) return { state: 'running' };
    const fault = this.faultOf(server);
    const kind = FAILS.exec(fault ?? '')?.[1];
    if (kind !== undefined) return { state: 'failed', kind: kind as ServerFailure['kind'] };
    return { state: fault === 'stops' ? 'stopped' : 'running' };
  }

  /** Returns the address, or null if it is not known yet. */
  addressOf(server: FakeServer): string | null {
    return this.isLate(server, 'late_address', 2 * this.options.bootMs) ? null : server.address;
  }

  private faultOf(server: FakeServer): SuiteFault | null {
    return this.stored.find((one) => one.server === server)?.fault ?? null;
  }

  private isLate(server: FakeServer, fault: SuiteFault, ms: number): boolean {
    return this.faultOf(server) === fault && this.options.now() < server.createdAt + ms;
  }

  private vanish(): void {
    const { now, bootMs } = this.options;
    for (const one of this.stored) {
      if (one.fault === 'vanishes' && now() >= one.server.createdAt + bootMs) one.gone = true;
    }
  }
}
