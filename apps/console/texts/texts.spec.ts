import { describe, expect, it } from '@jest/globals';
import {
  ACCESS_WORDS,
  CONSOLE_SENTENCES,
  DEPLOYMENT_STATUSES,
  DNS_WORDS,
  ENV_NAMES,
  envLabel,
  ORDER_WORDS,
  PACE_WORDS,
  PUBLIC_SENTENCES,
  say,
  SHAPE_WORDS,
  statusLabel,
} from '@moorage/domain';
import { NETWORK_ERROR } from '../data/api';
import { consoleTexts as germanConsole } from './de/console';
import { publicTexts as germanPublic } from './de/public';
import { raGerman } from './de/react-admin';
import { sayAll } from './de/said';
import { sayPublic } from './de/said-public';
import { consoleSentences } from './de/sentences';
import { publicSentences } from './de/sentences-public';
import { consoleTexts } from './en/console';
import { publicTexts } from './en/public';
import { type Texts, translate } from './translate';
import raEnglish from 'ra-language-english';

const PAIRS: readonly (readonly [string, Texts, Texts])[] = [
  ['public', publicTexts, germanPublic],
  ['console', consoleTexts, germanConsole],
  [
    'sentences of the rules and the server',
    { ...PUBLIC_SENTENCES, ...CONSOLE_SENTENCES },
    { ...publicSentences, ...consoleSentences },
  ],
  ['react-admin', raEnglish as unknown as Texts, raGerman as unknown as Texts],
];

function sentences(texts: Texts, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${path}${name}`, value] as [string, string]] : sentences(value, `${path}${name}.`),
  );
}

const placeholders = (text: string): string[] => [...new Set(text.match(/%\{\w+\}/g) ?? [])].sort();

describe('the catalogue of texts', () => {
  it.each(PAIRS)('%s: German has every key, no empty sentence and the same placeholders', (_, english, german) => {
    const words = new Map(sentences(german));
    expect([...words.keys()].sort()).toEqual(
      sentences(english)
        .map(([key]) => key)
        .sort(),
    );
    for (const [key, text] of sentences(english)) {
      const other = words.get(key) ?? '';
      expect([key, other === '' && text !== '']).toEqual([key, false]);
      expect([key, placeholders(other)]).toEqual([key, placeholders(text)]);
      expect([key, other.includes('||||')]).toEqual([key, text.includes('||||')]);
    }
  });

  it('fills in, chooses the plural and shows the key where there is no sentence', () => {
    const texts = { a: { hello: 'Hello %{name}', many: '%{smart_count} day |||| %{smart_count} days' } };
    expect(translate(texts, 'a.hello', { name: '<b>Ada</b>' })).toBe('Hello <b>Ada</b>');
    expect(translate(texts, 'a.many', { smart_count: 1 })).toBe('1 day');
    expect(translate(texts, 'a.many', { smart_count: 3 })).toBe('3 days');
    expect(translate(texts, 'a.gone')).toBe('a.gone');
  });
});

describe('what the rules have words for themselves', () => {
  it('a status is called as they call it', () => {
    const { disabled, your_turn: yourTurn, ...statuses } = consoleTexts.layout.status;
    expect(statuses).toEqual(
      Object.fromEntries(DEPLOYMENT_STATUSES.map((status) => [status, statusLabel(status, null)])),
    );
    expect(disabled).toBe(statusLabel('READY', true));
    expect(yourTurn).toBe('your turn');
  });

  it('a value of a package is called as they call it', () => {
    expect(consoleTexts.wizard.env).toEqual(Object.fromEntries(ENV_NAMES.map((name) => [name, envLabel(name)])));
  });

  it('the console and the api say the same of a network that is away', () => {
    expect(NETWORK_ERROR).toBe(ACCESS_WORDS.network);
  });
});

describe('a sentence of the server on a German screen', () => {
  it.each([
    [ORDER_WORDS.address_in_use, 'Auf diesem Server läuft schon ein anderes Deployment.'],
    [
      `${PACE_WORDS.orders} ${PACE_WORDS.again_minutes({ minutes: 5 })}`,
      'Es wurden zu viele Deployments bestellt. Versuchen Sie es in 5 Minuten erneut.',
    ],
    [
      ORDER_WORDS.value_missing_with({ label: 'OAuth Client Secret', other: 'OAuth Client ID' }),
      'OAuth-Client-Secret wird zusammen mit OAuth-Client-ID gebraucht.',
    ],
    [ORDER_WORDS.value_missing({ label: 'Mirror Host' }), 'Mirror Host wird gebraucht.'],
    [
      ORDER_WORDS.not_restarted({ status: 'Disabled' }),
      'Ein Deployment im Zustand „Deaktiviert“ kann nicht neu gestartet werden.',
    ],
    [SHAPE_WORDS.required({ field: 'The body' }), 'Die Anfrage fehlt.'],
    [
      DNS_WORDS.proxied({ host: 'a.example.com' }) + ' ' + DNS_WORDS.not_right({ host: 'b.example.com' }),
      'a.example.com läuft über den Proxy von Cloudflare. Stellen Sie auf „DNS only“ um. Der Eintrag für b.example.com stimmt noch nicht.',
    ],
  ])('%s', (sentence, german) => {
    expect(sayAll(sentence)).toBe(german);
  });

  it('is understood on the public side where it can be met there', () => {
    expect(sayPublic(ACCESS_WORDS.credentials_wrong)).toBe('E-Mail oder Passwort ist falsch.');
    expect(sayPublic(ORDER_WORDS.address_in_use)).toBeNull();
  });

  it('is nobody’s where somebody else wrote it, whole or in part', () => {
    expect(sayAll('Goodwill: ticket 4711')).toBeNull();
    expect(sayAll(`${ORDER_WORDS.address_in_use} And more of it.`)).toBeNull();
  });
});
