import { Money } from '@moorage/domain';

/** What mails of every language write alike. */
const FACT_LENGTH_MAX = 300;

/** `count: 7`; what is longer than a line or two is in the health call. */
export function factLines(facts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(facts).map(([fact, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${fact}: ${text.length > FACT_LENGTH_MAX ? `${text.slice(0, FACT_LENGTH_MAX)}...` : text}`;
  });
}

export function usd(micros: string, kind: 'balance' | 'price' | 'needed'): string {
  return `$${Money.fromMicrosText(micros).toDisplay(kind)}`;
}

/** `2026-12-05 00:00 UTC` */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

export function details(publicUrl: string, deploymentId: number): string {
  return `${publicUrl}/dashboard?deployment=${deploymentId}`;
}
