import type { OnOutage, TransportHealth, Outage } from './types';

/** Health of a transport on PostgreSQL. When the database is unavailable, nothing else in the process works either. */
export const WITH_THE_DATABASE: TransportHealth = { reached: true, trouble: null };

/** Tracks a transport's health, and reports each change once. A transport with several parts names them. */
export class HealthReporter {
  private readonly troubles = new Map<string, Outage>();
  private reached = false;
  private reported: Outage | null = null;

  constructor(private readonly onOutage: OnOutage) {}

  health(): TransportHealth {
    return { reached: this.reached, trouble: this.firstTrouble };
  }

  fine(part = ''): void {
    this.reached = true;
    this.troubles.delete(part);
    this.report();
  }

  troubled(trouble: Outage, part = ''): void {
    this.troubles.set(part, trouble);
    this.report();
  }

  private get firstTrouble(): Outage | null {
    return this.troubles.values().next().value ?? null;
  }

  private report(): void {
    const { firstTrouble: trouble, reported } = this;
    if (reported?.with === trouble?.with && reported?.detail === trouble?.detail) return;
    this.reported = trouble;
    this.onOutage(trouble);
  }
}
