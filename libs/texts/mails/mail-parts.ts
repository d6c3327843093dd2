import { addFundsPath, BACKUP_MESSAGES, type Day, type Language, Money, startOfDay, topUpPath } from '@moorage/domain';
import { type DateTexts, shownDay, shownDuration, shownInstant } from '../shown-time';
import type { BalanceEnd, Choice, MailReason, TopUpOffer, Written } from './mail-facts';

/** Parts shared by emails of every language. */
const FACT_LENGTH_MAX = 300;

/**
 * Formats each fact as `count: 7` on a single line. Long values are truncated. The health call returns them in full.
 */
export function factLines(facts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(facts).map(([fact, value]) => {
    const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
    return `${fact.replace(/\s+/g, ' ')}: ${text.length > FACT_LENGTH_MAX ? `${text.slice(0, FACT_LENGTH_MAX)}...` : text}`;
  });
}

/** Returns the lines of a text written by a user. */
export const written = (text: string): Written[] => text.split('\n').map((line) => ({ written: line }));

export function usd(micros: string, kind: 'balance' | 'price' | 'needed'): string {
  return `$${Money.fromMicrosText(micros).toDisplay(kind)}`;
}

interface Offer {
  readonly amount_micros: string;
  readonly currency: string;
}

/** Formats a credit as offered, in its display currency, for example `€4.99`. */
export function offered({ amount_micros, currency }: Offer, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(
    Money.fromMicrosText(amount_micros).toWire(),
  );
}

/** Formats an instant as `2026-12-05 00:00 UTC`. */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** Formats an instant of the near future for a reader at `at`, such as `Wed 2 Dec, 00:00 UTC`. */
export const shownAt = (iso: string, dates: DateTexts, at: string = iso): string =>
  shownInstant(Date.parse(iso), { dates, now: Date.parse(at) });

/** Formats a day as `Wed 2 Dec`. */
export const shownDayAt = (iso: string, dates: DateTexts, at: string = iso): string =>
  shownDay(Date.parse(iso), { dates, now: Date.parse(at) });

/** Formats the time until an end, such as `3 days 22 hours`, as it is at `at`. */
export const timeLeft = ({ at, ends_at }: Pick<BalanceEnd, 'at' | 'ends_at'>, dates: DateTexts): string =>
  shownDuration(Date.parse(ends_at) - Date.parse(at), { dates });

/**
 * Returns the links to the top-up form with these amounts in it, or without an amount if no single top-up is enough.
 */
export function topUpChoices(
  offers: readonly TopUpOffer[],
  { publicUrl, labelOf, otherwise }: { publicUrl: string; labelOf: (offer: TopUpOffer) => string; otherwise: string },
): Choice[] {
  if (offers.length === 0) return [{ label: otherwise, url: `${publicUrl}${addFundsPath()}` }];
  return offers.map((offer) => ({
    label: labelOf(offer),
    url: `${publicUrl}${topUpPath(Money.fromMicrosText(offer.amount_micros))}`,
  }));
}

/** Formats a day as `3 March 2027`. */
export function dayWithYear(day: Day, { tag }: DateTexts): string {
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(startOfDay(day));
}

interface Place {
  readonly conversation_id: number;
  readonly token: string | null;
}

/** Returns the address of a conversation. The token is in the fragment, which browsers do not send to servers. */
export function conversation(publicUrl: string, { conversation_id, token }: Place): string {
  return token === null ? `${publicUrl}/support?conversation=${conversation_id}` : `${publicUrl}/conversation#${token}`;
}

export function inbox(publicUrl: string, conversation_id: number | undefined): string {
  return `${publicUrl}/support-inbox${conversation_id === undefined ? '' : `/${conversation_id}`}`;
}

export function details(publicUrl: string, deploymentId: number): string {
  return `${publicUrl}/dashboard?deployment=${deploymentId}`;
}

export const dashboard = (publicUrl: string): string => `${publicUrl}/dashboard`;

export function backups(publicUrl: string, deploymentId: number): string {
  return `${publicUrl}/deployments/${deploymentId}/backups`;
}

const GIGABYTE = 1_000_000_000;

/** Formats bytes as `21.4 GB`. */
export function gigabytes(bytes: number, language: Language): string {
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / GIGABYTE)} GB`;
}

/** Returns true for a reason that the owner of the server can resolve. */
export const isDiskFull = (reason: MailReason): boolean =>
  reason !== null && typeof reason !== 'string' && reason.code === DISK_FULL.code;
const DISK_FULL = BACKUP_MESSAGES.disk_full({ free: 0, needed: 0 });

/** Returns a sentence as a part of a subject, without its full stop. */
export const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

/** Ends a text with a full stop, because manifests describe changes with and without it. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
