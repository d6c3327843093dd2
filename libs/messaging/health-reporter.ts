import type { OnOutage, TransportHealth, Outage } from './types';

/** Health of a transport on PostgreSQL. When the database is unavailable, nothing else in the process works either. */
export const WITH_THE_DATABASE: TransportHealth = { reached: true, trouble: null };

/** Tracks a transport's health, and reports each change once. A transport with several parts names them. */
export function createHealthReporter(onOutage: OnOutage): {
  readonly health: () => TransportHealth;
  readonly fine: (part?: string) => void;
  readonly troubled: (trouble: Outage, part?: string) => void;
} {
  const troubles = new Map<string, Outage>();
  let reached = false;
  let reported: Outage | null = null;

  const first = (): Outage | null => troubles.values().next().value ?? null;

  function report(): void {
    const trouble = first();
    if (reported?.with === trouble?.with && reported?.detail === trouble?.detail) return;
    reported = trouble;
    onOutage(trouble);
  }

  return {
    health: () => ({ reached, trouble: first() }),
    fine(part = '') {
      reached = true;
      troubles.delete(part);
      report();
    },
    troubled(trouble, part = '') {
      troubles.set(part, trouble);
      report();
    },
  };
}
