import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ACCESS_MESSAGES } from './access';
import { CONNECTION_MESSAGES } from './connection';
import { ACCOUNT_MESSAGES } from './account';
import { ALERT_ADVICE } from './alert-advice';
import { BILLING_DOCUMENT_MESSAGES } from './billing-documents';
import { CREDITS_MESSAGES } from './credits';
import { DATA_EXPORT_MESSAGES } from './data-export';
import { type Facts, joined, type Message } from './message';
import {
  ENDED_INCIDENT_MESSAGES,
  INCIDENT_MESSAGES,
  REMEDY_MESSAGES,
  INCIDENT_SUPPORT_MESSAGES,
  WATCH_MESSAGES,
} from './incidents';
import { CERTIFICATE_MESSAGES, DNS_MESSAGES } from './name-check';
import { LOG_MESSAGES } from './logs';
import { ORDER_MESSAGES } from './order';
import { OWN_ACCOUNT_MESSAGES } from './own-account';
import { OWNER_RECORD_MESSAGES } from './owner-records';
import { HISTORY_MESSAGES, MAIL_TITLES, USERS_MESSAGES } from './users';
import { againIn, RATE_LIMIT_MESSAGES } from './rate-limit';
import { RESIZE_MESSAGES } from './resize';
import { UPDATE_MESSAGES } from './updates';
import { SERVER_CHECK_MESSAGES } from './server-check';
import { SHAPE_MESSAGES } from './shape';
import { STEP_MESSAGES } from './step';
import { SUPPORT_MESSAGES } from './support';

const TABLES = {
  access: { ...ACCESS_MESSAGES, ...CONNECTION_MESSAGES },
  account: ACCOUNT_MESSAGES,
  alert_advice: ALERT_ADVICE,
  billing_document: BILLING_DOCUMENT_MESSAGES,
  certificate: CERTIFICATE_MESSAGES,
  credits: CREDITS_MESSAGES,
  data_export: DATA_EXPORT_MESSAGES,
  remedies: REMEDY_MESSAGES,
  dns: DNS_MESSAGES,
  incidents: INCIDENT_MESSAGES,
  ended_incidents: ENDED_INCIDENT_MESSAGES,
  incident_support: INCIDENT_SUPPORT_MESSAGES,
  logs: LOG_MESSAGES,
  order: ORDER_MESSAGES,
  own_account: OWN_ACCOUNT_MESSAGES,
  owner_record: OWNER_RECORD_MESSAGES,
  rate_limit: RATE_LIMIT_MESSAGES,
  resize: RESIZE_MESSAGES,
  update: UPDATE_MESSAGES,
  server_check: SERVER_CHECK_MESSAGES,
  shape: SHAPE_MESSAGES,
  step: STEP_MESSAGES,
  support: SUPPORT_MESSAGES,
  users: USERS_MESSAGES,
  watch: WATCH_MESSAGES,
  history: HISTORY_MESSAGES,
  mail_title: MAIL_TITLES,
};

/** Facts that render as their placeholders, so that the detail equals the template. */
const PLACEHOLDERS = new Proxy({}, { get: (_, name) => `%{${String(name)}}` }) as Facts;
const ALL = Object.entries(TABLES).flatMap(([area, table]) =>
  Object.entries(table).map(([name, made]) => ({
    code: `${area}.${name}`,
    message: typeof made === 'function' ? (made as (facts: Facts) => Message)(PLACEHOLDERS) : (made as Message),
  })),
);

describe('messages', () => {
  it('have unique English texts', () => {
    const texts = ALL.map(({ message }) => message.detail);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  });

  it.each(ALL)('$code has its code', ({ code, message }) => {
    expect(message.code).toBe(code);
  });

  it('insert facts unchanged', () => {
    expect(ORDER_MESSAGES.value_missing_with({ label: '%{other}', other: '$1' })).toEqual({
      code: 'order.value_missing_with',
      facts: { label: '%{other}', other: '$1' },
      detail: '%{other} is required with $1.',
    });
  });

  it('are joined with spaces, and a single one is returned unchanged', () => {
    const parts = [DNS_MESSAGES.proxied({ host: 'a.test' }), DNS_MESSAGES.not_right({ host: 'b.test' })];
    expect(joined(parts).detail).toBe(
      'a.test is proxied by Cloudflare. Switch it to "DNS only". The record for b.test is not correct yet.',
    );
    expect(joined(parts.slice(0, 1))).toBe(parts[0]);
  });

  it.each([
    [1, 'Try again in 1 second.'],
    [90, 'Try again in 90 seconds.'],
    [91, 'Try again in 2 minutes.'],
    [5_400, 'Try again in 90 minutes.'],
    [5_401, 'Try again in 2 hours.'],
  ])('%d seconds: %s', (seconds, sentence) => {
    expect(againIn(seconds).detail).toBe(sentence);
  });
});

describe('code outside the message tables', () => {
  /**
   * Files with texts of their own: the API documentation, and errors that stop a process at start-up, which only operators
   * read.
   */
  const ELSEWHERE = [
    'apps/api/http/openapi.ts',
    'libs/contracts/errors.ts',
    'libs/contracts/examples.ts',
    'libs/contracts/parameters.ts',
    'apps/api/http/http-listener.ts',
    'libs/runtime/open-when-ready.ts',
    'libs/runtime/metrics.ts',
  ];
  /** Matches the description of a call in the API description. */
  const DESCRIPTION = /\bdescription:\s*(['"])(?:(?!\1)[^\n\\]|\\.)*\1/g;
  const SENTENCE = /(['"`])(?:[A-Z]|\$\{)(?:(?!\1)[^\n])* (?:(?!\1)[^\n])*(?<!\.\.)[.!]\1/g;

  const sources = ['apps/api', 'apps/billing', 'apps/provisioner', 'libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );

  it.each(['libs/contracts', 'libs/domain', 'libs/ledger', 'libs/database', 'libs/runtime', 'apps/'])(
    'contains no sentences for users: %s',
    (folder) => {
      const files = sources.filter(
        (path) =>
          path.startsWith(folder) &&
          path.endsWith('.ts') &&
          !/\.(spec|suite)\.ts$|\/(testing|messages)\/|\/testing\.ts$/.test(path) &&
          !ELSEWHERE.includes(path),
      );
      const found = files.flatMap((path) =>
        readFileSync(path, 'utf8')
          .replace(DESCRIPTION, '')
          .split('\n')
          .filter((line) => !/^\s*(\*|\/\/|\/\*\*)/.test(line) && !/\b(log\.|summary:|new (Range)?Error\()/.test(line))
          .flatMap((line) =>
            (line.replace(/\/\*\*.*?\*\/|\/\/ .*$/g, '').match(SENTENCE) ?? []).map((text) => `${path}: ${text}`),
          ),
      );
      expect(files.length).toBeGreaterThan(3);
      expect(found).toEqual([]);
    },
  );
});
