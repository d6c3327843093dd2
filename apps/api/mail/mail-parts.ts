import { type Language, Money } from '@moorage/domain';
import type { Written } from './mail-texts';

/** What mails of every language write alike. */
const FACT_LENGTH_MAX = 300;

/** `count: 7`, on one line whatever is in it; what is longer than a line or two is in the health call. */
export function factLines(facts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(facts).map(([fact, value]) => {
    const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
    return `${fact.replace(/\s+/g, ' ')}: ${text.length > FACT_LENGTH_MAX ? `${text.slice(0, FACT_LENGTH_MAX)}...` : text}`;
  });
}

/** The lines of a text that a person wrote. */
export const written = (text: string): Written[] => text.split('\n').map((line) => ({ written: line }));

export function usd(micros: string, kind: 'balance' | 'price' | 'needed'): string {
  return `$${Money.fromMicrosText(micros).toDisplay(kind)}`;
}

interface Offer {
  readonly amount_micros: string;
  readonly currency: string;
}

/** `€4.99`: a credit in its display currency, as it was offered. */
export function offered({ amount_micros, currency }: Offer, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(
    Money.fromMicrosText(amount_micros).toWire(),
  );
}

/** `2026-12-05 00:00 UTC` */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

interface Place {
  readonly conversation_id: number;
  readonly token: string | null;
}

/** The token stands where no server sees it. */
export function conversation(publicUrl: string, { conversation_id, token }: Place): string {
  return token === null ? `${publicUrl}/support?conversation=${conversation_id}` : `${publicUrl}/conversation#${token}`;
}

export function inbox(publicUrl: string, conversation_id: number | undefined): string {
  return `${publicUrl}/support-inbox${conversation_id === undefined ? '' : `?conversation=${conversation_id}`}`;
}

export function details(publicUrl: string, deploymentId: number): string {
  return `${publicUrl}/dashboard?deployment=${deploymentId}`;
}
