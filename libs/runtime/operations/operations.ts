import { isSchemaReady } from '@moorage/database';
import type { Db } from '@moorage/server';
import { Metrics } from '../metrics';
import type { TransportState } from '../transports';

/** A service that runs in this process. The all-in-one has three. */
interface Part {
  readonly db: Db;
  readonly transports: TransportState;
}

/** Data of a process for its operators, with its metrics and the state of its start-up. */
export class Operations {
  readonly metrics = new Metrics();
  private readonly parts: Part[] = [];
  private reading: Promise<boolean> | undefined;
  /** Reason why the process does not serve, or null while it does. */
  private reason: string | null = 'starting';

  constructor() {
    this.metrics.onScrape(() => {
      this.metrics.ready.set(this.reason === null ? 1 : 0);
      for (const carries of ['events', 'work'] as const) {
        const all = this.transports(carries);
        const up = all.every(({ reached, trouble }) => reached && trouble === null);
        for (const { transport } of all) this.metrics.transportUp.set({ carries, transport }, up ? 1 : 0);
      }
    });
  }

  waiting(reason: string): void {
    this.reason = reason;
  }

  opened(part: Part): void {
    this.parts.push(part);
    this.reason = 'starting';
  }

  started(): void {
    this.reason = null;
  }

  stopping(): void {
    this.reason = 'stopping';
  }

  get notServing(): string | null {
    return this.reason;
  }

  get isConnected(): boolean {
    return this.parts.length > 0;
  }

  /**
   * Returns whether the database has the schema of this version. Only a single query runs at a time, so a hanging query
   * does not accumulate others.
   */
  isSchemaReady(): Promise<boolean> {
    this.reading ??= this.readSchema().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /** Returns the transports of every service in this process. */
  transports(carries: 'events' | 'work'): ReturnType<TransportState['each']> {
    return this.parts.flatMap(({ transports }) => transports.each()).filter((one) => one.carries === carries);
  }

  private async readSchema(): Promise<boolean> {
    const ready = await Promise.all(this.parts.map(({ db }) => db.read('operations.ready', isSchemaReady)));
    return ready.every(Boolean);
  }
}
