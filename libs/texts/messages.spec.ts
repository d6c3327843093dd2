import { describe, expect, it } from '@jest/globals';
import * as domain from '@moorage/domain';
import { type Facts, LANGUAGES, type Message } from '@moorage/domain';
import { renderMessage, SERVER_TEXTS } from './server';

/** Facts that render as their placeholders, so that the detail equals the template. */
const PLACEHOLDERS = new Proxy({}, { get: (_, name) => `%{${String(name)}}` }) as Facts;

/** The English messages of all tables by code. */
const ENGLISH = new Map(
  Object.entries(domain)
    .filter(([name]) => /_MESSAGES$|^ALERT_ADVICE$|^MAIL_TITLES$/.test(name))
    .flatMap(([, table]) => Object.values(table as object) as unknown[])
    .filter((made) => typeof made !== 'string')
    .map((made) => (typeof made === 'function' ? (made as (facts: Facts) => Message)(PLACEHOLDERS) : (made as Message)))
    .map((message) => [message.code, message]),
);

const TRANSLATIONS = LANGUAGES.flatMap((language) =>
  Object.entries(SERVER_TEXTS[language].messages ?? {}).flatMap(([area, table]) =>
    // Titles of alerts are texts without facts.
    area === 'alert' ? [] : Object.keys(table).map((name) => [language, `${area}.${name}`] as const),
  ),
);
const namesIn = (text: string): string[] => [...new Set(text.match(/%\{\w+\}/g) ?? [])].sort();
const german = (message: Message): string => renderMessage(message, 'de');

describe('translated messages', () => {
  it.each(TRANSLATIONS)('%s %s fills in the same facts', (language, code) => {
    const message = ENGLISH.get(code);
    if (message === undefined) throw new Error('The domain has no such message.');
    const text = renderMessage(message, language);
    expect(text).not.toBe('');
    expect(text).not.toBe(message.detail);
    expect(namesIn(text)).toEqual(namesIn(message.detail));
  });

  it('are the English ones in English', () => {
    const message = domain.DNS_MESSAGES.proxied({ host: 'a.test' });
    expect(renderMessage(message, 'en')).toBe(message.detail);
  });

  it('render nested messages in the same language', () => {
    const message = domain.SHAPE_MESSAGES.required({ field: domain.SHAPE_MESSAGES.whole_body });
    expect([message.detail, german(message)]).toEqual(['The body is required.', 'Die Anfrage fehlt.']);
  });

  it('keep the English name of a fact that has no translation', () => {
    const label = domain.named('env.NEWER_THING', 'Newer Thing');
    expect(german(domain.ORDER_MESSAGES.value_missing({ label }))).toBe('Newer Thing ist erforderlich.');
  });

  it('are joined with spaces', () => {
    const parts = [domain.DNS_MESSAGES.proxied({ host: 'a.test' }), domain.DNS_MESSAGES.not_right({ host: 'b.test' })];
    expect(german(domain.joined(parts))).toBe(
      'a.test läuft über den Proxy von Cloudflare. Stellen Sie auf „DNS only“ um. Der Eintrag für b.test ist noch nicht richtig.',
    );
  });

  it('can be rendered after being stored as JSON', () => {
    const message = domain.joined([domain.RATE_LIMIT_MESSAGES.orders, domain.againIn(300)]);
    expect(german(JSON.parse(JSON.stringify(message)) as Message)).toBe(
      'Es wurden zu viele Deployments bestellt. Versuchen Sie es in 5 Minuten erneut.',
    );
  });

  it.each([
    ['a message of an older version', domain.asStored('The server was lost.')],
    ['a message of a newer version', { code: 'order.of_tomorrow', facts: {}, detail: 'Tomorrow.' }],
    ['a message named like a JavaScript property', { code: 'order.constructor', facts: {}, detail: 'Construct.' }],
    ['a message without a known area', { code: '__proto__', facts: {}, detail: 'Nothing.' }],
  ])('%s stays English', (_, message) => {
    expect(german(message)).toBe(message.detail);
  });
});
