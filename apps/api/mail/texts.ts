import { alertTitle, type Language, Money, type Texts } from '@moorage/domain';

/** The texts of all mails: plain text, one function per mail. */
export interface Brand {
  readonly name: string;
  readonly supportEmail: string;
  readonly publicUrl: string;
}

export interface MailText {
  readonly subject: string;
  /** Paragraphs; a link stands on a line of its own. */
  readonly text: readonly string[];
}

/** A message to support; `user_id`: the user who was logged in. */
export interface SupportFacts {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
  readonly user_id: number | null;
}

/** Where its owner signs in: no secret, and no name of one. */
export interface SignInFacts {
  readonly title: Texts;
  readonly address: string;
  readonly user: string | null;
}

/** The facts of each mail. Text and ISO instants only: they are stored as sealed JSON. */
export interface MailFacts {
  verify_email: { username: string; token: string };
  reset_password: { username: string; token: string };
  password_changed: { username: string };
  welcome: { username: string };
  payment_received: { amount_micros: string };
  payment_refunded: { amount_micros: string; owed_micros: string };
  payment_disputed: { amount_micros: string; owed_micros: string; won: boolean };
  deployment_running: {
    deployment_id: number;
    client_name: string;
    package: string;
    /** Absent in mails of an older version that are still to be sent. */
    sign_in?: readonly SignInFacts[];
  };
  deployment_dns_failed: { deployment_id: number; client_name: string; reason: string | null };
  deployment_failed: { deployment_id: number; client_name: string; reason: string | null };
  balance_low: { days: number; ends_at: string; client_name: string; locked_micros: string };
  support_message: SupportFacts;
  package_request: SupportFacts;
  grace_period_started: {
    client_name: string;
    amount_micros: string;
    available_micros: string;
    ends_at: string;
    locked_micros: string;
  };
  balance_depleted: { client_name: string; amount_micros: string; locked_micros: string };
  operator_alert: {
    kind: string;
    alerts: readonly { subject: string; since: string; facts: Readonly<Record<string, unknown>> }[];
    /** How many more there are. */
    more: number;
  };
  books_sealed: { day: string; accounts: number; through_id: string; hash: string; sealed_at: string };
}
export type MailName = keyof MailFacts;

type Writer<N extends MailName> = (facts: MailFacts[N], brand: Brand) => MailText;

export const MAILS: { readonly [N in MailName]: Writer<N> } = {
  verify_email: ({ username, token }, { name, publicUrl }) => ({
    subject: `Verify your email address for ${name}`,
    text: [
      `Hello ${username},`,
      'open this link to verify your email address. It works once, for 24 hours:',
      `${publicUrl}/verify-email?token=${token}`,
      'If you did not sign up, ignore this mail.',
    ],
  }),
  reset_password: ({ username, token }, { name, publicUrl }) => ({
    subject: `Choose a new password for ${name}`,
    text: [
      `Hello ${username},`,
      'open this link to choose a new password. It works once, for one hour:',
      `${publicUrl}/reset-password?token=${token}`,
      'If you did not ask for it, ignore this mail: your password stays as it is.',
    ],
  }),
  password_changed: ({ username }, { name, supportEmail }) => ({
    subject: `Your ${name} password was changed`,
    text: [
      `Hello ${username},`,
      'your password was changed. Every session was ended and every personal API token was revoked: log in again, and make new tokens for your scripts.',
      `If it was not you, write to ${supportEmail} at once.`,
      // an account has no language yet, and this is not to be missed
      `Guten Tag ${username},`,
      'Ihr Passwort wurde geändert. Alle Sitzungen wurden beendet und alle persönlichen API-Token widerrufen: Melden Sie sich neu an und erstellen Sie neue Token für Ihre Skripte.',
      `Waren Sie das nicht, schreiben Sie sofort an ${supportEmail}.`,
    ],
  }),
  welcome: ({ username }, { name, publicUrl }) => ({
    subject: `Welcome to ${name}`,
    text: [
      `Hello ${username},`,
      'your email address is verified. You can deploy now:',
      `${publicUrl}/create-deployment`,
      'Your balance and your credits are here:',
      `${publicUrl}/billing`,
    ],
  }),
  payment_received: ({ amount_micros }, { publicUrl }) => ({
    subject: `Payment received: ${usd(amount_micros, 'price')}`,
    text: [
      `We received your payment of ${usd(amount_micros, 'price')}. Thank you.`,
      'Your transactions:',
      `${publicUrl}/billing`,
    ],
  }),
  payment_refunded: ({ amount_micros, owed_micros }, { publicUrl }) => ({
    subject: `Payment refunded: ${usd(amount_micros, 'price')}`,
    text: [
      `${usd(amount_micros, 'price')} of a payment were refunded to you.`,
      ...owed(owed_micros),
      `${publicUrl}/billing`,
    ],
  }),
  payment_disputed: ({ amount_micros, owed_micros, won }, { publicUrl }) => ({
    subject: won
      ? `Dispute settled: ${usd(amount_micros, 'price')}`
      : `Payment disputed: ${usd(amount_micros, 'price')}`,
    text: [
      won
        ? `The dispute over your payment was settled: ${usd(amount_micros, 'price')} are back on your balance.`
        : `Your bank disputes a payment and took back ${usd(amount_micros, 'price')}.`,
      ...owed(owed_micros),
      `${publicUrl}/billing`,
    ],
  }),
  deployment_running: ({ deployment_id, client_name, package: name, sign_in = [] }, { publicUrl }) => {
    const isPasswordAsked = sign_in.some(({ user }) => user !== null);
    const link = `${details(publicUrl, deployment_id)}${sign_in.length === 0 ? '' : '#sign-in'}`;
    return {
      subject: `${client_name} is ready`,
      text: [
        `Your deployment ${client_name} (${name}) is running.`,
        ...sign_in.flatMap((row) => signInLines(row, 'en')),
        isPasswordAsked ? 'The password is in its details, and in no mail:' : 'Its details:',
        link,
        `Ihr Deployment ${client_name} (${name}) läuft.`,
        ...sign_in.flatMap((row) => signInLines(row, 'de')),
        isPasswordAsked ? 'Das Passwort steht in seinen Details und in keiner E-Mail:' : 'Seine Details:',
        link,
      ],
    };
  },
  deployment_dns_failed: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `${client_name} needs its DNS records`,
    text: [
      `Your deployment ${client_name} runs, but cannot be reached under its domain yet.`,
      ...because(reason),
      'Set the records and choose "Retry DNS Validation":',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} has failed`,
    text: [
      `Your deployment ${client_name} has failed. It costs nothing from now on.`,
      ...because(reason),
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  balance_low: ({ days, ends_at, client_name, locked_micros }, { publicUrl }) => ({
    subject: `Your balance lasts ${days === 1 ? 'one more day' : `${days} more days`}`,
    text: [
      `Your balance lasts until ${moment(ends_at)}. What stops first is ${client_name}: it would be destroyed then.`,
      ...locked(locked_micros),
      'Add funds to keep it:',
      `${publicUrl}/billing`,
    ],
  }),
  support_message: ({ subject, message, ...from }, { name }) => ({
    subject: `[${name} support] ${subject}`,
    text: [writtenBy(from), ...message.split('\n')],
  }),
  package_request: ({ subject, message, ...from }, { name }) => ({
    subject: `[${name} package request] ${subject}`,
    text: [writtenBy(from), `Package: ${subject}`, ...message.split('\n')],
  }),
  grace_period_started: ({ client_name, amount_micros, available_micros, ends_at, locked_micros }, { publicUrl }) => ({
    subject: `${client_name} will be destroyed unless you add funds`,
    text: [
      `${client_name} costs ${usd(amount_micros, 'needed')} today and ${usd(available_micros, 'balance')} are available.`,
      `If the charge is not covered by ${moment(ends_at)}, the deployment is destroyed, and that is final.`,
      ...locked(locked_micros),
      'Add funds to keep it:',
      `${publicUrl}/billing`,
    ],
  }),
  balance_depleted: ({ client_name, amount_micros, locked_micros }, { publicUrl }) => ({
    subject: `${client_name} is being destroyed: the balance did not cover it`,
    text: [
      `The charge of ${usd(amount_micros, 'needed')} for ${client_name} was not covered, so the deployment is being destroyed. It was not charged.`,
      ...locked(locked_micros),
      `${publicUrl}/billing`,
    ],
  }),
  operator_alert: ({ kind, alerts, more }, { name, publicUrl }) => ({
    subject: `[${name} operations] ${alertTitle(kind)}`,
    text: [
      alertTitle(kind),
      ...alerts.map(({ subject, since, facts }) =>
        [`${subject === '' ? kind : `${kind} ${subject}`}, since ${moment(since)}`, ...factLines(facts)].join('; '),
      ),
      ...(more === 0 ? [] : [`And ${more} more of this kind.`]),
      'How things are now: npm run ops -- health, or, as an administrator:',
      `${publicUrl}/api/health/details`,
      'What to do about each kind is in docs/operating.md. This mail is repeated once a day while the alert is open.',
    ],
  }),
  books_sealed: ({ day, accounts, through_id, hash, sealed_at }, { name }) => ({
    subject: `[${name} operations] Seal of the books for ${day}`,
    text: [
      `Seal: ${hash}`,
      `Up to transaction ${through_id}, ${accounts} accounts, sealed ${moment(sealed_at)}.`,
      'Keep this mail: a seal that differs from the table ledger_seals shows that the books were changed afterwards.',
    ],
  }),
};

const FACT_LENGTH_MAX = 300;

/** `count: 7`; what is longer than a line or two is in the health call. */
function factLines(facts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(facts).map(([fact, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${fact}: ${text.length > FACT_LENGTH_MAX ? `${text.slice(0, FACT_LENGTH_MAX)}...` : text}`;
  });
}

function writtenBy({ name, email, user_id }: Pick<SupportFacts, 'name' | 'email' | 'user_id'>): string {
  return `${name} <${email}>${user_id === null ? '' : `, account ${user_id}`} wrote:`;
}

function usd(micros: string, kind: 'balance' | 'price' | 'needed'): string {
  return `$${Money.fromMicrosText(micros).toDisplay(kind)}`;
}

/** `2026-12-05 00:00 UTC` */
function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

function details(publicUrl: string, deploymentId: number): string {
  return `${publicUrl}/dashboard?deployment=${deploymentId}`;
}

const USER_NAME: Texts = { en: 'User name', de: 'Benutzername' };

function signInLines({ title, address, user }: SignInFacts, language: Language): string[] {
  return [`${title[language]}:`, address, ...(user === null ? [] : [`${USER_NAME[language]}: ${user}`])];
}

function because(reason: string | null): string[] {
  return reason === null ? [] : [`Reason: ${reason}`];
}

function owed(micros: string): string[] {
  return Money.fromMicrosText(micros).isZero
    ? []
    : [
        `Your balance did not hold that much: ${usd(micros, 'needed')} are owed and are paid first by your next top-up.`,
      ];
}

function locked(micros: string): string[] {
  return Money.fromMicrosText(micros).isPositive
    ? [
        `Referral credits of ${usd(micros, 'balance')} do not help: they unlock only while the regular balance is at least 5.00.`,
      ]
    : [];
}
