import type { OnTrouble, TransportHealth, Trouble } from './types';

/** Health of a transport on PostgreSQL. When the database is unavailable, nothing else in the process works either. */
export const WITH_THE_DATABASE: TransportHealth = { reached: true, trouble: null };

/** Tracks a transport's health, and reports each change once. A transport with several parts names them. */
export function createTroubleTeller(onTrouble: OnTrouble): {
  readonly health: () => TransportHealth;
  readonly fine: (part?: string) => void;
  readonly troubled: (trouble: Trouble, part?: string) => void;
} {
  const troubles = new Map<string, Trouble>();
  let reached = false;
  let told: Trouble | null = null;

  const first = (): Trouble | null => troubles.values().next().value ?? null;

  function tell(): void {
    const trouble = first();
    if (told?.with === trouble?.with && told?.detail === trouble?.detail) return;
    told = trouble;
    onTrouble(trouble);
  }

  return {
    health: () => ({ reached, trouble: first() }),
    fine(part = '') {
      reached = true;
      troubles.delete(part);
      tell();
    },
    troubled(trouble, part = '') {
      troubles.set(part, trouble);
      tell();
    },
  };
}
