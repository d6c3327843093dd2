import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EVENTS } from '@moorage/contracts';
import type { ApiDeps } from './feature';
import { type AddressedHint, HINTS } from './live/hints';
import { createLiveFeature } from './live/live.feature';
import { mailHandlers } from './mail/mail.handlers';
import type { Mails } from './mail/mails';
import { createSupportFeature } from './support/support.feature';

/** Stands for what a feature needs to be put together; nothing of it is used before an event arrives. */
const anything: unknown = new Proxy(() => anything, { get: () => anything });
const deps = anything as ApiDeps;

const cells = readFileSync('docs/events.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const namesWith = (column: number): string[] =>
  cells.filter((row) => row.at(column) !== '').map((row) => row[1]?.replaceAll('`', '') ?? '');

describe('the table of events in docs/events.md', () => {
  it('says of mail exactly what the api has handlers for', () => {
    const mail = mailHandlers({ mails: anything as Mails });
    const support = createSupportFeature(deps, anything as Parameters<typeof createSupportFeature>[1]);
    const handled = [...Object.keys(mail), ...Object.keys(support.handlers ?? {})];
    expect(namesWith(-2).sort()).toEqual(handled.sort());
  });

  it('says which live updates follow each event, and the api handles them all', () => {
    const live = createLiveFeature(deps, anything as Parameters<typeof createLiveFeature>[1]);
    expect(Object.keys(live.handlers ?? {}).sort()).toEqual(Object.keys(EVENTS).sort());
    const data = { user_id: 1, deployment_id: 2, version: 3 };
    const kinds = Object.entries(HINTS).map(([name, hintsOf]) => [
      name,
      (hintsOf as (event: object) => AddressedHint[])({ sequence: 4, data })
        .map(({ hint }) => hint.kind)
        .sort(),
    ]);
    const listed = cells.map((row) => [
      row[1]?.replaceAll('`', ''),
      (row.at(-3) ?? '')
        .split(', ')
        .filter((kind) => kind !== '')
        .sort(),
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(kinds));
  });
});
